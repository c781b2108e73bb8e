import { type late, withTimeout } from '../values/withTimeout.js';

/**
 * Shares one query among concurrent calls.
 * @param waitMs time that a call waits; the query goes on after it
 * @returns resolves with `late` when the query goes on
 */
export function shareQuery<T>(ask: () => Promise<T>, waitMs: number): () => Promise<T | typeof late> {
  let query: Promise<T> | undefined;
  return async function shared() {
    query ??= ask().finally(() => {
      query = undefined;
    });
    return withTimeout(waitMs, query);
  };
}
