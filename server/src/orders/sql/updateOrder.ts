import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { addBuyers, type NewBuyerRow } from './addBuyers.js';
import type { StoredOrder } from './findOrders.js';

/** What a merged report says beside the order and its buyer. */
export interface MergedReportRow {
  /** The page's host; null for a report with a key. */
  host: string | null;
  /** When it came, as an ISO time. */
  createdAt: string;
}

/**
 * Writes a merged order, and its buyer where the merge brings a new one or a better name, inside a transaction.
 * @param buyer null for an order whose buyer was erased
 */
export async function updateOrder(
  tx: Sql,
  teamId: Uuid,
  order: StoredOrder,
  buyer: Omit<NewBuyerRow, 'id'> | null,
  report: MergedReportRow,
): Promise<void> {
  // A statement of its own, and first: Citus runs the parts of one statement in another order.
  if (buyer) await addBuyers(tx, teamId, [{ id: order.personId, ...buyer }]);
  await tx`/* updateOrder */
    update placed_order set
      person_id = ${order.personId}, order_id = ${order.orderId}, report_id = ${order.reportId},
      idempotency_key = ${order.idempotencyKey}, amount = ${order.amount}, currency = ${order.currency},
      source = ${order.source}, name = ${order.name},
      items = ${order.items && JSON.stringify(order.items)}::text::json, visitor_id = ${order.visitorId},
      page_fields = ${order.pageFields && JSON.stringify(order.pageFields)}::text::json,
      reported_by = ${order.reportedBy}, created_at = ${order.createdAt},
      host = ${order.reportedBy === 'key' ? tx`null` : tx`coalesce(host, ${report.host})`},
      merged_at = ${report.createdAt}
    where team_id = ${teamId} and id = ${order.id}`;
}
