import type { BucketFigures } from './overviewFigures.js';

/** The names of the overview's figures. */
export const titles = {
  orders: 'Orders',
  gross: 'Gross',
  refunded: 'Refunded',
  net: 'Net',
  average: 'Average order',
  confirmed: 'Confirmed',
} as const;

/** Figures that have a course over time. Refunds are added up for the whole range alone. */
export const charted = ['orders', 'gross', 'average', 'confirmed'] as const satisfies (keyof typeof titles)[];
/** One of them. */
export type Charted = (typeof charted)[number];

/** A figure of one bucket, as it is drawn: of what a backend confirmed, and of what a page alone reported. */
export const drawn: Record<Charted, (bucket: BucketFigures) => number[]> = {
  orders: ({ confirmed, browser }) => [confirmed.orders, browser.orders],
  gross: ({ confirmed, browser }) => [Number(confirmed.amount), Number(browser.amount)],
  average: ({ together }) => [together.inCurrency === 0 ? 0 : Number(together.amount) / together.inCurrency],
  confirmed: ({ confirmed, together }) => [together.orders === 0 ? 0 : confirmed.orders / together.orders],
};
