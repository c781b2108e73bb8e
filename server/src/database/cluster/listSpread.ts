import type { Sql } from '../connection/connect.js';

/** True when the tables are spread over a Citus cluster, where orders lie with their team. */
export async function isSpread(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`/* isCitusCreated */
    select to_regclass('pg_catalog.pg_dist_partition') is not null as exists`;
  return row.exists && (await listSpread(sql)).includes('placed_order');
}

/**
 * Lists the tables that Citus has spread by team (`h`) or copied to every machine (`n`, replicated by two-phase
 * commit). A table that a foreign key links with one of these is in the list of Citus too, but its rows all lie on
 * the coordinator: it is not spread. Rejects without the extension.
 */
export async function listSpread(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listSpread */
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = current_schema()::regnamespace
      and (partmethod = 'h' or (partmethod = 'n' and repmodel = 't'))`;
  return rows.map(({ name }) => name);
}
