import { dayMs } from '../values/timeUnits.js';
import type { ComparedOrder } from './comparedOrders.js';
import type { FileOrder, OrderFile, Unread } from './fileOrders.js';

/** One difference between a file and the stored orders. */
export type Difference =
  | { kind: 'missing'; order: FileOrder }
  | { kind: 'different'; order: FileOrder; here: ComparedOrder }
  | { kind: 'onlyHere'; here: ComparedOrder }
  | { kind: 'unread'; unread: Unread };

/** The outcome of a comparison: numbers of orders. */
export interface Comparison {
  /** The recognised export; null where its columns were named. */
  format: string | null;
  /** Paid orders of the file that could be read. */
  orders: number;
  equal: number;
  missing: number;
  different: number;
  onlyHere: number;
  unread: number;
  /** Rows of orders that were not paid, by the shop's words. At most 20 words; others count as `other`. */
  unpaid: Record<string, number>;
  /** Rows of the other world, test or live. */
  otherMode: number;
  /** The span of the file's dates, in which `onlyHere` was looked for. Null without a limit. */
  since: Date | null;
  until: Date | null;
  /** False where the file has no totals, or no currency. */
  comparesAmounts: boolean;
  comparesCurrencies: boolean;
  /** An order id of each side, where no order of the file is stored and others are. */
  otherIds: { inFile: string; here: string } | null;
}

const statusesAtMost = 20;

/** Returns the outcome of a comparison that has read no row yet. */
export function beginComparison(columns: OrderFile['columns']): Comparison {
  return {
    format: columns.format?.name ?? null,
    orders: 0,
    equal: 0,
    missing: 0,
    different: 0,
    onlyHere: 0,
    unread: 0,
    unpaid: {},
    otherMode: 0,
    since: null,
    until: null,
    comparesAmounts: columns.places.amount.length > 0,
    comparesCurrencies: columns.currency !== null || columns.places.currency.length > 0,
    otherIds: null,
  };
}

/** True where a comparison found nothing to look at, apart from orders that have been stored meanwhile. */
export function isSame({ missing, different, onlyHere, unread }: Comparison, stored = 0): boolean {
  return missing === stored && different === 0 && onlyHere === 0 && unread === 0;
}

/** True for a file of orders of which none counts as paid, as where the shop's words for paid are not known. */
export function isNonePaid({ orders, unpaid }: Comparison): boolean {
  return orders === 0 && Object.keys(unpaid).length > 0;
}

/** Widens the span of dates to those of an order. */
export function widen(span: Pick<Comparison, 'since' | 'until'>, { createdMs, isDay }: FileOrder): void {
  if (createdMs === null) return;
  const endMs = createdMs + (isDay ? dayMs : 1);
  if (span.since === null || createdMs < span.since.getTime()) span.since = new Date(createdMs);
  if (span.until === null || endMs > span.until.getTime()) span.until = new Date(endMs);
}

/** Counts a row of an order that was not paid, by the shop's word for it. */
export function countUnpaid(unpaid: Record<string, number>, status: string): void {
  const word = status.slice(0, 40);
  const isCounted = Object.hasOwn(unpaid, word) || Object.keys(unpaid).length < statusesAtMost;
  const name = isCounted && word !== '__proto__' ? word : 'other';
  unpaid[name] = (unpaid[name] ?? 0) + 1;
}
