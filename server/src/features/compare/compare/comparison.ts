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

/** Sums of money by currency; of amounts without one under an empty name. */
export type Sums = Record<string, number>;

/** The outcome of a comparison: numbers of orders. */
export interface Comparison {
  /** The recognised export; null for any other file. */
  format: string | null;
  /** The column of each field; null for one that the file has not. */
  columns: Record<FileField, string | null>;
  /** True where the lines of each order were added up. */
  isOfItems: boolean;
  /** Paid orders of the file that could be read. */
  orders: number;
  equal: number;
  missing: number;
  different: number;
  onlyHere: number;
  /** Orders of the file's last day that came here after its last one. It may have been exported before. */
  later: number;
  unread: number;
  /** The money of the orders that are missing or only here, and of the file beyond what is stored. */
  sums: { missing: Sums; different: Sums; onlyHere: Sums };
  /** Missing orders that the file says were refunded, their refunds, and those of which it does not say how much. */
  refunds: { orders: number; sums: Sums; unknown: number };
  /** Rows of orders that were not paid, by the shop's words. At most 20 words; others count as `other`. */
  unpaid: Record<string, number>;
  /** Rows that were left out because nobody knows if their word means paid, in the same form. */
  unknown: Record<string, number>;
  /** Rows of the other world, test or live. */
  otherMode: number;
  /** Rows of refunds, which are not stored, and their money. */
  refundRows: { rows: number; sums: Sums };
  /** Rows that are neither orders nor refunds: fees, payouts, sums. */
  noOrders: number;
  /** The span of the file's dates, in which `onlyHere` was looked for. Null without a limit. */
  since: Date | null;
  until: Date | null;
  /** False where the file has no totals, or no currency. */
  comparesAmounts: boolean;
  comparesCurrencies: boolean;
  /** True if orders cannot be stored before somebody names their currency. */
  lacksCurrency: boolean;
  /** The export to take instead of one without totals. */
  betterExport: string | null;
  /** An order id of each side, where no order of the file is stored and others are. */
  otherIds: { inFile: string; here: string } | null;
}

const statusesAtMost = 20;

/** Returns the outcome of a comparison that has read no row yet. */
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

/** The verdict on a comparison: no difference, some, or none possible because no row was read as a paid order. */
export function judge(
  { orders, missing, different, onlyHere, unread, unknown }: Comparison,
  stored = 0,
): 'same' | 'different' | 'nothing compared' {
  if (orders === 0) return 'nothing compared';
  const isSame = missing === stored && different === 0 && onlyHere === 0 && unread === 0;
  return isSame && Object.keys(unknown).length === 0 ? 'same' : 'different';
}

/** Counts a difference and its money. */
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

/** Counts a row that is no paid order of this world. */
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
  // A number has 15 digits, whatever its size; what is behind them is noise.
  sums[currency ?? ''] = Number(Number(sum.toFixed(8)).toPrecision(15));
}

function countWord(counts: Record<string, number>, status: string): void {
  const word = status.slice(0, 40);
  const isCounted = Object.hasOwn(counts, word) || Object.keys(counts).length < statusesAtMost;
  const name = isCounted && word !== '__proto__' ? word : 'other';
  counts[name] = (counts[name] ?? 0) + 1;
}
