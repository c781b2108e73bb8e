/** Every table but `migration`, each after the tables that its foreign keys name. */
export const tables = [
  'installation',
  'team',
  'api_key',
  'domain',
  'source',
  'signing_key',
  'product',
  'sequence',
  'person',
  'subscription',
  'placed_order',
  'order_key',
  'refund',
  'console_link',
  'console_session',
  'order_count',
  'order_count_range',
  'order_count_stale',
  'order_sum',
  'order_origin_sum',
  'order_day_sum',
  'order_origin_day_sum',
  'order_sum_range',
  'refused_report',
  'refused_count',
  'sdk_seen',
  'source_event',
  'hook',
  'hook_delivery',
  'hook_watch',
  'hook_refused',
] as const;

/** The name of a table in `tables`. */
export type Table = (typeof tables)[number];

/** Tables that a backup leaves out: a restore must not revive sessions that were revoked since, and sums are computed again. */
export const unsavedTables: readonly Table[] = [
  'console_link',
  'console_session',
  'order_count',
  'order_count_range',
  'order_count_stale',
  'order_sum',
  'order_origin_sum',
  'order_day_sum',
  'order_origin_day_sum',
  'order_sum_range',
  'sdk_seen',
  'source_event',
];
