import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import { noEmailHost } from '../../../values/email.js';
import type { Uuid } from '../../../values/ids.js';
import { type Listeners, tell } from '../../listener.js';
import { readFields, setFields } from '../fields.js';
import { keysOfReport } from '../report.js';
import type { Identifiers, StoredOrder } from '../storedOrder.js';
import { moveOrderKeys, ordersOfKey } from './orderKeys.js';
import { hasOrderId, refundedOf } from './placedOrder.js';

/** Finds the orders of a mode that any of a report's identifiers names. */
export function findOrders(sql: Sql, teamId: Uuid, report: Identifiers, isTest: boolean) {
  const { orderId, reportId } = report;
  const names = anyOf(sql, keysOfReport(report));
  return sql<StoredOrder[]>`/* findOrders */
    select o.id, order_number as "orderNumber", person_id as "personId", buyer."isErased", buyer."hasNoEmail",
      buyer."namedBy" as "buyerNamedBy", report_id as "reportId",
      coalesce((
        select json_agg(json_build_object('key', key, 'amount', amount::text, 'currency', currency)) from order_key
        where team_id = ${teamId} and placed_order_id = o.id and (amount is null or key = ${names})
      ), '[]') as keys,
      ${readFields(sql)}, ${refundedOf(sql, teamId, sql`o`)} as refunded, said, is_test as "isTest",
      reported_by as "reportedBy", created_at as "createdAt", changed_at as "changedAt",
      case when o.shares_id_with is not null then json_build_object('id', o.shares_id_with, 'orderNumber', (
        select first.order_number from placed_order first where first.team_id = ${teamId} and first.id = o.shares_id_with
      )) end as "sharesIdWith"
    from placed_order o cross join lateral (
      select email is null as "isErased", coalesce(email like ${`%${noEmailHost}`}, false) as "hasNoEmail",
        case when name_by_key then 'key' when person.name is not null then 'page' end as "namedBy"
      from person where person.team_id = ${teamId} and person.id = person_id limit 1
    ) buyer
    where team_id = ${teamId} and is_test = ${isTest} and (
      ${hasOrderId(sql, orderId)} or report_id = ${reportId}
      or o.id = any(array(${ordersOfKey(sql, teamId, names, isTest)}))
    )`;
}

/** Finds the money of an order that was refunded, as exact text. */
export async function findRefunded(sql: Sql, teamId: Uuid, id: Uuid): Promise<string> {
  const [row] = await sql<{ refunded: string }[]>`/* findRefunded */
    select ${refundedOf(sql, teamId)}::text as refunded from placed_order where team_id = ${teamId} and id = ${id}`;
  return row!.refunded;
}

/** Keeps others from changing an order until the transaction ends; waits for one that changes it now. */
export async function lockOrder(tx: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await tx`/* lockOrder */ select from placed_order where team_id = ${teamId} and id = ${id} for update`;
}

/** Keeps the time of a change by which the shop system has changed nothing else. Older changes are known by it. */
export async function keepChangedAt(tx: Sql, teamId: Uuid, id: Uuid, changedAt: Date | null): Promise<void> {
  await tx`/* keepChangedAt */
    update placed_order set changed_at = ${changedAt} where team_id = ${teamId} and id = ${id}`;
}

/**
 * Writes a merged order, whose buyer is stored, inside a transaction. The console finds the change by `merged_at`, which
 * is the time of the database, because servers' clocks may differ.
 * @param host of the page that sent the merged report; null for a report with a key
 */
export async function updateOrder(
  tx: Sql,
  teamId: Uuid,
  order: StoredOrder,
  host: string | null,
): Promise<void> {
  await tx`/* updateOrder */
    update placed_order set
      person_id = ${order.personId}, report_id = ${order.reportId}, ${setFields(tx, order)},
      said = ${order.said && JSON.stringify(order.said)}::text::json,
      reported_by = ${order.reportedBy}, created_at = ${order.createdAt}, changed_at = ${order.changedAt},
      shares_id_with = ${order.sharesIdWith?.id ?? null},
      host = case when person_id = ${order.personId} then coalesce(host, ${host}) else ${host} end,
      merged_at = statement_timestamp()
    where team_id = ${teamId} and id = ${order.id}`;
}

/**
 * Gives the keys of an order, and what listeners hold of it, to another one of the same payment, and removes it, inside a
 * transaction that has locked both. Its own id and number lead to the other one from then on.
 */
export async function absorbOrder(
  tx: Sql,
  teamId: Uuid,
  absorbed: StoredOrder,
  order: StoredOrder,
  listeners: Listeners,
): Promise<void> {
  await moveOrderKeys(tx, teamId, absorbed, order.id);
  await tell(listeners, 'orderMerged', tx, teamId, absorbed, order);
  await tx`/* absorbOrder */
    delete from placed_order where team_id = ${teamId} and id = ${absorbed.id}`;
}
