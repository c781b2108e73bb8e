import { createHash } from 'node:crypto';
import type { Sql } from '../../database/connection/connect.js';
import { listMigrations } from '../../database/schemaState.js';
import { tables, unsavedTables } from '../../database/tables.js';
import type { BackupEnd, BackupHeader } from './backupSchema.js';
import { copyRows, listColumns } from './rows.js';

const lineBreak = 0x0a;
/** The tables that a backup holds. */
export const savedTables = tables.filter((table) => !unsavedTables.includes(table));

/**
 * Yields all data as lines of text and returns what the last line holds. The lines are: the header; for each
 * table its name as a JSON string, then its rows as JSON objects; `"end"`; the row counts with the SHA-256 of
 * everything before. `sql` must be a transaction with one snapshot (repeatable read).
 * @param server the release that writes the backup
 * @param onProgress called with the number of rows written so far
 */
export async function* writeBackup(
  sql: Sql,
  server: string,
  onProgress: (rows: number) => void,
): AsyncGenerator<Buffer, BackupEnd> {
  const digest = createHash('sha256');
  const seen = (bytes: Buffer) => {
    digest.update(bytes);
    return bytes;
  };
  const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);

  const columns: BackupHeader['columns'] = {};
  for (const table of savedTables) columns[table] = await listColumns(sql, table);
  const header: BackupHeader = {
    format: 'orderbeacon-backup',
    version: 1,
    server,
    createdAt: new Date().toISOString(),
    migrations: await listMigrations(sql),
    columns,
  };
  yield seen(line(header));

  const rows: BackupEnd['rows'] = {};
  let total = 0;
  for (const table of savedTables) {
    yield seen(line(table));
    const before = total;
    for await (const bytes of await copyRows(sql, table)) {
      total += countLines(bytes);
      yield seen(bytes);
      onProgress(total);
    }
    rows[table] = total - before;
  }
  yield seen(line('end'));
  const end = { rows, sha256: digest.digest('hex') };
  yield line(end);
  return end;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) lines++;
  return lines;
}
