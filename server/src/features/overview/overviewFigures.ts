import type { Span } from '../../console/parts/range.js';
import type { OrderFigureRow } from './sql/readFigures.js';

/** Number of orders in all currencies, and the money of those in the shown currency, as an exact decimal. */
export interface Figure {
  orders: number;
  amount: string;
  /** Orders in the shown currency. */
  inCurrency: number;
}

/** Figures of one bucket: orders that a backend reported, orders that only a page reported, and all orders. */
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
  /** The currency whose money the buckets have; empty without orders. */
  currency: string;
  /** Money of up to ten currencies as exact decimals, sorted by number of orders. */
  money: { currency: string; orders: number; amount: string }[];
  /** Number of the other currencies, and of their orders. */
  others: { currencies: number; orders: number };
  buckets: BucketFigures[];
}

const noFigure = { orders: 0, amount: '0', inCurrency: 0 };

/** Arranges the rows of the database for the overview. */
export function arrangeFigures(
  buckets: readonly Span[],
  rows: readonly OrderFigureRow[],
  currency = '',
): Figures {
  const find = (bucket: number | null, isConfirmed: boolean | null): Figure =>
    rows.find((row) => row.currency === null && row.bucket === bucket && row.isConfirmed === isConfirmed) ??
    noFigure;
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

/** The names of the overview's figures. */
export const titles = {
  orders: 'Orders',
  gross: 'Gross',
  refunded: 'Refunded',
  net: 'Net',
  average: 'Average order',
  confirmed: 'Confirmed',
} as const;

/** Figures with a chart. Refunds are not among them, because they are summed only for the whole range. */
export const charted = ['orders', 'gross', 'average', 'confirmed'] as const satisfies (keyof typeof titles)[];
/** One of `charted`. */
export type Charted = (typeof charted)[number];

/**
 * Returns the values that the chart draws for one bucket. A pair is what a backend confirmed, and what only a page
 * reported.
 */
export const drawn: Record<Charted, (bucket: BucketFigures) => number[]> = {
  orders: ({ confirmed, browser }) => [confirmed.orders, browser.orders],
  gross: ({ confirmed, browser }) => [Number(confirmed.amount), Number(browser.amount)],
  average: ({ together }) => [together.inCurrency === 0 ? 0 : Number(together.amount) / together.inCurrency],
  confirmed: ({ confirmed, together }) => [together.orders === 0 ? 0 : confirmed.orders / together.orders],
};
