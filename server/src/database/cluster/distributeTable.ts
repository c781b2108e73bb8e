import type { Sql } from '../connection/connect.js';
import type { Table } from '../tables.js';

/** Small tables of which every machine has a whole copy. The rows of all other tables are spread by `team_id`. */
export const referenceTables: readonly Table[] = ['installation', 'team', 'api_key'];

/**
 * Makes a table a Citus reference table (a copy on every machine) or spreads its rows by team, and removes the copy of
 * the rows that Citus leaves in the coordinator's own table. No foreign key may name the table or stand in it.
 * @param beside a table whose teams lie where this one's shall lie; null for the first one
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
