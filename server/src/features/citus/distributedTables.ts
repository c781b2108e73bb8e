import type { Sql } from '../../database/connection/connect.js';
import type { Table } from '../../database/tables.js';

/*
 * The server's statements also run on distributed tables, which `citus*.test.ts` test. Each names one team, so that the
 * team's node answers it. Citus does not accept: `now()` in `coalesce`; in an update, anything that is not immutable,
 * such as the sum of a column and a time; comparisons of times in `returning`; a set-returning function directly after
 * `select`. So times are parameters, and spans are compared as seconds.
 */

/** Small tables that are copied to every node. The rows of all other tables are distributed by `team_id`. */
export const referenceTables: readonly Table[] = ['installation', 'team', 'api_key'];

/** @returns true if the tables are distributed over a Citus cluster, so that all orders of a team are on one node */
export async function isDistributed(sql: Sql): Promise<boolean> {
  return (await isCluster(sql)) && (await listDistributed(sql)).includes('placed_order');
}

/** @returns true if the database has the extension Citus */
export async function isCluster(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`/* isCluster */
    select to_regclass('pg_catalog.pg_dist_partition') is not null as exists`;
  return row.exists;
}

/**
 * Lists the tables that Citus has distributed by team (`h`), or copied to every node (`n`, replicated by two-phase
 * commit). Citus also records a table that a foreign key links with one of these. All of its rows are on the
 * coordinator, so it is not listed. Rejects if the extension is missing.
 */
export async function listDistributed(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listDistributed */
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = current_schema()::regnamespace
      and (partmethod = 'h' or (partmethod = 'n' and repmodel = 't'))`;
  return rows.map(({ name }) => name);
}

/**
 * Makes a table a Citus reference table, which is copied to every node, or distributes its rows by team. The
 * coordinator keeps the previous rows in its own table; see `truncateLocalCopy`. No foreign key may start or end at the
 * table.
 * @param beside a table whose teams are on the same nodes as this table's; null for the first table
 */
export async function distributeTable(sql: Sql, table: Table, beside: Table | null): Promise<void> {
  if (referenceTables.includes(table)) {
    await sql`/* createReferenceTable */ select create_reference_table(${table})`;
  } else {
    await sql`/* createDistributedTable */
      select create_distributed_table(${table}, 'team_id', colocate_with => ${beside ?? 'default'})`;
  }
}

/** Removes the coordinator's own rows of a table that was just distributed. Citus has copied them to the shards. */
export async function truncateLocalCopy(sql: Sql, table: Table): Promise<void> {
  await sql`/* truncateLocalCopy */ select truncate_local_data_after_distributing_table(${table})`;
}
