import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { canReplaceName } from './person.js';

/** Creates the temporary table that collects people before they are added. It is dropped when the transaction ends. */
export async function createStage(sql: Sql): Promise<void> {
  await sql`/* createStage */
    create temporary table staged_person (id uuid primary key, email text not null, name text) on commit drop`;
}

/** Inserts people into the stage. A staged person keeps the first name given. Ids in one call must differ. */
export async function stagePeople(
  sql: Sql,
  people: { id: Uuid; email: string; name: string | null }[],
): Promise<void> {
  await sql`/* stagePeople */
    insert into pg_temp.staged_person (id, email, name)
    select id, email, name
    from json_to_recordset(${JSON.stringify(people)}::text::json) as r (id uuid, email text, name text)
    on conflict (id) do update set name = coalesce(staged_person.name, excluded.name)`;
}

/**
 * Adds all people in the stage to a team, all or none. Names count as in `addPeople`. Resolves with the number of people in
 * the stage. People without a change are not locked. The others are locked in the order of their ids, as order reports do,
 * so that no deadlock arises.
 */
export async function addStagedPeople(sql: Sql, teamId: Uuid): Promise<number> {
  const [row] = await sql<[{ people: number }]>`/* addStagedPeople */
    with staged as materialized (select * from pg_temp.staged_person), added as (
      insert into person (team_id, id, email, name, name_by_key)
      select ${teamId}, id, email, name, name is not null from staged
      where not exists (
        select from person
        where person.team_id = ${teamId} and person.id = staged.id
          and (person.name_by_key or staged.name is null)
      )
      order by id
      on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
        where ${canReplaceName(sql)}
    )
    select count(*)::int as people from staged`;
  return row.people;
}
