import type { Placement } from '../database/cluster/placement.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';
import { markRecount } from './sql/markRecount.js';
import { type CheckedReport, type ReportVerdictRow, reportOrders } from './sql/reportOrders.js';
import { storeReportsSpread } from './storeReportsSpread.js';

/** From this age on, what changes in an order's time may be counted already; see `createKeepCounting`. */
const lateMs = 5 * 60_000;

/**
 * Those of the times, as ISO 8601 in UTC, whose quarters of an hour have to be counted anew. Compares texts, which sort as
 * their times do: reports that are just made need no `Date` each.
 */
export function lateOnes(times: string[]): Date[] {
  const limit = new Date(Date.now() - lateMs).toISOString();
  return times.filter((time) => time < limit).map((time) => new Date(time));
}

/**
 * Stores reports of one team that no stored order knows, whole or not at all, and resolves after the commit with the
 * exceptions; see `reportOrders`.
 */
export function createStoreReports({ choose }: Placement) {
  return async function storeReports(
    sql: Sql,
    teamId: Uuid,
    submissions: CheckedReport[],
  ): Promise<ReportVerdictRow[]> {
    const late = lateOnes(submissions.map(({ createdAt }) => createdAt));
    return choose({
      whole: () => storeWhole(sql, teamId, submissions, late),
      spread: () => storeReportsSpread(sql, teamId, submissions, late),
    });
  };
}

function storeWhole(
  sql: Sql,
  teamId: Uuid,
  submissions: CheckedReport[],
  late: Date[],
): PromiseLike<ReportVerdictRow[]> {
  if (late.length === 0) return reportOrders(sql, teamId, submissions);
  return inTransaction(sql, async (tx) => {
    const exceptions = await reportOrders(tx, teamId, submissions);
    await markRecount(tx, teamId, late);
    return exceptions;
  });
}
