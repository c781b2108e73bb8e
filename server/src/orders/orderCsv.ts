import { excelText, inertJson, inertText, toCsv } from '../values/csvCells.js';
import { byteOrderMark } from '../values/text.js';
import type { toListedOrder } from './listedOrder.js';

type ExportedOrder = ReturnType<typeof toListedOrder>;

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
  // New columns come last, because some readers count columns.
  'idempotencyKey',
] as const satisfies (keyof ExportedOrder)[];

/** Columns with callers' ids, which Excel would read as numbers or dates. */
const idColumns: readonly string[] = ['orderId', 'reportId', 'idempotencyKey', 'visitorId'];

/** Writes the first line of an export: the names of the columns, after a byte order mark if it is for Excel. */
export function orderCsvHeading(isForExcel = false): string {
  return (isForExcel ? byteOrderMark : '') + toCsv([columns]);
}

/**
 * Writes one line per order (RFC 4180). `items` is JSON. A part of a text that a spreadsheet would run as a formula gets an
 * apostrophe before it.
 * @param isForExcel writes the ids of pages and backends as texts, so that Excel does not change them
 */
export function orderCsvLines(orders: readonly ExportedOrder[], isForExcel = false): string {
  return toCsv(orders.map((order) => cells(order, isForExcel)));
}

function cells(order: ExportedOrder, isForExcel: boolean) {
  return columns.map((column) => {
    if (column === 'items') return order.items && inertJson(order.items);
    const value = order[column];
    if (typeof value !== 'string') return value;
    return isForExcel && idColumns.includes(column) ? excelText(value) : inertText(value);
  });
}
