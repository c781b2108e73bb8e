import type { Sql } from '../database/connect.js';
import type { Table } from './tables.js';

/** Small tables that each machine has whole; the rows of every other have a `team_id`, and lie where it says. */
export const referenceTables: readonly Table[] = ['installation', 'team', 'api_key'];

/**
 * Has Citus copy a table to every machine, or spread its rows by team. Those that its foreign keys name have to
 * be there already. The same team's rows of all tables come to lie together, since all their `team_id`s are of
 * one type (Citus documentation, "Table Co-Location").
 */
export async function distributeTable(sql: Sql, table: Table): Promise<void> {
  if (referenceTables.includes(table)) {
    await sql`/* createReferenceTable */ select create_reference_table(${table})`;
  } else {
    await sql`/* createDistributedTable */ select create_distributed_table(${table}, 'team_id')`;
  }
}
