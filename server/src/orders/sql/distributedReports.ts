import type { Touch } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { JudgedReport } from '../knownOrder.js';
import type { CheckedReport } from '../stampReport.js';
import { judgedReports, type ReportRefusal } from './judgedReports.js';
import { orderOfKey } from './orderKeys.js';

/** The verdict on a report before anything of it is stored. */
export interface JudgedReportRow {
  id: Uuid;
  /** Null when the report may be stored. */
  refusal: ReportRefusal | null;
  isTest: boolean;
  /** True when an order of that mode has one of the report's identifiers. */
  isKnown: boolean;
  /** Touches of the visitor's latest order, for a report with a key that has none. */
  visitorFirst: Touch | null;
  visitorLast: Touch | null;
}

/** Judges reports of one team by key or domain, and finds the known ones. Resolves with one row per report, in no order. */
export function judgeReports(sql: Sql, teamId: Uuid, reports: CheckedReport[]) {
  const isTaken = (column: string, field: string) => sql`
    (judged.${sql(field)} is not null and exists (
      select from placed_order
      where team_id = ${teamId} and ${sql(column)} = judged.${sql(field)} and placed_order.is_test = judged.is_test
    ))`;
  return sql<JudgedReportRow[]>`/* judgeReports */
    with ${judgedReports(sql, teamId, reports)}
    select id, refusal, is_test as "isTest", "visitorFirst", "visitorLast",
      refusal is null and (
        ${isTaken('order_id', 'orderId')} or ${isTaken('report_id', 'reportId')}
        or ${isTaken('idempotency_key', 'idempotencyKey')}
        or ("idempotencyKey" is not null
          and ${orderOfKey(sql, teamId, sql`judged."idempotencyKey"`, sql`judged.is_test`)} is not null)
      ) as "isKnown"
    from judged`;
}

/**
 * Keeps the `Idempotency-Key`s of new orders. Resolves with the orders whose key was free. The last row may be
 * repeated, as in `addOrders`.
 */
export function addFirstKeys(tx: Sql, teamId: Uuid, reports: JudgedReport[]) {
  const rows = reports.map((report) => ({
    team_id: teamId,
    idempotency_key: report.idempotencyKey,
    is_test: report.isTest,
    placed_order_id: report.id,
  }));
  return tx<{ id: Uuid }[]>`/* addFirstKeys */
    insert into order_key ${tx(rows)}
    on conflict do nothing
    returning placed_order_id as id`;
}
