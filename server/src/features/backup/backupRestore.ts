import { UsageError } from '../../commands/command.js';
import type { Sql } from '../../database/connection/connect.js';
import { isDatabaseAway } from '../../database/failures.js';
import { inTransaction } from '../../database/inTransaction.js';
import { migrate } from '../../database/migrate.js';
import { type Migration, ownMigrations } from '../../database/migrations.js';
import { isOfBefore, listMigrations, wayFromBefore } from '../../database/schemaState.js';
import type { Table } from '../../database/tables.js';
import type { Backup } from './backupRead.js';
import { claimEmpty } from './claimEmpty.js';
import { insertRows } from './rows.js';

/** Limits of one insert: characters and rows. A single row may be longer. */
const batchLength = 1_000_000;
const batchRows = 1000;

/**
 * Fills an empty database from a backup, completely or not at all. Resolves with the number of rows of each table.
 *
 * A new database accepts a backup of an older release: the backup's migrations run first, then the rows are inserted,
 * and then the later migrations run. The installation's secret is restored, too, because people's ids are made from it.
 * Throws `UsageError` if the backup does not fit the database. One connection is enough.
 * @param migrations default: those of this build
 */
export async function restoreBackup(
  sql: Sql,
  { header, rows }: Backup,
  onProgress: (rows: number) => void,
  migrations: Migration[] = ownMigrations(),
): Promise<Record<string, number>> {
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
  const inserted = await inTransaction(sql, async (tx) => {
    await claimEmpty(tx);
    return insertAll(tx, { header, rows }, onProgress);
  });
  await migrate(sql, migrations);
  return inserted;
}

async function insertAll(sql: Sql, { header, rows }: Backup, onProgress: (rows: number) => void) {
  let table: Table | undefined;
  let batch: string[] = [];
  let length = 0;
  let total = 0;
  const inserted: Record<string, number> = Object.fromEntries(
    Object.keys(header.columns).map((name) => [name, 0]),
  );
  const flush = async () => {
    if (!table || batch.length === 0) return;
    await insertRows(sql, table, header.columns[table] ?? [], batch.join(','));
    inserted[table] = (inserted[table] ?? 0) + batch.length;
    total += batch.length;
    onProgress(total);
    batch = [];
    length = 0;
  };
  try {
    for await (const next of rows) {
      if (next.table !== table || length >= batchLength || batch.length >= batchRows) await flush();
      table = next.table;
      batch.push(next.row);
      length += next.row.length;
    }
    await flush();
    return inserted;
  } catch (error) {
    if (error instanceof UsageError || isDatabaseAway(error)) throw error;
    throw new Error(`Nothing was restored: ${(error as Error).message}.`, { cause: error });
  }
}
