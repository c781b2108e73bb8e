import { setTimeout as delay } from 'node:timers/promises';
import {
  distributeTable,
  listDistributed,
  referenceTables,
  truncateLocalCopy,
} from '../database/cluster/distributedTables.js';
import { enableCitus, readCitusOffer, readCitusPlace } from '../database/cluster/enableCitus.js';
import { addForeignKey, dropForeignKey, listForeignKeys } from '../database/cluster/foreignKeys.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { lockTables } from '../database/lockTables.js';
import { migrationWaits } from '../database/migrate.js';
import { type Table, tables } from '../database/tables.js';
import { UsageError } from './command.js';

/**
 * Distributes the tables of a migrated database over a Citus cluster by team, all or none, and resolves with the tables
 * that this run distributed. All
 * tables are locked meanwhile: reports get 503 once that takes longer than a server's lock time-out, and are sent again.
 * Throws `UsageError` where there is no cluster.
 * @param notify called once, when another session keeps this waiting
 */
export async function distribute(
  sql: Sql,
  notify: (line: string) => void,
  waits = migrationWaits,
): Promise<Table[]> {
  await requireCluster(sql);
  const endMs = performance.now() + waits.tryForMs;
  for (let isNotified = false; ; ) {
    try {
      return await inTransaction(sql, (tx) => distributeAll(tx, waits.lockTimeoutMs));
    } catch (error) {
      // lock_not_available, and a deadlock with reports that hold one table and wait for another.
      const isLocked = ['55P03', '40P01'].includes((error as { code: string }).code);
      if (!isLocked || performance.now() > endMs) throw error;
      if (!isNotified) notify('Another session holds a lock on a table; trying again until it is released.');
      isNotified = true;
      await delay(waits.pauseMs);
    }
  }
}

/** Citus lets one transaction change all tables only when it uses one connection per node. */
async function distributeAll(tx: Sql, lockTimeoutMs: number): Promise<Table[]> {
  await tx`/* distributeSequentially */ set local citus.multi_shard_modify_mode to 'sequential'`;
  await lockTables(tx, tables, { mode: 'access exclusive', waitMs: lockTimeoutMs });
  const distributed = await listDistributed(tx);
  const missing = tables.filter((table) => !distributed.includes(table));
  if (missing.length === 0) return [];
  const foreignKeys = (await listForeignKeys(tx, tables)).filter(
    ({ table, references }) => missing.includes(table) || missing.includes(references),
  );
  for (const foreignKey of foreignKeys) await dropForeignKey(tx, foreignKey);
  let beside =
    tables.find((table) => distributed.includes(table) && !referenceTables.includes(table)) ?? null;
  for (const table of missing) {
    await distributeTable(tx, table, beside);
    if (!referenceTables.includes(table)) beside ??= table;
  }
  for (const table of missing) await truncateLocalCopy(tx, table);
  for (const foreignKey of foreignKeys) await addForeignKey(tx, foreignKey);
  return missing;
}

/** Creates the extension in a cluster that can be used, and otherwise leaves nothing behind. */
async function requireCluster(sql: Sql): Promise<void> {
  const { isOffered, isLoaded } = await readCitusOffer(sql);
  if (!isOffered) {
    throw new UsageError(
      'This PostgreSQL does not offer the extension citus; set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  if (!isLoaded) {
    throw new UsageError(
      "This PostgreSQL has Citus but does not load it: set shared_preload_libraries = 'citus' in postgresql.conf on every node, restart them, and run this again.",
    );
  }
  await inTransaction(sql, async (tx) => {
    await enableCitus(tx);
    const { isWorker, coordinator, nodes } = await readCitusPlace(tx);
    if (isWorker) {
      throw new UsageError(
        `DATABASE_URL leads to a worker of the Citus cluster; set it to the coordinator${coordinator ? `, ${coordinator}` : ''}.`,
      );
    }
    if (nodes === 0) {
      throw new UsageError(
        "This Citus cluster has no worker that could take rows; add each on the coordinator, in this database: select citus_add_node('HOST', 5432).",
      );
    }
  });
}
