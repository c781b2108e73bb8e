import { repeat } from '../values/repeat.js';
import type { Sql } from './connection/connect.js';

/** Clock of a server: the time of its database, in milliseconds since 1970. */
export interface Clock {
  nowMs(): number;
  /** Time for the ids of new orders. Never goes back, because sums of orders take ids for the order of storing. */
  idMs(): number;
  stop(): void;
}

/** A clock drifts by less than 10 ms meanwhile, and one that was set is followed then. */
const everyMs = 60_000;

/** One of them is in time: the first waits for the connection, and a busy machine may hold up another. */
const readingsAtStart = 3;

/** Taken once: who stops the time of a queue in this process, as a test does, does not set the clocks of its servers. */
const sinceStartMs = performance.now.bind(performance);

/** Reads the database's time, in milliseconds since 1970. */
export async function readTime(sql: Sql): Promise<number> {
  // As a numeric, because a pooler may keep extra_float_digits from being set, and the setting rounds floats.
  const [{ ms }] = await sql<[{ ms: string }]>`/* readTime */
    select extract(epoch from clock_timestamp()) * 1000 as ms`;
  return Number(ms);
}

/**
 * Starts the clock of a server. All servers of a database share its clock, so that a machine whose clock is wrong gives no
 * order a wrong time. Between two readings this machine's monotonic clock goes on, so that setting its clock does nothing.
 */
export async function startClock(sql: Sql, monotonicMs = sinceStartMs): Promise<Clock> {
  /** The database's time less the monotonic time. A delayed reading makes it too small by the delay. */
  let aheadMs = Number.NEGATIVE_INFINITY;
  let lastIdMs = 0;
  const nowMs = () => Math.floor(monotonicMs() + aheadMs);

  /** The database was asked between sending and receiving. A time in between needs no correction. */
  async function correct(): Promise<void> {
    const sentMs = monotonicMs();
    const ms = await readTime(sql);
    const receivedMs = monotonicMs();
    aheadMs = Math.min(Math.max(aheadMs, ms - receivedMs), ms - sentMs);
  }

  for (let reading = 0; reading < readingsAtStart; reading++) await correct();
  const stop = repeat(everyMs, correct, { onFault: () => {} });
  return {
    nowMs,
    idMs() {
      lastIdMs = Math.max(lastIdMs, nowMs());
      return lastIdMs;
    },
    stop: () => void stop(),
  };
}
