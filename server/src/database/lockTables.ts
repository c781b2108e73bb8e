import type { Sql } from './connection/connect.js';
import type { Table } from './tables.js';

/**
 * Keeps everybody else from tables, or from writing to them (`share`), until the transaction ends. Rejects with 55P03
 * after `waitMs` for one of them.
 */
export async function lockTables(
  tx: Sql,
  tables: readonly Table[],
  { mode, waitMs }: { mode: 'access exclusive' | 'share'; waitMs: number },
): Promise<void> {
  await tx`/* setLockTimeout */ select set_config('lock_timeout', ${String(waitMs)}, true)`;
  await tx`/* lockTables */ lock table ${tx([...tables])} in ${tx.unsafe(mode)} mode`;
  await tx`/* setLockTimeout */ select set_config('lock_timeout', '0', true)`;
}
