import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Finds a person by id; undefined for an unknown person. The id of an erased person is unknown. */
export async function findPerson(sql: Sql, teamId: Uuid, id: Uuid) {
  const rows = await sql<{ id: Uuid; email: string; name: string | null; createdAt: Date }[]>`/* findPerson */
    select id, email, name, created_at as "createdAt" from person where team_id = ${teamId} and id = ${id}`;
  return rows[0];
}
