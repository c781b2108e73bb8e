import { setTimeout as delay } from 'node:timers/promises';
import { distributeTable, referenceTables, truncateLocalCopy } from '../database/cluster/distributeTable.js';
import { enableCitus, readCitusOffer, readCitusPlace } from '../database/cluster/enableCitus.js';
import { addForeignKey, dropForeignKey, listForeignKeys } from '../database/cluster/foreignKeys.js';
import { listDistributed } from '../database/cluster/listDistributed.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { lockTables } from '../database/lockTables.js';
import { migrationWaits } from '../database/migrate.js';
import { type Table, tables } from '../database/tables.js';
import { UsageError } from './command.js';

/**
 * Spreads the tables of a migrated database over a Citus cluster by team, all or none, and resolves with the tables
 * that this run spread. Also out of the state that release 0.1.0 leaves, which spread a few of them. All tables are
 * locked meanwhile: reports get 503 once that takes longer than a server's lock time-out, and are sent again. Throws
 * `UsageError` where there is no cluster to spread them over.
 * @param notify told once when another session keeps this waiting
 */
export async function distribute(
  sql: Sql,
  notify: (line: string) => void,
  waits = migrationWaits,
): Promise<Table[]> {
  await requireCluster(sql);
  const endMs = performance.now() + waits.tryForMs;
  for (let isTold = false; ; ) {
    try {
      return await inTransaction(sql, (tx) => spreadAll(tx, waits.lockTimeoutMs));
    } catch (error) {
      // lock_not_available, and a deadlock with reports that hold one table and wait for another.
      const isLocked = ['55P03', '40P01'].includes((error as { code: string }).code);
      if (!isLocked || performance.now() > endMs) throw error;
      if (!isTold) notify('Another session holds a lock on a table; trying again until it can be had.');
      isTold = true;
      await delay(waits.pauseMs);
    }
  }
}

/** One connection after the other does what this transaction asks of a machine: only then may it change all tables. */
async function spreadAll(tx: Sql, lockTimeoutMs: number): Promise<Table[]> {
  await tx`/* spreadInTurn */ set local citus.multi_shard_modify_mode to 'sequential'`;
  await lockTables(tx, tables, { mode: 'access exclusive', waitMs: lockTimeoutMs });
  const spread = await listDistributed(tx);
  const missing = tables.filter((table) => !spread.includes(table));
  if (missing.length === 0) return [];
  const foreignKeys = (await listForeignKeys(tx, tables)).filter(
    ({ table, references }) => missing.includes(table) || missing.includes(references),
  );
  for (const foreignKey of foreignKeys) await dropForeignKey(tx, foreignKey);
  let beside = tables.find((table) => spread.includes(table) && !referenceTables.includes(table)) ?? null;
  for (const table of missing) {
    await distributeTable(tx, table, beside);
    if (!referenceTables.includes(table)) beside ??= table;
  }
  // Of every table, also those spread before: release 0.1.0 left the copies of those that it spread.
  for (const table of tables) await truncateLocalCopy(tx, table);
  for (const foreignKey of foreignKeys) await addForeignKey(tx, foreignKey);
  return missing;
}

/** Creates the extension where it can be used, and leaves nothing behind where it cannot. */
async function requireCluster(sql: Sql): Promise<void> {
  const { isOffered, isLoaded } = await readCitusOffer(sql);
  if (!isOffered) {
    throw new UsageError(
      'This PostgreSQL does not offer the extension citus; set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  if (!isLoaded) {
    throw new UsageError(
      "This PostgreSQL has Citus but does not load it: set shared_preload_libraries = 'citus' in postgresql.conf on every machine, restart them, and run this again.",
    );
  }
  await inTransaction(sql, async (tx) => {
    await enableCitus(tx);
    const { isWorker, coordinator, machines } = await readCitusPlace(tx);
    if (isWorker) {
      throw new UsageError(
        `DATABASE_URL leads to a worker of the Citus cluster; set it to the coordinator${coordinator ? `, ${coordinator}` : ''}.`,
      );
    }
    if (machines === 0) {
      throw new UsageError(
        "This Citus cluster has no worker to spread the tables over; add each on the coordinator, in this database: select citus_add_node('HOST', 5432).",
      );
    }
  });
}
