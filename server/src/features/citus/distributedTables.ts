import type { Sql } from '../../database/connection/connect.js';
import type { Table } from '../../database/tables.js';

/*
 * The server's statements run on distributed tables, too; the tests on a cluster (`citus*.test.ts`) see to it. So each
 * names one team, whose node then answers it. Citus takes no `now()` in a `coalesce`, nothing in an update that is not
 * immutable, such as a sum of a column and a time, no comparison of times behind `returning`, and no function of many rows
 * right behind `select`: times come as parameters, and spans are compared as seconds.
 */

/** Small tables that every node has a copy of. The rows of all other tables are distributed by `team_id`. */
export const referenceTables: readonly Table[] = ['installation', 'team', 'api_key'];

/** True when the tables are distributed over a Citus cluster, so that the orders of a team lie on one node. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  return (await isCluster(sql)) && (await listDistributed(sql)).includes('placed_order');
}

/** True when the database has the extension Citus. */
export async function isCluster(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`/* isCluster */
    select to_regclass('pg_catalog.pg_dist_partition') is not null as exists`;
  return row.exists;
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

/**
 * Makes a table a Citus reference table, which every node has a copy of, or distributes its rows by team. The
 * coordinator keeps the former rows in its own table; see `truncateLocalCopy`. No foreign key may start or end at the
 * table.
 * @param beside a table whose teams get the same nodes as the teams of this one; null for the first table
 */
export async function distributeTable(sql: Sql, table: Table, beside: Table | null): Promise<void> {
  if (referenceTables.includes(table)) {
    await sql`/* createReferenceTable */ select create_reference_table(${table})`;
  } else {
    await sql`/* createDistributedTable */
      select create_distributed_table(${table}, 'team_id', colocate_with => ${beside ?? 'default'})`;
  }
}

/** Removes the rows that Citus has copied to the shards and left in the coordinator's own table as well. */
export async function truncateLocalCopy(sql: Sql, table: Table): Promise<void> {
  await sql`/* truncateLocalCopy */ select truncate_local_data_after_distributing_table(${table})`;
}
