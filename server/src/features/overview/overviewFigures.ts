import type { Span } from '../../console/parts/range.js';
import type { OrderFigureRow } from './sql/orderFigures.js';

/** Orders of all currencies, and the money of those in the shown one, as exact text. */
export interface Figure {
  orders: number;
  amount: string;
  /** Orders in the shown currency. */
  inCurrency: number;
}

/** The figures of one bucket: of orders that a backend reported, of those that a page alone did, and of all. */
export interface BucketFigures {
  from: Date;
  confirmed: Figure;
  browser: Figure;
  together: Figure;
}

/** The figures of a range. */
export interface Figures {
  orders: number;
  /** Orders that a backend reported. */
  confirmed: number;
  /** The currency whose money the buckets have; empty where nobody ordered. */
  currency: string;
  /** Money of up to ten currencies as exact text, the most orders first. */
  money: { currency: string; orders: number; amount: string }[];
  /** Number of the other currencies, and of their orders. */
  others: { currencies: number; orders: number };
  buckets: BucketFigures[];
}

const none = { orders: 0, amount: '0', inCurrency: 0 };

/** Arranges the rows of the database for the overview. */
export function arrangeFigures(
  buckets: readonly Span[],
  rows: readonly OrderFigureRow[],
  currency = '',
): Figures {
  const find = (bucket: number | null, isConfirmed: boolean | null): Figure =>
    rows.find((row) => row.currency === null && row.bucket === bucket && row.isConfirmed === isConfirmed) ??
    none;
  const money = rows.flatMap(({ currency, orders, amount }) =>
    currency ? [{ currency, orders, amount }] : [],
  );
  return {
    orders: find(null, null).orders,
    confirmed: find(null, true).orders,
    currency: currency || (money[0]?.currency ?? ''),
    money,
    others: rows.find(({ currency }) => currency === '') ?? { currencies: 0, orders: 0 },
    buckets: buckets.map(({ from }, bucket) => ({
      from,
      confirmed: find(bucket, true),
      browser: find(bucket, false),
      together: find(bucket, null),
    })),
  };
}
