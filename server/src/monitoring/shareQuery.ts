import { type late, withTimeout } from '../values/withTimeout.js';

/**
 * Shares one query among concurrent calls.
 * @param waitMs time that a call waits; the query continues after it
 * @returns resolves with `late` if the query takes longer
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
