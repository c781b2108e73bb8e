import type { Sql } from '../database/connection/connect.js';
import { refusedKeepMs } from './refusedReport.js';
import { removeExpiredCounts } from './sql/refusalCount.js';
import { listExpiredTeams, removeExpiredReports } from './sql/removeRefused.js';

const everyMs = 60 * 60_000;
const countsKeepMs = 90 * 24 * 60 * 60_000;

/** Removes kept reports that are older than 30 days and counts older than 90, in small steps. */
export async function expireRefused(sql: Sql): Promise<void> {
  const reports = new Date(Date.now() - refusedKeepMs);
  const counts = new Date(Date.now() - countsKeepMs);
  for (const { teamId } of await listExpiredTeams(sql, { reports, counts })) {
    while ((await removeExpiredReports(sql, teamId, reports)) > 0);
    await removeExpiredCounts(sql, teamId, counts);
  }
}

/**
 * Removes expired reports and counts now and every hour. Otherwise a team whose reports are no longer refused would keep its
 * buyers' emails for ever. Returns a function that stops this. After a failure the next attempt is an hour later.
 */
export function startRefusedExpiry(sql: Sql): () => void {
  const run = () => void expireRefused(sql).catch(() => {});
  run();
  const timer = setInterval(run, everyMs).unref();
  return () => clearInterval(timer);
}
