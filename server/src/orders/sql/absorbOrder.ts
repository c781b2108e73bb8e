import type { Sql } from '../../database/connection/connect.js';
import { moveSubject } from '../../hooks/sql/subject.js';
import type { Uuid } from '../../values/ids.js';
import type { StoredOrder } from '../storedOrder.js';
import { moveOrderKeys } from './orderKeys.js';
import { markRecount } from './summedDay.js';

/**
 * Gives the keys, refunds and deliveries of an order to another one of the same payment, and removes it, inside a
 * transaction that has locked both. Its own id and number lead to the other one from then on.
 */
export async function absorbOrder(
  tx: Sql,
  teamId: Uuid,
  absorbed: StoredOrder,
  order: StoredOrder,
): Promise<void> {
  await moveOrderKeys(tx, teamId, absorbed, order.id);
  await tx`/* absorbOrder: refunds */
    update refund set placed_order_id = ${order.id}
    where team_id = ${teamId} and placed_order_id = ${absorbed.id}`;
  await moveSubject(tx, teamId, absorbed.id, order.id);
  await markRecount(tx, teamId, [absorbed.createdAt]);
  await tx`/* absorbOrder */
    delete from placed_order where team_id = ${teamId} and id = ${absorbed.id}`;
}
