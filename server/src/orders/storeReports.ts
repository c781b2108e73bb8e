import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';
import { markRecount } from './sql/markRecount.js';
import { type ReportVerdictRow, reportOrders } from './sql/reportOrders.js';
import type { CheckedReport } from './stampReport.js';

/** From this age on, what changes in an order's time may be counted already; see `createKeepCounting`. */
const lateMs = 5 * 60_000;

/** Stores reports of one team that no stored order knows, all or none; see `reportOrders`. */
export type StoreReports = (
  sql: Sql,
  teamId: Uuid,
  reports: CheckedReport[],
) => PromiseLike<ReportVerdictRow[]>;

/**
 * Those of the times, as ISO 8601 in UTC, whose quarters of an hour have to be counted anew. Compares texts, which sort as
 * their times do: reports that are just made need no `Date` each.
 */
export function lateOnes(times: string[]): Date[] {
  const limit = new Date(Date.now() - lateMs).toISOString();
  return times.filter((time) => time < limit).map((time) => new Date(time));
}

export const storeLocal: StoreReports = (sql, teamId, reports) => {
  const late = lateOnes(reports.map(({ createdAt }) => createdAt));
  if (late.length === 0) return reportOrders(sql, teamId, reports);
  return inTransaction(sql, async (tx) => {
    const exceptions = await reportOrders(tx, teamId, reports);
    await markRecount(tx, teamId, late);
    return exceptions;
  });
};
