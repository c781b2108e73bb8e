import { once } from 'node:events';
import { stringify } from 'csv-stringify/sync';
import type { Sql } from '../database/connect.js';
import { readInPieces } from '../database/readInPieces.js';
import type { Uuid } from '../ids.js';
import { listOrders } from '../sql/listOrders.js';
import { toListedOrder } from './listedOrder.js';

/** The formats of an export. */
export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Rows in memory at once. */
const batchRows = 1000;

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

/**
 * Writes a team's orders to `out`, the newest first, in batches and no faster than `out` accepts them. In CSV
 * `items` is JSON, and a text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV
 * injection). NDJSON has every value as it is stored.
 * @param onProgress called with the number of orders written so far
 */
export async function exportOrders(
  sql: Sql,
  teamId: Uuid,
  format: ExportFormat,
  out: NodeJS.WritableStream,
  onProgress: (orders: number) => void,
): Promise<number> {
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  if (format === 'csv') await write(toCsv([columns]));
  let written = 0;
  for await (const rows of readInPieces(listOrders(sql, teamId), batchRows)) {
    const orders = rows.map(toListedOrder);
    await write(
      format === 'csv'
        ? toCsv(orders.map(cells))
        : orders.map((order) => `${JSON.stringify(order)}\n`).join(''),
    );
    written += orders.length;
    onProgress(written);
  }
  return written;
}

function cells(order: ReturnType<typeof toListedOrder>) {
  return columns.map((column) =>
    column === 'items' ? order.items && JSON.stringify(order.items) : order[column],
  );
}

function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], { escape_formulas: true, cast: { boolean: String } });
}
