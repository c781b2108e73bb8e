import type { Fragment, Sql } from '../../../../database/connection/connect.js';
import type { Uuid } from '../../../../values/ids.js';
import { type Listeners, notifyListeners } from '../../../listener.js';
import { eraseFields } from '../../fields.js';
import { eraseStatements } from '../../merge/sql/eraseStatements.js';

/**
 * A condition: true for the order `o` that owns an `orderId`. The index of order ids only has owners.
 * @param orderId a value, or an expression such as `any(…)`
 */
export const hasOrderId = (sql: Sql, orderId: Fragment | string | null) =>
  sql`(o.order_id = ${orderId} and o.shares_id_with is null)`;

/** An expression: the refunded sum of a row of `placed_order`, from what its refunds count. */
export const refundedOf = (sql: Sql, teamId: Uuid, order: Fragment = sql`placed_order`) =>
  sql`coalesce((
      select sum(refund.counts) from refund
      where refund.team_id = ${teamId} and refund.placed_order_id = ${order}.id
    ), 0)`;

/** Days in which the last order of a host is searched. Otherwise a host without orders would cost a read of all orders. */
const lastOrderDays = 30;

/** Finds the time of a host's last order, live or test, in the last 30 days; null if it had no order. */
export async function findLastOrderOf(sql: Sql, teamId: Uuid, host: string): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }[]>`/* findLastOrderOf */
    select created_at as "createdAt" from placed_order
    where team_id = ${teamId} and created_at > now() - ${lastOrderDays}::int * interval '1 day' and host = ${host}
    order by created_at desc
    limit 1`;
  return row?.createdAt ?? null;
}

/** Most orders of one transaction. Reports of these orders wait until it ends, which took 20 ms. */
const batchRows = 500;

/**
 * Removes a person from some of their orders, inside a transaction, and resolves with the number of these orders. The orders keep
 * their money and items, but lose every personal field. They then belong to a person without email or name. An order that is being
 * changed is left for the next call. The person's row is not locked, so that reports of the same person continue.
 * @param tombstoneId id of the nameless person; it is not derived from the email
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
  // Locked if an earlier step has created it, so that a concurrent merge of its other orders does not remove it.
  await tx`/* addTombstone */
    insert into person (team_id, id) values (${teamId}, ${tombstoneId})
    on conflict (team_id, id) do update set name = null where false`;
  const ids = tx(orders.map(({ id }) => id));
  await notifyListeners(listeners, 'onOrdersGone', tx, teamId, orders, 'erased');
  await eraseStatements(
    tx,
    teamId,
    orders.map(({ id }) => id),
  );
  const erased = await tx`/* eraseOrders */
    update placed_order set person_id = ${tombstoneId}, ${eraseFields(tx)},
      said = nullif(said::jsonb - '{page,key,earlier}'::text[], '{}'::jsonb)::json
    where team_id = ${teamId} and id in ${ids}`;
  return erased.count;
}
