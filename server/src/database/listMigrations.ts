import type { Sql } from './connection/connect.js';

/** Lists the names of the applied migrations, in their order. Rejects when the database was never migrated. */
export async function listMigrations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listMigrations */
    select name from migration order by name`;
  return rows.map(({ name }) => name);
}
