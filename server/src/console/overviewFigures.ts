import type { Bucket } from './buckets.js';
import type { OrderFigureRow } from './sql/orderFigures.js';

/** The ways in which an order was reported, in the order in which they are stacked. */
export const reporters = [
  { reportedBy: 'browser', title: 'Page' },
  { reportedBy: 'key', title: 'Key' },
  { reportedBy: 'both', title: 'Both' },
] as const;

/** Number of orders, and their money in the shown currency as exact text, `0` without one. */
export type Figure = Pick<OrderFigureRow, 'orders' | 'amount'>;

/** The figures of the overview. */
export interface Figures {
  orders: number;
  /** Money of up to ten currencies as exact text, the most orders first. */
  money: { currency: string; amount: string }[];
  /** Number of the other currencies, and of their orders. */
  others: { currencies: number; orders: number };
  /** Orders by way of reporting, in the order of `reporters`. */
  byReporter: number[];
  /** For each bucket one figure per way of reporting, in the order of `reporters`, and one of all. */
  buckets: { from: Date; figures: Figure[]; together: Figure }[];
}

/** Arranges the rows of the database for the overview. */
export function arrangeFigures(buckets: readonly Bucket[], rows: readonly OrderFigureRow[]): Figures {
  const find = (bucket: number | null, reportedBy: OrderFigureRow['reportedBy']): Figure =>
    rows.find((row) => row.currency === null && row.bucket === bucket && row.reportedBy === reportedBy) ?? {
      orders: 0,
      amount: '0',
    };
  return {
    orders: find(null, null).orders,
    money: rows.flatMap(({ currency, amount }) => (currency ? [{ currency, amount }] : [])),
    others: rows.find(({ currency }) => currency === '') ?? { currencies: 0, orders: 0 },
    byReporter: reporters.map(({ reportedBy }) => find(null, reportedBy).orders),
    buckets: buckets.map(({ from }, bucket) => ({
      from,
      figures: reporters.map(({ reportedBy }) => find(bucket, reportedBy)),
      together: find(bucket, null),
    })),
  };
}
