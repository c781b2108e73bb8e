/** Every table except `migration`, in the order of the schema: each comes after the tables that its foreign keys reference. */
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

export type Table = (typeof tables)[number];

/**
 * Tables that a backup leaves out. A restore must not revive sessions that were revoked since. What can be taken back for a day is
 * older by then. Sums are computed again.
 */
export const unsavedTables: readonly Table[] = [
  'console_link',
  'console_session',
  'compare_press',
  'summed_day',
  'order_day',
  'order_origin_day',
];
