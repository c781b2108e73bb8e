import type { Sql } from '../database/connect.js';

/** Lists the names of the migrations that a migrated database has had, in their order. */
export async function listMigrations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listMigrations */
    select name from migration order by name`;
  return rows.map(({ name }) => name);
}
