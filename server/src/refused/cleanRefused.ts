import type { Sql } from '../database/connection/connect.js';
import { hourMs, minuteMs } from '../values/timeUnits.js';
import { removeExpiredCounts } from './sql/refusalCount.js';
import { listExpiredTeams, listTeamsWithRefused, removeExpired, removeSettled } from './sql/removeRefused.js';

/** Removes kept reports whose orders are stored by now, and those that were discarded more than a day ago, of one team after the other. */
export async function settleRefused(sql: Sql): Promise<void> {
  for (const { teamId } of await listTeamsWithRefused(sql)) await removeSettled(sql, teamId);
}

/**
 * Removes kept reports that are older than 30 days, and counts older than 90, by the database's clock. Of a team's reports
 * it removes the oldest day at most, so that a clock that is far ahead costs a day of reports an hour, and not all.
 */
export async function expireRefused(sql: Sql): Promise<void> {
  for (const { teamId, until } of await listExpiredTeams(sql)) {
    while (until && (await removeExpired(sql, teamId, until)) > 0);
    while ((await removeExpiredCounts(sql, teamId)) > 0);
  }
}

/**
 * Settles a minute after the last time, and expires an hour after it. Otherwise a team whose reports are no longer refused
 * would keep its buyers' emails for ever. Expiry begins an hour after the start, because a machine's clock may be wrong until
 * then. Returns a function that stops this. A failure ends with the next attempt.
 */
export function startCleaningRefused(sql: Sql): () => void {
  const stops = [repeat(minuteMs, () => settleRefused(sql)), repeat(hourMs, () => expireRefused(sql))];
  return () => {
    for (const stop of stops) stop();
  };
}

function repeat(afterMs: number, work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  function wait(): void {
    if (isStopped) return;
    timer = setTimeout(
      () =>
        void work()
          .catch(() => {})
          .then(wait),
      afterMs,
    ).unref();
  }
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
