import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import { type Listeners, tell } from '../../listener.js';
import { eraseFields } from '../fields.js';
import { removeOrderKeys } from './orderKeys.js';

/**
 * True for an order `o` that an `orderId` means, as a condition: the first of those that share it. The index of order ids has
 * no others.
 * @param orderId a value, or an expression such as `any(…)`
 */
export const hasOrderId = (sql: Sql, orderId: Fragment | string | null) =>
  sql`(o.order_id = ${orderId} and o.shares_id_with is null)`;

/** The money of a row of `placed_order` that was refunded, as an expression: all that its refunds count. */
export const refundedOf = (sql: Sql, teamId: Uuid, order: Fragment = sql`placed_order`) =>
  sql`coalesce((
      select sum(refund.counts) from refund
      where refund.team_id = ${teamId} and refund.placed_order_id = ${order}.id
    ), 0)`;

/** True when a key has reported an order of that mode with this `orderId`. */
export async function isReportedByKey(
  sql: Sql,
  teamId: Uuid,
  orderId: string,
  isTest: boolean,
): Promise<boolean> {
  const rows = await sql`/* isReportedByKey */
    select from placed_order o
    where team_id = ${teamId} and ${hasOrderId(sql, orderId)} and is_test = ${isTest} and reported_by <> 'browser'`;
  return rows.length > 0;
}

/** Bounds the orders that are read to recognise a host without orders. */
const lastOrderDays = 30;

/** Finds when a page of a host reported its last order, live or test, in the last 30 days; null for none. */
export async function findLastOrderOf(sql: Sql, teamId: Uuid, host: string): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }[]>`/* findLastOrderOf */
    select created_at as "createdAt" from placed_order
    where team_id = ${teamId} and created_at > now() - ${lastOrderDays}::int * interval '1 day' and host = ${host}
    order by created_at desc
    limit 1`;
  return row?.createdAt ?? null;
}

/**
 * Removes an order that is a test or that only pages have reported, inside a transaction; false when there is none. Its refunds
 * wait for an order of that id again.
 */
export async function discardOrder(tx: Sql, teamId: Uuid, id: Uuid, listeners: Listeners): Promise<boolean> {
  const [order] = await tx<{ createdAt: Date }[]>`/* discardOrder */
    delete from placed_order
    where team_id = ${teamId} and id = ${id} and (is_test or reported_by = 'browser')
    returning created_at as "createdAt"`;
  if (!order) return false;
  // Statements after it, because a report that was giving the order a key, or a refund, has held its row until now.
  await removeOrderKeys(tx, teamId, [id]);
  await tell(listeners, 'ordersGone', tx, teamId, [{ id, ...order }], 'removed');
  return true;
}

/**
 * Removes those of some orders that are as they were stored, inside a transaction: no later report has changed them or brought
 * an `Idempotency-Key`, no shop system has spoken of them, and none has a refund. Resolves with their number.
 */
export async function discardUnchanged(
  tx: Sql,
  teamId: Uuid,
  ids: readonly Uuid[],
  listeners: Listeners,
): Promise<number> {
  const isNamed = tx`team_id = ${teamId} and id = ${anyOf(tx, ids, 'uuid')}`;
  // A statement before the look at refunds and keys: a report that adds one holds the order's row until it is done.
  await tx`/* lockNamed */ select from placed_order where ${isNamed} order by id for update`;
  const orders = await tx<{ id: Uuid; createdAt: Date }[]>`/* discardUnchanged */
    delete from placed_order
    where ${isNamed} and merged_at is null and changed_at is null
      and not exists (
        select from refund where refund.team_id = ${teamId} and refund.placed_order_id = placed_order.id
      )
      and not exists (
        -- Of an Idempotency-Key, which a file has none of.
        select from order_key where order_key.team_id = ${teamId} and order_key.placed_order_id = placed_order.id
          and order_key.amount is not null
      )
    returning id, created_at as "createdAt"`;
  if (orders.length === 0) return 0;
  const gone = orders.map(({ id }) => id);
  await removeOrderKeys(tx, teamId, gone);
  await tell(listeners, 'ordersGone', tx, teamId, orders, 'removed');
  return orders.length;
}

/** Orders of one transaction. Reports that repeat one of them wait until it ends, which took 20 ms. */
const batchRows = 500;

/**
 * Removes a person from some of their orders, inside a transaction. The orders keep their money and items, lose every personal
 * field, and belong to a person without email or name. Resolves with the number of those orders. An order that is being changed
 * is left for the next call. The person's own row is not locked, so that reports of the same person go on meanwhile.
 * @param tombstoneId id of a nameless person who takes the orders; it does not follow from the email
 */
export async function eraseOrders(
  tx: Sql,
  teamId: Uuid,
  personId: Uuid,
  tombstoneId: Uuid,
  listeners: Listeners,
): Promise<number> {
  const orders = await tx<{ id: Uuid; createdAt: Date }[]>`/* lockOrders */
    select id, created_at as "createdAt" from placed_order where team_id = ${teamId} and person_id = ${personId}
    limit ${batchRows} for update skip locked`;
  if (orders.length === 0) return 0;
  // Locked where an earlier step has made it, so that a merge of its other orders does not remove it meanwhile.
  await tx`/* addTombstone */
    insert into person (team_id, id) values (${teamId}, ${tombstoneId})
    on conflict (team_id, id) do update set name = null where false`;
  const ids = tx(orders.map(({ id }) => id));
  await tell(listeners, 'ordersGone', tx, teamId, orders, 'erased');
  const erased = await tx`/* eraseOrders */
    update placed_order set person_id = ${tombstoneId}, ${eraseFields(tx)},
      said = nullif(said::jsonb - '{page,key}'::text[], '{}'::jsonb)::json
    where team_id = ${teamId} and id in ${ids}`;
  return erased.count;
}
