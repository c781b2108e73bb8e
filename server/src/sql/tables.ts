/** Every table but `migration`, each after the tables that its foreign keys name. */
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

/** The name of a table in `tables`. */
export type Table = (typeof tables)[number];
