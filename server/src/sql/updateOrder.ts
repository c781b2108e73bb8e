import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';
import type { StoredOrder } from './findOrders.js';
import { canReplaceName } from './personName.js';

/** What a report says of the person who bought. */
export interface BuyerRow {
  email: string;
  name: string | null;
  /** True for the name that a live key said. */
  isNameByKey: boolean;
}

/** What a merged report says beside the order and its buyer. */
export interface MergedReportRow {
  /** The page's host; null for a report with a key. */
  host: string | null;
  /** When it came, as an ISO time. */
  createdAt: string;
}

/**
 * Writes a merged order, and its buyer where the merge brings a new one or a better name.
 * @param buyer null for an order whose buyer was erased
 */
export async function updateOrder(
  sql: Sql,
  teamId: Uuid,
  order: StoredOrder,
  buyer: BuyerRow | null,
  report: MergedReportRow,
): Promise<void> {
  const person =
    buyer &&
    sql`with buyer as (
      insert into person (team_id, id, email, name, name_by_key)
      values (${teamId}, ${order.personId}, ${buyer.email}, ${buyer.name},
        ${buyer.isNameByKey && buyer.name !== null})
      on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
        where ${canReplaceName(sql)}
    )`;
  await sql`/* updateOrder */
    ${person ?? sql``}
    update placed_order set
      person_id = ${order.personId}, order_id = ${order.orderId}, report_id = ${order.reportId},
      idempotency_key = ${order.idempotencyKey}, amount = ${order.amount}, currency = ${order.currency},
      source = ${order.source}, name = ${order.name},
      items = ${order.items && JSON.stringify(order.items)}::text::json, visitor_id = ${order.visitorId},
      page_fields = ${order.pageFields && JSON.stringify(order.pageFields)}::text::json,
      reported_by = ${order.reportedBy}, created_at = ${order.createdAt},
      host = ${order.reportedBy === 'key' ? sql`null` : sql`coalesce(host, ${report.host})`},
      merged_at = ${report.createdAt}
    where team_id = ${teamId} and id = ${order.id}`;
}
