import type { Touch } from '@orderbeacon/sdk/contract';
import { excelText, inertJson, inertText, toCsv } from '../values/csvCells.js';
import { byteOrderMark } from '../values/text.js';
import type { toListedOrder } from './listedOrder.js';
import { touchFields } from './touches.js';

type ExportedOrder = ReturnType<typeof toListedOrder>;

type TouchColumn = `${'firstTouch' | 'lastTouch'}.${(typeof touchFields)[number]}`;

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
  ...touchColumns('firstTouch'),
  ...touchColumns('lastTouch'),
  'extra',
  'refundedAmount',
] as const satisfies (keyof ExportedOrder | TouchColumn)[];

/** Columns with callers' ids, which Excel would read as numbers or dates. */
const idColumns: readonly string[] = ['orderId', 'reportId', 'idempotencyKey', 'visitorId'];

/** Writes the first line of an export: the names of the columns, after a byte order mark if it is for Excel. */
export function orderCsvHeading(isForExcel = false): string {
  return (isForExcel ? byteOrderMark : '') + toCsv([columns]);
}

/**
 * Writes one line per order (RFC 4180). `items` and `extra` are JSON. A part of a text that a spreadsheet would run as a formula gets an
 * apostrophe before it.
 * @param isForExcel writes the ids of pages and backends as texts, so that Excel does not change them
 */
export function orderCsvLines(orders: readonly ExportedOrder[], isForExcel = false): string {
  return toCsv(orders.map((order) => cells(order, isForExcel)));
}

function touchColumns(touch: 'firstTouch' | 'lastTouch'): TouchColumn[] {
  return touchFields.map((field) => `${touch}.${field}` as const);
}

function cells(order: ExportedOrder, isForExcel: boolean) {
  return columns.map((column) => {
    if (column === 'items' || column === 'extra') return order[column] && inertJson(order[column]);
    const [name, field] = column.split('.') as [keyof ExportedOrder, keyof Touch | undefined];
    const value = field ? order[name as 'firstTouch' | 'lastTouch']?.[field] : order[name];
    if (typeof value !== 'string') return value;
    return isForExcel && idColumns.includes(column) ? excelText(value) : inertText(value);
  });
}
