import type { Sql } from '../database/connection/connect.js';
import { hourMs } from '../values/timeUnits.js';
import { removeExpiredCounts } from './sql/refusalCount.js';
import { listExpiredTeams, removeExpiredReports } from './sql/removeRefused.js';

const everyMs = hourMs;

/**
 * Removes kept reports that are older than 30 days, and counts older than 90, by the database's clock. Of a team's reports
 * it removes the oldest day at most, so that a clock that is far ahead costs a day of reports an hour, and not all.
 */
export async function expireRefused(sql: Sql): Promise<void> {
  for (const { teamId, until } of await listExpiredTeams(sql)) {
    while (until && (await removeExpiredReports(sql, teamId, until)) > 0);
    while ((await removeExpiredCounts(sql, teamId)) > 0);
  }
}

/**
 * Removes expired reports and counts every hour. Otherwise a team whose reports are no longer refused would keep its buyers'
 * emails for ever. The first time is an hour after the start, because a machine's clock may be wrong until then. Returns a
 * function that stops this. After a failure the next attempt is an hour later.
 */
export function startRefusedExpiry(sql: Sql): () => void {
  const timer = setInterval(() => void expireRefused(sql).catch(() => {}), everyMs).unref();
  return () => clearInterval(timer);
}
