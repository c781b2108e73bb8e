import type { Sql } from '../database/connect.js';
import type { Table } from './tables.js';

/** Small tables of which every machine has a whole copy. The rows of all other tables are spread by `team_id`. */
export const referenceTables: readonly Table[] = ['installation', 'team', 'api_key'];

/**
 * Makes a table a Citus reference table (a copy on every machine) or spreads its rows by team. The tables that
 * its foreign keys name must be done first. The rows of one team lie on the same machine in all tables, because
 * every `team_id` has the same type (Citus documentation, "Table Co-Location").
 */
export async function distributeTable(sql: Sql, table: Table): Promise<void> {
  if (referenceTables.includes(table)) {
    await sql`/* createReferenceTable */ select create_reference_table(${table})`;
  } else {
    await sql`/* createDistributedTable */ select create_distributed_table(${table}, 'team_id')`;
  }
}
