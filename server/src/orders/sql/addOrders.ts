import { asJson } from '../../database/asJson.js';
import type { Sql } from '../../database/connection/connect.js';
import { canReplaceName } from '../../people/sql/person.js';
import type { Uuid } from '../../values/ids.js';
import type { JudgedReport } from '../knownOrder.js';
import type { ReportedBy, StoredOrder } from '../storedOrder.js';

/** The buyer of an order that is about to be stored. */
export interface NewBuyerRow {
  id: Uuid;
  email: string;
  name: string | null;
  /** True for a name that a live key gave. */
  isNameByKey: boolean;
}

/**
 * Adds buyers to a team. A known buyer without a name gets this one; a name that a live key gives replaces one that a
 * page gave. The rows are `values`, so that each names its team and tables can be spread by team. No two rows may share
 * an id. Each number of rows is a prepared statement of its own.
 */
export async function addBuyers(tx: Sql, teamId: Uuid, buyers: NewBuyerRow[]): Promise<void> {
  const rows = buyers.map((buyer) => ({
    team_id: teamId,
    id: buyer.id,
    email: buyer.email,
    name: buyer.name,
    name_by_key: buyer.isNameByKey,
  }));
  await tx`/* addBuyers */
    insert into person ${tx(rows, 'team_id', 'id', 'email', 'name', 'name_by_key')}
    on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
      where ${canReplaceName(tx)}`;
}

/** A report that is about to be stored as a new order. */
export type NewOrder = JudgedReport & Pick<StoredOrder, 'pageFields'>;

/** Tells who has reported a new order. A signed page counts as a page and a backend. */
function reporterOf({ keyHash, signedAsTest }: NewOrder): ReportedBy {
  if (keyHash !== null) return 'key';
  return signedAsTest === undefined ? 'browser' : 'both';
}

/**
 * Stores the orders of reports of one team whose buyers are stored, and resolves with the ids of the new orders. A report
 * that shares an identifier with a stored order is left out. The rows are `values`, as in `addBuyers`. The last row may
 * be repeated, so that few lengths have to be prepared.
 */
export function addOrders(tx: Sql, teamId: Uuid, reports: NewOrder[]) {
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
    items: asJson(tx, report.items),
    visitor_id: report.visitorId,
    first_touch: asJson(tx, report.touches?.firstTouch),
    last_touch: asJson(tx, report.touches?.lastTouch),
    extra: asJson(tx, report.extra),
    page_fields: asJson(tx, report.pageFields),
    is_test: report.isTest,
    reported_by: reporterOf(report),
    created_at: report.createdAt,
    host: report.host,
  }));
  return tx<{ id: Uuid }[]>`/* addOrders */
    insert into placed_order ${tx(rows)}
    on conflict do nothing
    returning id`;
}
