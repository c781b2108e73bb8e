import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

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
