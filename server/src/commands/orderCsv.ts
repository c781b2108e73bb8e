import type { Touch } from '@orderbeacon/sdk/contract';
import type { toListedOrder } from '../core/orders/answer/listedOrder.js';
import { fieldNames, fieldsWith } from '../core/orders/fields.js';
import { touchFields } from '../core/orders/receive/touches.js';
import { excelText, inertJson, inertText, toCsv } from '../values/csvCells.js';
import { shownEmail } from '../values/email.js';
import { byteOrderMark } from '../values/text.js';

type ExportedOrder = ReturnType<typeof toListedOrder>;

/** Names of the columns: those that the server fills, then the fields of reports. A new field becomes the last column. */
const names = [
  'id',
  'orderNumber',
  'reportId',
  'keys',
  'sharesIdWith',
  'peopleId',
  'email',
  'paymentStatus',
  'refundedAmount',
  'isTest',
  'reportedBy',
  'createdAt',
  ...fieldNames,
] as const satisfies (keyof ExportedOrder)[];

type Column = { name: (typeof names)[number]; field?: (typeof touchFields)[number] };

/** The columns. A touch has one for each of its fields. */
const columns = names.flatMap((name): Column[] =>
  name === 'firstTouch' || name === 'lastTouch' ? touchFields.map((field) => ({ name, field })) : [{ name }],
);

/** Columns with ids of shops and pages, which Excel would read as numbers or dates. */
const idColumns: ReadonlySet<string> = new Set(['reportId', 'keys', ...fieldsWith('isId')]);

/** Writes the first line of an export, the names of the columns. For Excel, a byte order mark precedes it. */
export function orderCsvHeading(isForExcel = false): string {
  return (
    (isForExcel ? byteOrderMark : '') +
    toCsv([columns.map(({ name, field }) => (field ? `${name}.${field}` : name))])
  );
}

/**
 * Writes one line per order (RFC 4180). `items` and `extra` are JSON. A part of a text that a spreadsheet would run as a
 * formula gets an apostrophe before it.
 * @param isForExcel writes the ids of pages and backends as texts, so that Excel does not change them
 */
export function orderCsvLines(orders: readonly ExportedOrder[], isForExcel = false): string {
  return toCsv(orders.map((order) => cells(order, isForExcel)));
}

function cells(order: ExportedOrder, isForExcel: boolean) {
  return columns.map(({ name, field }) => {
    const value = field ? (order[name] as Touch | null)?.[field] : textOf(order, name);
    if (typeof value === 'object' && value !== null) return inertJson(value);
    if (typeof value !== 'string') return value;
    return isForExcel && idColumns.has(name) ? excelText(value) : inertText(value);
  });
}

function textOf(order: ExportedOrder, name: keyof ExportedOrder) {
  if (name === 'keys') return order.keys.join(' ') || null;
  return name === 'email' && order.email !== null ? shownEmail(order.email) : order[name];
}
