import type { Touch } from '@orderbeacon/sdk/contract';
import type { Identifier } from '../../../core/orders/merge/statement.js';
import { type AuthorizedReport, identifiersOfReport } from '../../../core/orders/report.js';
import { hasOrderId } from '../../../core/orders/store/sql/placedOrder.js';
import { isNamedAlready, judgement } from '../../../core/orders/store/sql/reportOrders.js';
import { createReportStatement } from '../../../core/orders/store/sql/reportRows.js';
import type { ReportRefusal } from '../../../core/orders/store/sql/reportVerdict.js';
import type { Fragment, Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/** The verdict on a report before it is stored. */
export interface AuthorizedReportRow {
  id: Uuid;
  /** The refusal; null if the report may be stored. */
  refusal: ReportRefusal | null;
  isTest: boolean;
  /** Set if an order of that mode has one of the report's identifiers. */
  isKnown: boolean;
  /**
   * First touch of the visitor's latest order, and in `visitorLast` the last one. Only for a report with an API key that has no
   * touches itself.
   */
  visitorFirst: Touch | null;
  visitorLast: Touch | null;
}

/**
 * Authorizes reports of one team by API key or domain, and finds the known ones. Resolves with one row for each report,
 * in any order.
 */
export const judgeReports = createReportStatement<AuthorizedReportRow>((sql, teamId, sent) => {
  const isTaken = (condition: Fragment) => sql`exists (
      select from placed_order o where o.team_id = ${teamId} and ${condition} and o.is_test = judged.is_test
    )`;
  return sql`/* judgeReports */
    with ${judgement(sql, teamId, sent)}
    select id, refusal, is_test as "isTest", "visitorFirst", "visitorLast",
      refusal is null and (
        "isRepeated" is true or ${isTaken(hasOrderId(sql, sql`judged."orderId"`))}
        or ${isTaken(sql`o.report_id = judged."reportId"`)}
        or (names is not null and ${isNamedAlready(sql, teamId)})
      ) as "isKnown"
    from judged`;
});

/** An identifier of a new order. */
export interface NewKey {
  name: Identifier;
  report: AuthorizedReport;
}

/** Lists the identifiers of reports that are stored in `order_key`. */
export function keysOf(reports: AuthorizedReport[]): NewKey[] {
  return reports.flatMap((report) => identifiersOfReport(report).map((name) => ({ name, report })));
}

/** Stores identifiers of new orders. Resolves with those that no other order had. The last row may be repeated, as in `addOrders`. */
export function addNewKeys(tx: Sql, teamId: Uuid, keys: NewKey[]) {
  const rows = keys.map(({ name: { kind, value }, report }) => {
    const { amount, currency, orderId, personId } = report;
    const isOfBackend = kind === 'idempotency';
    return {
      team_id: teamId,
      kind,
      key: value,
      is_test: report.isTest,
      placed_order_id: report.id,
      amount: isOfBackend ? amount : null,
      currency: isOfBackend ? currency : null,
      number: isOfBackend ? orderId : null,
      person_id: isOfBackend ? personId : null,
    };
  });
  return tx<{ kind: string; key: string; id: Uuid }[]>`/* addNewKeys */
    insert into order_key ${tx(rows)}
    on conflict do nothing
    returning kind, key, placed_order_id as id`;
}
