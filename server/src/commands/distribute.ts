import type { Sql } from '../database/connect.js';
import { distributeTable } from '../sql/distributeTable.js';
import { enableCitus } from '../sql/enableCitus.js';
import { isCitusOffered } from '../sql/isCitusOffered.js';
import { listDistributed } from '../sql/listDistributed.js';
import { type Table, tables } from '../sql/tables.js';
import { UsageError } from './command.js';

/**
 * Spreads the tables of a migrated database over a Citus cluster by team, one table after the other, and
 * resolves with the tables that this run spread. After a failure the next run continues with the table that
 * failed. Throws `UsageError` where PostgreSQL does not offer Citus. Tests cover that refusal and the rules that
 * Citus has for a schema; spreading itself has not been tested on a Citus cluster.
 */
export async function distribute(sql: Sql): Promise<Table[]> {
  if (!(await isCitusOffered(sql))) {
    throw new UsageError(
      'This PostgreSQL does not offer the extension citus; set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  await enableCitus(sql);
  const done = await listDistributed(sql);
  const missing = tables.filter((table) => !done.includes(table));
  for (const table of missing) await distributeTable(sql, table);
  return missing;
}
