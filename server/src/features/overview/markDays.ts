import { setTimeout as delay } from 'node:timers/promises';
import type { Listener } from '../../core/listener.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { forgetSummedDays, isStoredLate, markRecount, removeOriginDays } from './sql/summedDay.js';

/** Times that wait to be marked, of all teams. What comes past it is right after the night's recount. */
const waitingAtMost = 10_000;
const failuresAtMost = 60;
const retryMs = 1_000;

/** Marks the days of new orders that were stored late, behind their answers. */
interface DayMarks {
  /** Takes orders that are committed. Returns immediately, and never throws. */
  take(teamId: Uuid, orders: readonly { id: Uuid; createdAt: string }[]): void;
  /** Resolves when all that was taken is marked or given up. */
  settled(): Promise<void>;
}

/**
 * Makes the marks, a team's in one statement and one after the other. What fails is tried again each second, for a minute. An
 * order that is stored within half an hour costs a comparison.
 */
export function createDayMarks(sql: Sql, onFault: (error: unknown) => void): DayMarks {
  const waiting = new Map<Uuid, Set<string>>();
  let working = Promise.resolve();
  let isWorking = false;

  function take(teamId: Uuid, orders: readonly { id: Uuid; createdAt: string }[]): void {
    const times = orders.filter(isStoredLate).map(({ createdAt }) => createdAt);
    if (times.length === 0) return;
    const known = waiting.get(teamId) ?? new Set();
    const others = [...waiting.values()].reduce((sum, { size }) => sum + size, 0);
    for (const time of times.slice(0, waitingAtMost - others)) known.add(time);
    waiting.set(teamId, known);
    if (isWorking) return;
    isWorking = true;
    working = markAll();
  }

  async function markAll(): Promise<void> {
    for (let failures = 0; waiting.size > 0 && failures < failuresAtMost; ) {
      const [teamId, times] = waiting.entries().next().value!;
      waiting.delete(teamId);
      try {
        await markRecount(sql, teamId, [...times]);
      } catch (error) {
        onFault(error);
        failures++;
        // Behind those of other teams.
        waiting.set(teamId, new Set([...times, ...(waiting.get(teamId) ?? [])]));
        await delay(retryMs, undefined, { ref: false });
      }
    }
    waiting.clear();
    isWorking = false;
  }

  return { take, settled: () => working };
}

/** Marks the days whose orders are others as not summed. */
export const createDayListener = (marks: DayMarks): Listener => ({
  onReportsStored(teamId, orders) {
    marks.take(teamId, orders);
    return marks.settled();
  },
  async onOrdersChanged(tx, teamId, changes) {
    const changed = changes.filter(({ isShownChanged }) => isShownChanged);
    const times = changed.flatMap(({ before, after }) => [before!.createdAt, after.createdAt]);
    if (times.length > 0) await markRecount(tx, teamId, times);
  },
  onOrderMerged: (tx, teamId, from) => markRecount(tx, teamId, [from.createdAt]),
  async onOrdersGone(tx, teamId, orders) {
    const times = orders.map(({ createdAt }) => createdAt);
    await markRecount(tx, teamId, times);
    // They hold what the landings of a buyer said.
    await removeOriginDays(tx, teamId, times);
  },
  async onTeamChanged(tx, teamId, before, after) {
    if (after.zone !== before.zone) await forgetSummedDays(tx, teamId);
  },
});
