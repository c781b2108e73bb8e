import type { Sql } from '../database/connect.js';
import { distributeTable } from '../sql/distributeTable.js';
import { enableCitus } from '../sql/enableCitus.js';
import { isCitusOffered } from '../sql/isCitusOffered.js';
import { listDistributed } from '../sql/listDistributed.js';
import { type Table, tables } from '../sql/tables.js';
import { UsageError } from './command.js';

/**
 * Spreads a migrated database over the machines of a Citus cluster, by team, table after table; resolves with
 * those that were not spread before. One that failed is where the next run goes on. Throws `UsageError` where
 * PostgreSQL does not offer Citus. That refusal is tested; the spreading itself was not run with this code,
 * for want of a Citus: what is tested is that the schema keeps the rules that Citus has for it.
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
