import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Gives a person this name, whoever said the one before; null takes it away, so that the next report's counts. */
export async function editPerson(sql: Sql, teamId: Uuid, id: Uuid, name: string | null) {
  const rows = await sql<{ id: Uuid; email: string; name: string | null }[]>`/* editPerson */
    update person set name = ${name}, name_by_key = ${name !== null}
    where team_id = ${teamId} and id = ${id}
    returning id, email, name`;
  return rows[0];
}
