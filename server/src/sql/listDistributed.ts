import type { Sql } from '../database/connect.js';

/** Lists the tables that Citus manages, reference tables included. Rejects without the extension. */
export async function listDistributed(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listDistributed */
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid`;
  return rows.map(({ name }) => name);
}
