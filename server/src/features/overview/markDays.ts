import { setTimeout as delay } from 'node:timers/promises';
import type { Listener } from '../../core/listener.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { forgetSummedDays, isStoredLate, markRecount, removeOriginDays } from './sql/summedDay.js';

/** Times of all teams that wait to be marked. Days of further ones are summed again in the recount of the night. */
const waitingAtMost = 10_000;
const failuresAtMost = 60;
const retryMs = 1_000;

/** Marks the days of new orders that were stored late, after their answers. */
interface DayMarks {
  /** Takes committed orders. Returns immediately, and never throws. */
  take(teamId: Uuid, orders: readonly { id: Uuid; createdAt: string }[]): void;
  /** Resolves when everything that was taken is marked or given up. */
  settled(): Promise<void>;
}

/**
 * Creates the queue of days to mark. Marks are written one team after the other, with one statement for each team. A failed
 * statement is tried again each second, up to 60 times. An order that is stored within half an hour costs only a comparison.
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
        // Moves the team behind the others.
        waiting.set(teamId, new Set([...times, ...(waiting.get(teamId) ?? [])]));
        await delay(retryMs, undefined, { ref: false });
      }
    }
    waiting.clear();
    isWorking = false;
  }

  return { take, settled: () => working };
}

/** Creates the listener that marks days as not summed if their orders change, or are stored late. */
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
    // The sums contain data of an erased buyer's landings.
    await removeOriginDays(tx, teamId, times);
  },
  async onTeamChanged(tx, teamId, before, after) {
    if (after.zone !== before.zone) await forgetSummedDays(tx, teamId);
  },
});
