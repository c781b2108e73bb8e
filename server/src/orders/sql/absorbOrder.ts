import type { Sql } from '../../database/connection/connect.js';
import { moveSubject } from '../../hooks/sql/subject.js';
import type { Uuid } from '../../values/ids.js';
import type { StoredOrder } from '../storedOrder.js';
import { markRecount } from './summedDay.js';

/**
 * Gives the keys, refunds and deliveries of an order to another one of the same payment, and removes it, inside a
 * transaction that has locked both. Before the other one is updated, because it may take over the first key.
 */
export async function absorbOrder(
  tx: Sql,
  teamId: Uuid,
  absorbed: StoredOrder,
  order: StoredOrder,
): Promise<void> {
  // The key that becomes the order's first one keeps no values, as in `addOrderKey`.
  await tx`/* absorbOrder: keys */
    update order_key set placed_order_id = ${order.id},
      person_id = case when ${isFirst(tx, order)} then null when amount is null then ${absorbed.personId} else person_id end,
      currency = case when ${isFirst(tx, order)} then null else coalesce(currency, ${absorbed.currency}) end,
      amount = case when ${isFirst(tx, order)} then null else coalesce(amount, ${absorbed.amount}::numeric) end
    where team_id = ${teamId} and (
      (placed_order_id = ${absorbed.id} and amount is not null)
      or (idempotency_key = ${absorbed.idempotencyKey} and is_test = ${absorbed.isTest})
    )`;
  await tx`/* absorbOrder: refunds */
    update refund set placed_order_id = ${order.id}
    where team_id = ${teamId} and placed_order_id = ${absorbed.id}`;
  await moveSubject(tx, teamId, absorbed.id, order.id);
  await markRecount(tx, teamId, [absorbed.createdAt]);
  await tx`/* absorbOrder */
    delete from placed_order where team_id = ${teamId} and id = ${absorbed.id}`;
}

const isFirst = (tx: Sql, { idempotencyKey }: StoredOrder) =>
  tx`idempotency_key is not distinct from ${idempotencyKey}`;
