import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** Adds people to a team; a known one keeps the name it has, and gets one if it has none. No two may share an id. */
export async function addPeople(
  sql: Sql,
  teamId: Uuid,
  people: { id: Uuid; email: string; name: string | null }[],
): Promise<{ id: Uuid; email: string; name: string | null }[]> {
  return sql<{ id: Uuid; email: string; name: string | null }[]>`/* addPeople */
    insert into person (team_id, id, email, name)
    select ${teamId}, id, email, name
    from json_to_recordset(${JSON.stringify(people)}::text::json) as r (id uuid, email text, name text)
    order by id
    on conflict (team_id, id) do update set name = coalesce(person.name, excluded.name)
    returning id, email, name`;
}
