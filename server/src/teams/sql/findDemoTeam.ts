import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Finds the demo team; undefined when the database has none. */
export async function findDemoTeam(sql: Sql): Promise<{ id: Uuid } | undefined> {
  const rows = await sql<{ id: Uuid }[]>`/* findDemoTeam */
    select id from team where is_demo order by created_at limit 1`;
  return rows[0];
}
