import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../database/connection/connect.js';
import { isLocked } from '../../database/failures.js';
import { inTransaction } from '../../database/inTransaction.js';
import type { LockWaits } from '../../database/migrate.js';
import { type Table, tables } from '../../database/tables.js';
import {
  distributeTable,
  isDistributed,
  listDistributed,
  referenceTables,
  truncateLocalCopy,
} from './distributedTables.js';
import { addForeignKey, dropForeignKey, listForeignKeys } from './foreignKeys.js';

/**
 * Distributes by team the tables that are not distributed yet, all or none. Resolves with their names.
 *
 * The tables are locked until all are distributed. If that takes longer than a server's lock time-out, reports get 503, and their
 * senders repeat them.
 * @param notify called once if another session holds a lock
 */
export async function distributeTables(
  sql: Sql,
  { notify, waits }: { notify: (line: string) => void; waits: LockWaits },
): Promise<Table[]> {
  const endMs = performance.now() + waits.tryForMs;
  for (let isNotified = false; ; ) {
    try {
      return await inTransaction(sql, (tx) => distributeMissing(tx, waits.lockTimeoutMs));
    } catch (error) {
      if (!isLocked(error) || performance.now() > endMs) throw error;
      if (!isNotified) notify('Another session holds a lock on a table; trying again until it is released.');
      isNotified = true;
      await delay(waits.pauseMs);
    }
  }
}

/**
 * Distributes the tables that migrations have added to a distributed database, because statements join them with others
 * of the same team. Does nothing if the tables are in one PostgreSQL.
 */
export async function distributeNewTables(sql: Sql, options: Parameters<typeof distributeTables>[1]) {
  if (await isDistributed(sql)) await distributeTables(sql, options);
}

/**
 * Distributes the missing tables in one transaction. Citus allows it to change several tables only on one connection
 * for each node.
 */
async function distributeMissing(tx: Sql, lockTimeoutMs: number): Promise<Table[]> {
  await tx`/* distributeSequentially */ set local citus.multi_shard_modify_mode to 'sequential'`;
  const before = await listDistributed(tx);
  const missing = tables.filter((table) => !before.includes(table));
  if (missing.length === 0) return [];
  const foreignKeys = (await listForeignKeys(tx, tables)).filter(
    ({ table, references }) => missing.includes(table) || missing.includes(references),
  );
  const linked = foreignKeys.flatMap(({ table, references }) => [table, references]);
  const touched = tables.filter((table) => missing.includes(table) || linked.includes(table));
  await lockTables(tx, touched, lockTimeoutMs);
  // Another server has distributed them while this one waited for the locks.
  if ((await listDistributed(tx)).length !== before.length) return distributeMissing(tx, lockTimeoutMs);
  for (const foreignKey of foreignKeys) await dropForeignKey(tx, foreignKey);
  let beside = tables.find((table) => before.includes(table) && !referenceTables.includes(table)) ?? null;
  for (const table of missing) {
    await distributeTable(tx, table, beside);
    if (!referenceTables.includes(table)) beside ??= table;
  }
  for (const table of missing) await truncateLocalCopy(tx, table);
  for (const foreignKey of foreignKeys) await addForeignKey(tx, foreignKey);
  return missing;
}

/**
 * Locks tables until the transaction ends, so that no other transaction reads or writes them. Rejects with 55P03 after waiting
 * `waitMs` for one table.
 */
async function lockTables(tx: Sql, tables: readonly Table[], waitMs: number): Promise<void> {
  await tx`/* setLockTimeout */ select set_config('lock_timeout', ${String(waitMs)}, true)`;
  await tx`/* lockTables */ lock table ${tx([...tables])} in access exclusive mode`;
  await tx`/* setLockTimeout */ select set_config('lock_timeout', '0', true)`;
}
