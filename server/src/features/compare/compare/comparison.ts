import { namesOfColumns } from '../read/chooseColumns.js';
import type { FileOrder, ReadRow, Unread } from '../read/fileOrder.js';
import type { FileField } from '../read/knownColumns.js';
import type { OrderFile } from '../read/openOrderFile.js';
import type { ComparedOrder } from './comparedOrders.js';

/** One difference between a file and the stored orders. */
export type Difference =
  | { kind: 'missing'; order: FileOrder }
  | { kind: 'different'; order: FileOrder; here: ComparedOrder }
  | { kind: 'onlyHere'; here: ComparedOrder }
  | { kind: 'unread'; unread: Unread };

/** Sums of money by currency. Amounts without a currency are under the empty string. */
export type Sums = Record<string, number>;

/** The outcome of a comparison: counts of orders, and how the file was read. */
export interface Comparison {
  /** Name of the recognised export; null for any other file. */
  format: string | null;
  /** The head of each field's column; null if the file has no such column. */
  columns: Record<FileField, string | null>;
  /** Set if each order is the sum of its lines. */
  isOfItems: boolean;
  /** Paid orders of the file that could be read. */
  orders: number;
  equal: number;
  missing: number;
  different: number;
  onlyHere: number;
  /**
   * Stored orders of the file's last day that are later than its last order. The file may have been exported before
   * them.
   */
  later: number;
  unread: number;
  /** Money of the orders that are missing or only here. For `different` it is the file's money less the stored money. */
  sums: { missing: Sums; different: Sums; onlyHere: Sums };
  /**
   * Missing orders with a refunded amount in the file, the sums of these refunds, and missing orders with a refund of
   * unknown amount.
   */
  refunds: { orders: number; sums: Sums; unknown: number };
  /** Rows of unpaid orders, counted by the shop's words. At most 20 words; further ones count as `other`. */
  unpaid: Record<string, number>;
  /** Rows left out because the shop's word for their state may or may not mean paid. They are counted by word, as in `unpaid`. */
  unknown: Record<string, number>;
  /** Rows of the other mode, live or test. */
  otherMode: number;
  /** Rows of refunds, which are not stored, and their money. */
  refundRows: { rows: number; sums: Sums };
  /** Rows that are neither orders nor refunds: fees, payouts, sums. */
  noOrders: number;
  /** Start of the span of the file's dates; `until` is its end. `onlyHere` has the stored orders of this span. Null for no limit. */
  since: Date | null;
  until: Date | null;
  /** Set if the file has amounts, so that they were compared; `comparesCurrencies` is the same for currencies. */
  comparesAmounts: boolean;
  comparesCurrencies: boolean;
  /** Set if orders cannot be stored until the user names their currency. */
  lacksCurrency: boolean;
  /** The export that the user should choose instead; null if this one has totals. */
  betterExport: string | null;
  /** One order id of the file and one stored one. Set if no order of the file is stored, but other orders are. */
  otherIds: { inFile: string; here: string } | null;
}

const statusesAtMost = 20;

/** Returns the outcome of a comparison before its first row. */
export function beginComparison({ columns }: Pick<OrderFile, 'columns'>): Comparison {
  return {
    format: columns.format?.name ?? null,
    columns: namesOfColumns(columns),
    isOfItems: columns.isOfItems,
    orders: 0,
    equal: 0,
    missing: 0,
    different: 0,
    onlyHere: 0,
    later: 0,
    unread: 0,
    sums: { missing: {}, different: {}, onlyHere: {} },
    refunds: { orders: 0, sums: {}, unknown: 0 },
    unpaid: {},
    unknown: {},
    otherMode: 0,
    refundRows: { rows: 0, sums: {} },
    noOrders: 0,
    since: null,
    until: null,
    comparesAmounts: columns.at.amount.length > 0,
    comparesCurrencies: columns.currency !== null || columns.at.currency.length > 0,
    lacksCurrency: columns.currency === null && columns.at.currency.length === 0 && !columns.format?.currency,
    betterExport: (columns.at.amount.length === 0 && columns.format?.betterExport) || null,
    otherIds: null,
  };
}

/**
 * Returns the verdict on a comparison: no difference, some, or no row that was read as a paid order.
 * @param stored number of missing orders that were stored since the comparison
 */
export function judge(
  { orders, missing, different, onlyHere, unread, unknown }: Comparison,
  stored = 0,
): 'same' | 'different' | 'nothing compared' {
  if (orders === 0) return 'nothing compared';
  const isSame = missing === stored && different === 0 && onlyHere === 0 && unread === 0;
  return isSame && Object.keys(unknown).length === 0 ? 'same' : 'different';
}

/** Adds a difference and its money to the outcome. */
export function countDifference(comparison: Comparison, found: Difference): void {
  const { sums } = comparison;
  comparison[found.kind]++;
  switch (found.kind) {
    case 'missing':
      addMoney(sums.missing, found.order.currency, Number(found.order.amount));
      countRefund(comparison.refunds, found.order);
      break;
    case 'different': {
      const { order, here } = found;
      if (order.currency !== null && order.currency !== here.currency) {
        addMoney(sums.different, order.currency, Number(order.amount));
        addMoney(sums.different, here.currency, -Number(here.amount));
      } else addMoney(sums.different, here.currency, Number(order.amount) - Number(here.amount));
      break;
    }
    case 'onlyHere':
      addMoney(sums.onlyHere, found.here.currency, Number(found.here.amount));
  }
}

function countRefund(refunds: Comparison['refunds'], { refunded, amount, currency }: FileOrder): void {
  if (refunded === null) return;
  if (refunded === 'some') refunds.unknown++;
  else {
    refunds.orders++;
    addMoney(refunds.sums, currency, Number(refunded === 'all' ? amount : refunded));
  }
}

/** Counts a row that is not a paid order of this mode. */
export function countLeftOut(comparison: Comparison, row: ReadRow): void {
  switch (row.kind) {
    case 'unpaid':
      countWord(row.isUnknown ? comparison.unknown : comparison.unpaid, row.status);
      break;
    case 'otherMode':
      comparison.otherMode++;
      break;
    case 'refund':
      comparison.refundRows.rows++;
      if (row.amount !== null) addMoney(comparison.refundRows.sums, row.currency, Number(row.amount));
      break;
    case 'noOrder':
      comparison.noOrders++;
  }
}

function addMoney(sums: Sums, currency: string | null, amount: number): void {
  const sum = (sums[currency ?? ''] ?? 0) + amount;
  // A number holds 15 digits exactly. Further digits are rounding errors.
  sums[currency ?? ''] = Number(Number(sum.toFixed(8)).toPrecision(15));
}

function countWord(counts: Record<string, number>, status: string): void {
  const word = status.slice(0, 40);
  const isCounted = Object.hasOwn(counts, word) || Object.keys(counts).length < statusesAtMost;
  const name = isCounted && word !== '__proto__' ? word : 'other';
  counts[name] = (counts[name] ?? 0) + 1;
}
