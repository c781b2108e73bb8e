import { withTimeout } from '../values/withTimeout.js';

/**
 * Makes the function that refreshes gauges before a scrape: concurrent calls share one query.
 * @param ask must not reject
 * @param waitMs time that a call waits; the query goes on after it, and a scrape of Prometheus has 10 s
 * @returns resolves with `late` when the query goes on
 */
export function shareQuery(ask: () => Promise<void>, waitMs: number): () => Promise<unknown> {
  let query: Promise<void> | undefined;
  return async function refresh() {
    query ??= ask().finally(() => {
      query = undefined;
    });
    return withTimeout(waitMs, query);
  };
}
