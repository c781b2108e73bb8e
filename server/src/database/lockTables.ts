import type { Sql } from './connection/connect.js';
import type { Table } from './tables.js';

/** Times for work that waits for locks that others hold. */
export interface LockWaits {
  /** Time of one try. Writers queue that long behind the one that waits for a reader. */
  lockTimeoutMs: number;
  /** Pause between two tries; writers continue meanwhile. */
  pauseMs: number;
  /** Time after which the work is given up. */
  tryForMs: number;
}

/**
 * Locks tables until the transaction ends: nobody else reads or writes them. Rejects with 55P03 after it has waited
 * `waitMs` for one table.
 */
export async function lockTables(tx: Sql, tables: readonly Table[], waitMs: number): Promise<void> {
  await tx`/* setLockTimeout */ select set_config('lock_timeout', ${String(waitMs)}, true)`;
  await tx`/* lockTables */ lock table ${tx([...tables])} in access exclusive mode`;
  await tx`/* setLockTimeout */ select set_config('lock_timeout', '0', true)`;
}
