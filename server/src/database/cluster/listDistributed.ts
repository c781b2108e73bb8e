import type { Sql } from '../connection/connect.js';

/** True when the tables are distributed over a Citus cluster, so that the orders of a team lie on one node. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`/* isCitusCreated */
    select to_regclass('pg_catalog.pg_dist_partition') is not null as exists`;
  return row.exists && (await listDistributed(sql)).includes('placed_order');
}

/**
 * Lists the tables that Citus has distributed by team (`h`) or copied to every node (`n`, replicated by two-phase
 * commit). Citus also lists a table that a foreign key links with one of these; its rows all lie on the coordinator, so
 * it is not distributed. Rejects without the extension.
 */
export async function listDistributed(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listDistributed */
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = current_schema()::regnamespace
      and (partmethod = 'h' or (partmethod = 'n' and repmodel = 't'))`;
  return rows.map(({ name }) => name);
}
