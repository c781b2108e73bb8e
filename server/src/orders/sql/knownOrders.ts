import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { Identifiers, StoredOrder } from '../storedOrder.js';
import { orderOfKey } from './orderKeys.js';
import { refundedOf } from './refund.js';

/** Finds the orders of a mode that any of a report's identifiers names. */
export function findOrders(
  sql: Sql,
  teamId: Uuid,
  { orderId, reportId, idempotencyKey }: Identifiers,
  isTest: boolean,
) {
  return sql<StoredOrder[]>`/* findOrders */
    select id, order_number as "orderNumber", person_id as "personId",
      coalesce((
        select email is null from person where person.team_id = ${teamId} and person.id = person_id
      ), false) as "isErased",
      (
        select case when name_by_key then 'key' when person.name is not null then 'page' end
        from person where person.team_id = ${teamId} and person.id = person_id
      ) as "buyerNamedBy",
      order_id as "orderId", report_id as "reportId", idempotency_key as "idempotencyKey",
      (
        select json_build_object('personId', person_id, 'amount', amount::text, 'currency', currency)
        from order_key
        where team_id = ${teamId} and idempotency_key = ${idempotencyKey} and is_test = ${isTest}
          and placed_order_id = placed_order.id and amount is not null
      ) as "furtherKey",
      amount, currency, ${refundedOf(sql, teamId)} as refunded, source, name, items, visitor_id as "visitorId",
      case when first_touch is not null or last_touch is not null
        then json_build_object('firstTouch', first_touch, 'lastTouch', last_touch)
      end as touches,
      extra, page_fields as "pageFields",
      is_test as "isTest", reported_by as "reportedBy", created_at as "createdAt"
    from placed_order
    where team_id = ${teamId} and is_test = ${isTest} and (
      order_id = ${orderId} or report_id = ${reportId} or idempotency_key = ${idempotencyKey}
      or id = ${orderOfKey(sql, teamId, idempotencyKey, isTest)}
    )`;
}

/** Keeps others from changing an order until the transaction ends; waits for one that changes it now. */
export async function lockOrder(tx: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await tx`/* lockOrder */ select from placed_order where team_id = ${teamId} and id = ${id} for update`;
}

/**
 * Writes a merged order, whose buyer is stored, inside a transaction. The console finds the change by `merged_at`, which
 * is the time of the database, because servers' clocks may differ.
 * Resolves with the money of its refunds, which may reach further now.
 * @param host of the page that sent the merged report; null for a report with a key
 */
export async function updateOrder(
  tx: Sql,
  teamId: Uuid,
  order: StoredOrder,
  host: string | null,
): Promise<string> {
  const [row] = await tx<[{ refunded: string }]>`/* updateOrder */
    update placed_order set
      person_id = ${order.personId}, order_id = ${order.orderId}, report_id = ${order.reportId},
      idempotency_key = ${order.idempotencyKey}, amount = ${order.amount}, currency = ${order.currency},
      source = ${order.source}, name = ${order.name},
      items = ${asJson(tx, order.items)}, visitor_id = ${order.visitorId},
      first_touch = ${asJson(tx, order.touches?.firstTouch)}, last_touch = ${asJson(tx, order.touches?.lastTouch)},
      extra = ${asJson(tx, order.extra)},
      page_fields = ${asJson(tx, order.pageFields)},
      reported_by = ${order.reportedBy}, created_at = ${order.createdAt},
      host = case when person_id = ${order.personId} then coalesce(host, ${host}) else ${host} end,
      merged_at = statement_timestamp()
    where team_id = ${teamId} and id = ${order.id}
    returning ${refundedOf(tx, teamId)} as refunded`;
  return row.refunded;
}

function asJson(sql: Sql, value: object | null | undefined) {
  return sql`${value ? JSON.stringify(value) : null}::text::json`;
}
