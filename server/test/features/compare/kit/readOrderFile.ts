import { namesOfColumns } from '../../../../src/features/compare/read/chooseColumns.js';
import type { ReadOptions, ReadRow } from '../../../../src/features/compare/read/fileOrder.js';
import { openOrderFile } from '../../../../src/features/compare/read/openOrderFile.js';
import { openCsv } from '../../../../src/values/csvFile.js';

/** The time at which a file is read. */
export const fileNowMs = Date.parse('2026-11-22T12:00:00Z');

async function* piecesOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Opens a file that arrives in pieces of seven bytes, so that most characters of several bytes are cut. */
export async function openFile(content: string | Buffer, options: Partial<ReadOptions> = {}, size = 7) {
  const file = await openOrderFile(await openCsv(piecesOf(Buffer.from(content), size)), {
    columns: {},
    decimal: null,
    dateOrder: null,
    zone: 'UTC',
    alsoPaid: new Set(),
    isTest: false,
    nowMs: fileNowMs,
    ...options,
  });
  const rows: ReadRow[] = [];
  for await (const row of file.rows) rows.push(row);
  return { format: file.columns.format?.name ?? null, columns: namesOfColumns(file.columns), rows };
}

/** Reads the rows of a file in a short form. */
export async function readFileRows(content: string | Buffer, options: Partial<ReadOptions> = {}) {
  const { format, rows } = await openFile(content, options);
  return {
    format,
    rows: rows.map((row) => {
      if (row.kind === 'unread') return `line ${row.unread.line}: ${row.unread.message}`;
      if (row.kind === 'unpaid') return `${row.isUnknown ? 'unknown' : 'unpaid'} ${row.status}`;
      if (row.kind !== 'order') return row.kind;
      const { orderId, keys, amount, currency, email, name, createdMs, source } = row.order;
      const date = createdMs === null ? null : new Date(createdMs).toISOString();
      return [orderId, keys.join('+') || null, amount, currency, email, name, date, source ?? 'MANUAL']
        .filter((value) => value !== null)
        .join(' ');
    }),
  };
}
