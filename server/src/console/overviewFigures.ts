import type { Bucket, OrderCountRow } from './sql/countOrders.js';

/** The ways in which an order was reported, in the order in which they are stacked. */
export const reporters = [
  { reportedBy: 'browser', title: 'Page' },
  { reportedBy: 'key', title: 'Key' },
  { reportedBy: 'both', title: 'Both' },
] as const;

/** What one bucket has of one way of reporting. */
export interface Figure {
  orders: number;
  /** The money in the currency that is shown, as exact text; `0` where orders are counted. */
  amount: string;
}

/** The figures of the overview. */
export interface Figures {
  orders: number;
  /** Money by currency as exact text, the most orders first. */
  money: { currency: string; orders: number; amount: string }[];
  /** Orders by way of reporting, in the order of `reporters`. */
  byReporter: number[];
  /** For each bucket one figure per way of reporting, in the order of `reporters`. */
  buckets: { from: Date; figures: Figure[] }[];
}

/**
 * Adds up what the database has counted.
 * @param currency the currency whose money the buckets hold
 */
export function addUp(buckets: readonly Bucket[], rows: readonly OrderCountRow[], currency: string): Figures {
  const money = new Map<string, { orders: number; amounts: string[] }>();
  const figures = buckets.map(({ from }) => ({
    from,
    figures: reporters.map((): Figure => ({ orders: 0, amount: '0' })),
  }));
  for (const row of rows) {
    const sum = money.get(row.currency) ?? { orders: 0, amounts: [] };
    sum.orders += row.orders;
    sum.amounts.push(row.amount);
    money.set(row.currency, sum);
    const at = reporters.findIndex(({ reportedBy }) => reportedBy === row.reportedBy);
    const figure = figures[row.bucket]!.figures[at]!;
    figure.orders += row.orders;
    if (row.currency === currency) figure.amount = addExactly([figure.amount, row.amount]);
  }
  const sums = [...money].map(([currency, { orders, amounts }]) => ({
    currency,
    orders,
    amount: addExactly(amounts),
  }));
  const byReporter = reporters.map((_, at) =>
    figures.reduce((total, { figures }) => total + figures[at]!.orders, 0),
  );
  return {
    orders: byReporter.reduce((total, orders) => total + orders, 0),
    money: sums.sort((a, b) => b.orders - a.orders || a.currency.localeCompare(b.currency)),
    byReporter,
    buckets: figures,
  };
}

/** The figure of all ways of reporting. */
export function together(figures: readonly Figure[]): Figure {
  return {
    orders: figures.reduce((sum, { orders }) => sum + orders, 0),
    amount: addExactly(figures.map(({ amount }) => amount)),
  };
}

/** Adds decimal texts without rounding. */
export function addExactly(amounts: readonly string[]): string {
  const digits = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const total = amounts.reduce((sum, amount) => {
    const [whole, fraction = ''] = amount.split('.');
    return sum + BigInt(whole! + fraction.padEnd(digits, '0'));
  }, 0n);
  if (digits === 0) return String(total);
  const text = String(total).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
