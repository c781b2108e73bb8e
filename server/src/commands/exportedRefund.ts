import type { ExportedRefundRow } from '../core/refunds/sql/exportRefunds.js';
import { excelText, inertText, toCsv } from '../values/csvCells.js';
import { encodeId } from '../values/ids.js';
import { byteOrderMark } from '../values/text.js';

/** Turns a stored refund into the form of exports. */
export function toExportedRefund(row: ExportedRefundRow) {
  const { day, createdAt, refundId, amount, currency, counted, orderCurrency, reason } = row;
  const { orderId, orderNumber, placedOrderId, isTest } = row;
  return {
    day,
    createdAt: createdAt.toISOString(),
    refundId,
    amount: Number(amount),
    currency,
    countedAmount: Number(counted),
    orderCurrency,
    reason,
    orderId,
    orderNumber,
    order: encodeId('ord', placedOrderId),
    isTest,
  };
}

type ExportedRefund = ReturnType<typeof toExportedRefund>;

const columns = [
  'day',
  'createdAt',
  'refundId',
  'amount',
  'currency',
  'countedAmount',
  'orderCurrency',
  'reason',
  'orderId',
  'orderNumber',
  'order',
  'isTest',
] as const satisfies (keyof ExportedRefund)[];

/** Columns with ids of shops, which Excel would read as numbers or dates. */
const idColumns: ReadonlySet<string> = new Set(['refundId', 'orderId']);

/** Writes the first line of a file of refunds. For spreadsheets, a byte order mark precedes it. */
export function refundCsvHeading(isForSpreadsheet = false): string {
  return (isForSpreadsheet ? byteOrderMark : '') + toCsv([columns]);
}

/**
 * Writes one line per refund (RFC 4180). No text of it is run by a spreadsheet.
 * @param isForExcel writes ids of shops as texts, so that Excel does not change them
 */
export function refundCsvLines(refunds: readonly ExportedRefund[], isForExcel = false): string {
  return toCsv(
    refunds.map((refund) =>
      columns.map((name) => {
        const value = refund[name];
        if (typeof value !== 'string') return value;
        return isForExcel && idColumns.has(name) ? excelText(value) : inertText(value);
      }),
    ),
  );
}
