import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../database/connection/connect.js';
import { readUnread } from './readUnread.js';
import type { RefusedBounds } from './refusedBounds.js';
import { rollHours } from './rollHours.js';

const everyMs = 10_000;

/**
 * Does in the background, every 10 s, what keeping a report leaves undone, and what a server of release 0.2.0 did not do.
 * Returns a function that stops this. After a failure the next attempt is 10 s later.
 */
export function startCatchingUp(sql: Sql, bounds: Pick<RefusedBounds, 'places'>): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  void run();
  return () => stopping.abort();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await readUnread(sql, bounds).catch(() => {});
      await rollHours(sql).catch(() => {});
      await delay(everyMs, undefined, { ref: false, signal }).catch(() => {});
    }
  }
}
