import type { Sql } from '../../database/connection/connect.js';
import { listMigrations } from '../../database/schemaState.js';
import { type Table, tables, unsavedTables } from '../../database/tables.js';
import { version } from '../../values/version.js';
import type { BackupHeader } from './backupSchema.js';
import { copyRows, listColumns } from './rows.js';

const lineBreak = 0x0a;
/** The tables that a backup contains. */
const savedTables = tables.filter((table) => !unsavedTables.includes(table));

/**
 * Yields all data as lines of text: the header; for each table, its name as a JSON string and its rows as JSON objects;
 * `"end"`. `sql` must be a transaction with one snapshot (repeatable read).
 * @param onRows called with the number of rows of a table so far
 */
export async function* writeBackup(
  sql: Sql,
  onRows: (table: Table, rows: number) => void,
): AsyncGenerator<Buffer> {
  const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);
  const columns: BackupHeader['columns'] = {};
  for (const table of savedTables) columns[table] = await listColumns(sql, table);
  const header: BackupHeader = {
    format: 'orderbeacon-backup',
    version: 1,
    server: version,
    createdAt: new Date().toISOString(),
    migrations: await listMigrations(sql),
    columns,
  };
  yield line(header);
  for (const table of savedTables) {
    yield line(table);
    let rows = 0;
    onRows(table, rows);
    for await (const bytes of await copyRows(sql, table)) {
      rows += countLines(bytes);
      yield bytes;
      onRows(table, rows);
    }
  }
  yield line('end');
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) lines++;
  return lines;
}
