/** Every table but `migration`, in the order of the schema, so each after the tables that its foreign keys name. */
export const tables = [
  'installation',
  'team',
  'api_key',
  'signing_key',
  'domain',
  'person',
  'sequence',
  'subscription',
  'product',
  'placed_order',
  'found_order',
  'order_key',
  'order_repeat',
  'statement',
  'refund',
  'refused_report',
  'refused_count',
  'source',
  'source_event',
  'hook',
  'hook_delivery',
  'hook_watch',
  'hook_refused',
  'console_link',
  'console_session',
  'compare_press',
  'summed_day',
  'order_day',
  'order_origin_day',
] as const;

/** The name of a table in `tables`. */
export type Table = (typeof tables)[number];

/**
 * Tables that a backup leaves out: a restore must not revive sessions that were revoked since, what can be taken back for a day
 * is older by then, and sums are computed again.
 */
export const unsavedTables: readonly Table[] = [
  'console_link',
  'console_session',
  'compare_press',
  'summed_day',
  'order_day',
  'order_origin_day',
];
