import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { idempotencyKeyOf } from './identity.js';
import { judgedReports } from './judgedReports.js';
import type { CheckedReport, ReportVerdictRow } from './reportOrders.js';

/** What the database says of a report before anything of it is stored. */
export interface JudgedReportRow extends Omit<ReportVerdictRow, 'isNew'> {
  /** True when an order of that mode has one of the report's identifiers. */
  isKnown: boolean;
}

/** Judges reports of one team by key or domain, and says which of them are known; one row per report, in no order. */
export function judgeReports(sql: Sql, teamId: Uuid, submissions: CheckedReport[]) {
  const isTaken = (column: ReturnType<typeof idempotencyKeyOf>, field: string) => sql`
    (judged.${sql(field)} is not null and exists (
      select from placed_order
      where team_id = ${teamId} and ${column} = judged.${sql(field)} and placed_order.is_test = judged.is_test
    ))`;
  return sql<JudgedReportRow[]>`/* judgeReports */
    with ${judgedReports(sql, teamId, submissions)}
    select id, refusal, is_test as "isTest",
      refusal is null and (
        ${isTaken(sql`order_id`, 'orderId')} or ${isTaken(sql`report_id`, 'reportId')}
        or ${isTaken(idempotencyKeyOf(sql), 'idempotencyKey')}
      ) as "isKnown"
    from judged`;
}
