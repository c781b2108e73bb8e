import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../../commands/command.js';
import { type Table, tables } from '../../database/tables.js';
import { type BackupHeader, backupHeaderSchema } from './backupSchema.js';

/** A backup whose header has been read. */
export interface Backup {
  header: BackupHeader;
  /**
   * Yields the rows in the order of the file. Throws `UsageError` if the file is incomplete or damaged. Only the end of
   * the file shows that, so the caller must then roll all rows back.
   */
  rows: AsyncGenerator<{ table: Table; row: string }, void>;
}

const lineBreak = 0x0a;

/** Opens a gzip file that `writeBackup` made. Throws `UsageError` if it cannot be read or is not a backup. */
export async function openBackup(path: string): Promise<Backup> {
  const lines = readLines(path);
  const refuse = () => new UsageError(`${path} is damaged or incomplete; nothing was restored.`);

  async function next(): Promise<string> {
    const { value, done } = await lines.next();
    if (done) throw refuse();
    return value.toString();
  }

  async function* rows(): Backup['rows'] {
    let section = parse(await next());
    while (section !== 'end') {
      const table = tables.find((name) => name === section);
      if (!table) throw refuse();
      let line = await next();
      for (; line.startsWith('{'); line = await next()) yield { table, row: line };
      section = parse(line);
    }
    // Reading past the last line makes gunzip check gzip's checksum, which covers all rows.
    if (!(await lines.next()).done) throw refuse();
  }

  const first = await lines.next();
  const header = backupHeaderSchema.safeParse(parse(first.value?.toString() ?? ''));
  if (!header.success) {
    await lines.return();
    throw new UsageError(`${path} is not a backup that this version of Orderbeacon can read.`);
  }
  return { header: header.data, rows: rows() };
}

/** Parses JSON; null if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Yields the lines of a gzip file, each with its line break. Drops a last line without a line break. */
async function* readLines(path: string): AsyncGenerator<Buffer, void> {
  // The loop below throws errors of the pipe, so the callback has nothing to do.
  const text: AsyncIterable<Buffer> = pipeline(createReadStream(path), createGunzip(), () => {});
  let begun: Buffer[] = [];
  try {
    for await (const bytes of text) {
      let start = 0;
      for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, start)) {
        yield Buffer.concat([...begun, bytes.subarray(start, at + 1)]);
        begun = [];
        start = at + 1;
      }
      begun.push(bytes.subarray(start));
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall) throw new UsageError(`Cannot read ${path}: ${code}.`);
    if (!code?.startsWith('Z_')) throw error;
    throw new UsageError(`${path} is not a complete gzip file; nothing was restored.`);
  }
}
