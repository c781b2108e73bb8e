import { reporters } from '../orders/reporterWords.js';
import type { OrderFigureRow } from '../sql/orderFigures.js';
import type { Span } from './buckets.js';

/** Number of orders, and their money in the shown currency as exact text, `0` without one. */
export type Figure = Pick<OrderFigureRow, 'orders' | 'amount'>;

/** The figures of one bucket. */
export interface BucketFigures {
  from: Date;
  figures: Figure[];
  together: Figure;
}

/** The figures of the overview. */
export interface Figures {
  orders: number;
  /** Money of up to ten currencies as exact text, the most orders first. */
  money: { currency: string; orders: number; amount: string }[];
  /** Number of the other currencies, and of their orders. */
  others: { currencies: number; orders: number };
  /** Orders by way of reporting, in the order of `reporters`. */
  byReporter: number[];
  /** For each bucket one figure per way of reporting, in the order of `reporters`, and one of all. */
  buckets: BucketFigures[];
}

/** The figures of the period before that the overview's are compared with. */
export type FiguresBefore = Pick<Figures, 'orders' | 'money' | 'others' | 'byReporter'>;

/** Arranges the rows of the database for the overview. */
export function arrangeFigures(buckets: readonly Span[], rows: readonly OrderFigureRow[]): Figures {
  const find = (bucket: number | null, reportedBy: OrderFigureRow['reportedBy']): Figure =>
    rows.find((row) => row.currency === null && row.bucket === bucket && row.reportedBy === reportedBy) ?? {
      orders: 0,
      amount: '0',
    };
  return {
    orders: find(null, null).orders,
    money: rows.flatMap(({ currency, orders, amount }) => (currency ? [{ currency, orders, amount }] : [])),
    others: rows.find(({ currency }) => currency === '') ?? { currencies: 0, orders: 0 },
    byReporter: reporters.map(({ reportedBy }) => find(null, reportedBy).orders),
    buckets: buckets.map(({ from }, bucket) => ({
      from,
      figures: reporters.map(({ reportedBy }) => find(bucket, reportedBy)),
      together: find(bucket, null),
    })),
  };
}
