/** Loads that strangers, and people, keys and sources of another team, can put on a server. */
export const doingNames = [
  'downloads of orders.csv',
  'a file to compare without a line end, byte by byte',
  'overviews of 10,000 currencies by eighty people',
  'bodies of 63,000 pieces of a byte, five a second',
  'signed events of 1 MiB, eight at a time',
  'an order of 500 refunds, read by key and in four tabs',
  '10,500 idle connections',
  'the API document on 200 connections',
  'fifty live pages, and a file that drips in',
] as const;

/** A load, and the access that it uses. */
export interface Doing {
  url: string;
  what: (typeof doingNames)[number];
  /** The cookie of a signed-in browser, and the URL of its team's console. */
  cookie: string;
  home: string;
  /** An API key of that team, and the number of an order with as many refunds as one may have. */
  key: string;
  order: string;
  /** A Stripe source of that team. */
  source: { path: string; secret: string };
}
