import type { Sql } from '../../database/connection/connect.js';
import { isDatabaseAway } from '../../database/failures.js';
import { inTransaction } from '../../database/inTransaction.js';
import { migrate } from '../../database/migrate.js';
import { type Migration, ownMigrations } from '../../database/migrations.js';
import { isOfBefore, listMigrations, wayFromBefore } from '../../database/schemaState.js';
import type { Table } from '../../database/tables.js';
import { UsageError } from '../command.js';
import type { Backup } from './backupRead.js';
import type { BackupEnd } from './backupSchema.js';
import { claimEmpty, removeInstallation } from './claimEmpty.js';
import { insertRows } from './rows.js';

/** Bounds of one insert: characters and rows. A single row may be longer. */
const batchLength = 1_000_000;
const batchRows = 1000;

/**
 * Fills an empty database from a backup, completely or not at all, and resolves with the row counts of the backup. A new
 * database accepts a backup of an older release: the migrations that the backup names run first, then the rows are
 * inserted, then the later migrations run. The installation's secret is restored too, because people's ids are made with
 * it. Throws `UsageError` when backup and database do not fit. One connection is enough.
 * @param migrations default: those of this build
 */
export async function restoreBackup(
  sql: Sql,
  { header, rows }: Backup,
  onProgress: (rows: number) => void,
  migrations: Migration[] = ownMigrations(),
): Promise<BackupEnd> {
  if (isOfBefore(header.migrations)) {
    throw new UsageError(
      `Release ${header.server} has written this backup, and this release cannot restore it: ${wayFromBefore}.`,
    );
  }
  const unknown = header.migrations.find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown) {
    throw new UsageError(
      `The backup is newer than this release: it was made by ${header.server}, with the migration ${unknown}. Restore it with that release.`,
    );
  }
  await migrate(
    sql,
    migrations.filter(({ name }) => header.migrations.includes(name)),
  );
  const later = (await listMigrations(sql)).find((name) => !header.migrations.includes(name));
  if (later) {
    throw new UsageError(
      `The backup is older than this database, which already has the migration ${later}. Restore it into a new database, before any other command.`,
    );
  }
  const end = await inTransaction(sql, async (tx) => {
    refuseUnlessEmpty(await claimEmpty(tx));
    await removeInstallation(tx);
    return insertAll(tx, { header, rows }, onProgress);
  });
  await migrate(sql, migrations);
  return end;
}

function refuseUnlessEmpty({ connections, teams }: Awaited<ReturnType<typeof claimEmpty>>): void {
  if (connections > 0) {
    throw new UsageError('A server or command has this database open. Stop it first.');
  }
  if (teams > 0) {
    throw new UsageError(
      'This database already has a team. Restore into an empty one: set another DATABASE_URL or ORDERBEACON_DATA_DIR.',
    );
  }
}

async function insertAll(sql: Sql, { header, rows }: Backup, onProgress: (rows: number) => void) {
  let table: Table | undefined;
  let batch: string[] = [];
  let length = 0;
  let total = 0;
  const flush = async () => {
    if (table) await insertRows(sql, table, header.columns[table] ?? [], batch.join(','));
    total += batch.length;
    onProgress(total);
    batch = [];
    length = 0;
  };
  try {
    for (;;) {
      const next = await rows.next();
      const isFull = length >= batchLength || batch.length >= batchRows;
      if (batch.length > 0 && (next.done || next.value.table !== table || isFull)) await flush();
      if (next.done) return next.value;
      table = next.value.table;
      batch.push(next.value.row);
      length += next.value.row.length;
    }
  } catch (error) {
    if (error instanceof UsageError || isDatabaseAway(error)) throw error;
    throw new Error(`Nothing was restored: ${(error as Error).message}.`, { cause: error });
  }
}
