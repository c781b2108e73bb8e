import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { listTeams } from '../teams/sql/team.js';
import type { Uuid } from '../values/ids.js';
import { hourMs, minuteMs } from '../values/timeUnits.js';
import { listDaysToSum, sumDay } from './sql/daySums.js';

/**
 * Sums a team's closed days that are not summed, the newest first. Each day is one short transaction, and several servers may
 * do this concurrently. Resolves with the number of days.
 * @param options.again days that are summed although they are summed already, counted back from today
 */
export async function sumDays(sql: Sql, teamId: Uuid, options: { again?: number } = {}): Promise<number> {
  const days = await listDaysToSum(sql, teamId, options);
  for (const day of days) await inTransaction(sql, (tx) => sumDay(tx, teamId, day));
  return days.length;
}

const everyMs = hourMs;
/** Not at the start: where connections are few, none is taken that the start needs. */
const firstMs = minuteMs;
/** Each night the last days are summed again, so that what changed without a mark, such as by hand, is right by then. */
const roundsOfNight = 24;
const daysOfNight = 40;

/** Sums the closed days of all teams each hour. Returns a function that stops this. A failed day is tried an hour later. */
export function startSummingDays(sql: Sql, onFault: (error: unknown) => void): () => void {
  let round = 0;
  let isStopped = false;

  async function sumAll(): Promise<void> {
    const again = ++round % roundsOfNight === 0 ? daysOfNight : 0;
    for (const { id } of await listTeams(sql)) {
      if (isStopped) return;
      await sumDays(sql, id, { again }).catch(onFault);
    }
  }
  function next(): void {
    sumAll()
      .catch(onFault)
      .finally(() => {
        if (!isStopped) timer = setTimeout(next, everyMs).unref();
      });
  }
  let timer = setTimeout(next, firstMs).unref();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
