import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { CheckedReport } from './reportOrders.js';

/** A report that was found good, and whether its order is a test. */
export interface GoodReport extends CheckedReport {
  isTest: boolean;
}

/** PostgreSQL's number of the type json. */
const json = 114;

/**
 * Stores the orders of reports of one team whose buyers are there, and resolves with the ids of those that were
 * stored: an order that one of the identifiers names already is left as it is. See `addBuyers` for the form. The
 * last row may be repeated, so that few lengths have to be prepared.
 */
export function addOrders(tx: Sql, teamId: Uuid, reports: GoodReport[]) {
  const rows = reports.map((report) => ({
    team_id: teamId,
    id: report.id,
    order_number: report.orderNumber,
    person_id: report.personId,
    order_id: report.orderId,
    report_id: report.reportId,
    idempotency_key: report.idempotencyKey,
    amount: report.amount,
    currency: report.currency,
    source: report.source,
    name: report.name,
    items: report.items && tx.typed(report.items as never, json),
    visitor_id: report.visitorId,
    is_test: report.isTest,
    reported_by: report.keyHash === null ? 'browser' : 'key',
    created_at: report.createdAt,
    host: report.host,
  }));
  return tx<{ id: Uuid }[]>`/* addOrders */
    insert into placed_order ${tx(rows)}
    on conflict do nothing
    returning id`;
}
