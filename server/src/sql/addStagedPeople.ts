import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/**
 * Adds everybody in the stage to a team, all or none; a known person keeps the name they have, and gets one if
 * they have none. Resolves with how many people the stage holds. People of whom nothing changes are not locked,
 * and the others in the order of their ids, as order reports do: so that neither waits for the other in a ring.
 */
export async function addStagedPeople(sql: Sql, teamId: Uuid): Promise<number> {
  const [row] = await sql<[{ people: number }]>`/* addStagedPeople */
    with added as (
      insert into person (team_id, id, email, name)
      select ${teamId}, id, email, name from pg_temp.staged_person
      where not exists (
        select from person
        where person.team_id = ${teamId} and person.id = staged_person.id
          and (person.name is not null or staged_person.name is null)
      )
      order by id
      on conflict (team_id, id) do update set name = excluded.name
        where person.name is null and excluded.name is not null
    )
    select count(*)::int as people from pg_temp.staged_person`;
  return row.people;
}
