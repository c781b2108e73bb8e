import type { Sql } from '../database/connection/connect.js';
import { minuteMs } from '../values/timeUnits.js';
import { listExpiredCounts, removeExpiredCounts } from './sql/refusalCount.js';
import { listRefusedTeams, removeExpired, removeSettled } from './sql/removeRefused.js';

/** Removes kept reports whose orders are stored by now, and those that were discarded more than a day ago, of one team after the other. */
export async function settleRefused(sql: Sql): Promise<void> {
  for (const { teamId } of await listRefusedTeams(sql)) await removeSettled(sql, teamId);
}

/** Removes kept reports that are older than 30 days, and counts older than 90. */
export async function expireRefused(sql: Sql): Promise<void> {
  for (const { teamId } of await listRefusedTeams(sql)) await removeExpired(sql, teamId);
  for (const { teamId } of await listExpiredCounts(sql)) await removeExpiredCounts(sql, teamId);
}

const minutesOfHour = 60;

/**
 * Settles each minute, and expires each hour. Otherwise a team whose reports are no longer refused would keep its buyers'
 * emails for ever. Expiry begins an hour after the start, because a machine's clock may be wrong until then. Returns a function
 * that stops this. After a failure the next attempt comes with the next minute or hour.
 */
export function startCleaningRefused(sql: Sql): () => void {
  let minutes = 0;
  let isBusy = false;
  async function clean(): Promise<void> {
    minutes++;
    if (isBusy) return;
    isBusy = true;
    await settleRefused(sql).catch(() => {});
    if (minutes % minutesOfHour === 0) await expireRefused(sql).catch(() => {});
    isBusy = false;
  }
  const timer = setInterval(() => void clean(), minuteMs).unref();
  return () => clearInterval(timer);
}
