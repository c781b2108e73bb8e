/** Every table that holds data, which is all but `migration`; each after those that its foreign keys name. */
export const tables = [
  'installation',
  'team',
  'api_key',
  'domain',
  'product',
  'sequence',
  'person',
  'subscription',
  'placed_order',
] as const;

/** The name of a table that holds data. */
export type Table = (typeof tables)[number];
