import type { Fragment, Sql } from '../../../../database/connection/connect.js';
import type { Uuid } from '../../../../values/ids.js';
import { type Listeners, notifyListeners } from '../../../listener.js';
import { eraseFields } from '../../fields.js';
import { eraseStatements } from '../../merge/sql/eraseStatements.js';

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
  await notifyListeners(listeners, 'onOrdersGone', tx, teamId, orders, 'erased');
  await eraseStatements(
    tx,
    teamId,
    personId,
    orders.map(({ id }) => id),
  );
  const erased = await tx`/* eraseOrders */
    update placed_order set person_id = ${tombstoneId}, ${eraseFields(tx)},
      said = nullif(said::jsonb - '{page,key,earlier}'::text[], '{}'::jsonb)::json
    where team_id = ${teamId} and id in ${ids}`;
  return erased.count;
}
