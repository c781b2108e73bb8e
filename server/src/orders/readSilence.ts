import type { Sql } from '../database/connection/connect.js';
import type { MissedChecks } from '../hooks/sql/hookWatch.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';
import { hourMs } from '../values/timeUnits.js';
import { type CountOrders, createCountOrders } from './countOrders.js';
import { findSilence, leastSilenceMs, weeksCompared } from './findSilence.js';
import { countHours, findLastOrderAt } from './sql/orderHours.js';

/** The last order of a team, and the silence since then. */
export interface OrderSilence {
  /** Null for none, or for none that can be found quickly. */
  lastOrderAt: Date | null;
  /** Orders that usually would have come since the last one, at least; null while the silence says nothing. */
  usualOrders: number | null;
}

/** Reads the silence of a team. */
export type ReadSilence = (sql: Sql, asked: AskedSilence) => Promise<OrderSilence>;

/** Team and time for which a silence is read. A time without a server is no silence. */
export interface AskedSilence extends MissedChecks {
  teamId: Uuid;
  now: Date;
}

const hoursPerWeek = 7 * 24;
/** Each has 700 numbers. */
const teamsCached = 1_000;

/**
 * Makes the function that reads silences. It looks up one order, and where that is older than 15 minutes, the numbers of the
 * orders of four weeks, which are cached for an hour.
 */
export function createReadSilence(): ReadSilence {
  const cache = createBoundedMap<{ readMs: number; countOrders: CountOrders }>(teamsCached);

  return async function readSilence(sql, { teamId, now, missedFrom, missedTo }) {
    const nowMs = now.getTime();
    const lastOrderAt = await findLastOrderAt(sql, teamId, now);
    const lastOrderMs = lastOrderAt?.getTime() ?? nowMs;
    if (nowMs - lastOrderMs < leastSilenceMs) return { lastOrderAt, usualOrders: null };
    const countOrders = await countOrdersOf(sql, teamId, { lastOrderMs, nowMs });
    const missed = missedFrom && missedTo ? { fromMs: missedFrom.getTime(), toMs: missedTo.getTime() } : null;
    return { lastOrderAt, usualOrders: findSilence(countOrders, { lastOrderMs, nowMs, missed }) };
  };

  async function countOrdersOf(
    sql: Sql,
    teamId: Uuid,
    { lastOrderMs, nowMs }: { lastOrderMs: number; nowMs: number },
  ): Promise<CountOrders> {
    const cached = cache.get(teamId);
    if (cached && Math.abs(nowMs - cached.readMs) < hourMs) return cached.countOrders;
    // An hour more on both sides, because weeks are compared as if moved by an hour.
    const hours = weeksCompared * hoursPerWeek + 2;
    const endMs = Math.ceil(lastOrderMs / hourMs) * hourMs;
    const from = new Date(endMs - hours * hourMs);
    const countOrders = createCountOrders(from.getTime(), await countHours(sql, teamId, { from, hours }));
    cache.set(teamId, { readMs: nowMs, countOrders });
    return countOrders;
  }
}
