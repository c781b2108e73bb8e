import { repeat } from '../values/repeat.js';
import type { Sql } from './connection/connect.js';

/** The clock of a server: the time of its database, in milliseconds since 1970. */
export interface Clock {
  nowMs(): number;
  /**
   * Time for the ids of new orders. It never goes back, because sums of orders rely on ids being in the order of storing.
   * @param readMs what `nowMs` returned; default: the time now
   */
  idMs(readMs?: number): number;
  stop(): void;
}

/**
 * Time between two readings. A clock drifts by less than 10 ms in it. If the database's clock was set, the next reading follows it.
 */
const everyMs = 60_000;

/** Readings at the start, so that one is accurate: the first waits for the connection, and a busy machine may delay another. */
const readingsAtStart = 3;

/**
 * The monotonic time of this process. It is bound once, so that a test which fakes `performance.now` for a queue does not change
 * the clocks of its servers.
 */
const sinceStartMs = performance.now.bind(performance);

/** Reads the database's time, in milliseconds since 1970. */
export async function readTime(sql: Sql): Promise<number> {
  // As a numeric, because a pooler may prevent setting extra_float_digits, which rounds floats.
  const [{ ms }] = await sql<[{ ms: string }]>`/* readTime */
    select extract(epoch from clock_timestamp()) * 1000 as ms`;
  return Number(ms);
}

/**
 * Starts the clock of a server. All servers of a database share the database's clock, so that a machine with a wrong clock gives no
 * order a wrong time. Between two readings this machine's monotonic clock is used, so that setting its clock has no effect.
 */
export async function startClock(sql: Sql, monotonicMs = sinceStartMs): Promise<Clock> {
  /** The database's time minus the monotonic time. A delayed reading makes it too small by the delay. */
  let aheadMs = Number.NEGATIVE_INFINITY;
  let lastIdMs = 0;
  const nowMs = () => Math.floor(monotonicMs() + aheadMs);

  /**
   * Reads the database's time and corrects `aheadMs` if needed. The reading took place between sending and receiving, so an
   * `aheadMs` that fits in between needs no correction.
   */
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
    idMs(readMs = nowMs()) {
      lastIdMs = Math.max(lastIdMs, readMs);
      return lastIdMs;
    },
    stop: () => void stop(),
  };
}
