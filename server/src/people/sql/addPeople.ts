import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { canReplaceName } from './personName.js';

/**
 * Adds people to a team, as the operator or a key says. A known one keeps a name that such a one gave before, and
 * gets this one in the place of none or of a page's. No two may share an id.
 */
export async function addPeople(
  sql: Sql,
  teamId: Uuid,
  people: { id: Uuid; email: string; name: string | null }[],
): Promise<{ id: Uuid; email: string; name: string | null }[]> {
  return sql<{ id: Uuid; email: string; name: string | null }[]>`/* addPeople */
    insert into person (team_id, id, email, name, name_by_key)
    select ${teamId}, id, email, name, name is not null
    from json_to_recordset(${JSON.stringify(people)}::text::json) as r (id uuid, email text, name text)
    order by id
    on conflict (team_id, id) do update set
      name = case when ${canReplaceName(sql)} then excluded.name else person.name end,
      name_by_key = person.name_by_key or excluded.name_by_key
    returning id, email, name`;
}
