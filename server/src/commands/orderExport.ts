import { stringify } from 'csv-stringify/sync';
import type { Sql } from '../database/connect.js';
import { readInPieces } from '../database/readInPieces.js';
import type { Uuid } from '../ids.js';
import { listOrders, type OrderFilter } from '../sql/listOrders.js';
import { createWriter } from './createWriter.js';
import { byteOrderMark, excelText, inertText } from './csvCells.js';
import type { ExportOptions } from './exportOptions.js';
import { toListedOrder } from './listedOrder.js';

/** Rows in memory at once. */
export const batchRows = 1000;

const columns = [
  'id',
  'orderNumber',
  'orderId',
  'reportId',
  'peopleId',
  'email',
  'name',
  'amount',
  'currency',
  'paymentStatus',
  'source',
  'items',
  'visitorId',
  'isTest',
  'reportedBy',
  'createdAt',
  // The newest column comes last, for those who count them.
  'idempotencyKey',
] as const satisfies (keyof ReturnType<typeof toListedOrder>)[];

/** What a caller made up, and Excel would take for a number or a date. */
const idColumns: readonly string[] = ['orderId', 'reportId', 'idempotencyKey', 'visitorId'];

/**
 * Writes a team's orders to `out`, the newest first, in batches and no faster than `out` accepts them. In CSV
 * `items` is JSON, and a text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV
 * injection). NDJSON has every value as it is stored.
 * @param options.excel CSV with a byte order mark, and with the ids of pages and backends as text
 * @param onProgress called with the number of orders written so far
 */
export async function exportOrders(
  sql: Sql,
  teamId: Uuid,
  filter: OrderFilter,
  { format, excel = false }: ExportOptions,
  out: NodeJS.WritableStream,
  onProgress: (orders: number) => void,
): Promise<number> {
  const write = createWriter(out);
  if (format === 'csv') await write((excel ? byteOrderMark : '') + toCsv([columns]));
  let written = 0;
  for await (const rows of readInPieces(listOrders(sql, teamId, filter), batchRows)) {
    const orders = rows.map(toListedOrder);
    await write(
      format === 'csv'
        ? toCsv(orders.map((order) => cells(order, excel)))
        : orders.map((order) => `${JSON.stringify(order)}\n`).join(''),
    );
    written += orders.length;
    onProgress(written);
  }
  return written;
}

function cells(order: ReturnType<typeof toListedOrder>, isForExcel: boolean) {
  return columns.map((column) => {
    if (column === 'items') return order.items && JSON.stringify(order.items);
    const value = order[column];
    if (typeof value !== 'string') return value;
    return isForExcel && idColumns.includes(column) ? excelText(value) : inertText(value);
  });
}

/** Lines of CSV (RFC 4180). Texts must have been made inert. */
export function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], { cast: { boolean: String } });
}
