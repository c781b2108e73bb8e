import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** Puts people into the stage; one who is there keeps the name given first. No two may share an id. */
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
