import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { type Listeners, tell } from '../../listener.js';
import { namedOrder, type OrderNames } from '../../orders/sql/namedOrder.js';
import { keysOfOrder } from '../../orders/sql/orderKeys.js';
import { countRefunds } from './refund.js';

/** The names of a waiting refund's order, for `namedOrder`. */
const namesOfWaiting = (sql: Sql): OrderNames => ({
  id: null,
  orderNumber: null,
  orderId: sql`refund.order_id`,
  paymentId: sql`refund.payment_id`,
  isTest: sql`refund.is_test`,
});

/** True for a waiting refund that names an order, as a condition. Its first part is two look-ups in indexes. */
const waitsFor = (sql: Sql, teamId: Uuid, orderId: Uuid) => sql`
      refund.team_id = ${teamId} and placed_order_id is null and (
        refund.order_id = (select order_id from placed_order where team_id = ${teamId} and id = ${orderId})
        or refund.order_id = any(array(${keysOfOrder(sql, teamId, orderId)}))
        or payment_id = any(array(${keysOfOrder(sql, teamId, orderId)}))
      )
      and ${namedOrder(sql, teamId, namesOfWaiting(sql))} = ${orderId}`;

/** Lists a team's orders that refunds wait for, at most 500. */
export async function listAwaited(sql: Sql, teamId: Uuid): Promise<Uuid[]> {
  const rows = await sql<{ id: Uuid }[]>`/* listAwaited */
    select distinct id
    from (
      select ${namedOrder(sql, teamId, namesOfWaiting(sql))} as id from refund
      where team_id = ${teamId} and placed_order_id is null
    ) named
    where id is not null
    limit 500`;
  return rows.map(({ id }) => id);
}

/** True when a refund waits for an order. */
export async function isAwaited(sql: Sql, teamId: Uuid, orderId: Uuid): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`/* isAwaited */
    select exists (select from refund where ${waitsFor(sql, teamId, orderId)})`;
  return row.exists;
}

/** Gives an order the refunds that wait for it, inside a transaction that has locked the order. */
export async function placeWaiting(
  tx: Sql,
  teamId: Uuid,
  orderId: Uuid,
  listeners: Listeners,
): Promise<void> {
  const [placed] = await tx<{ isTest: boolean }[]>`/* placeWaiting */
    update refund set placed_order_id = ${orderId},
      reason = case when exists (
        select from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
        where o.team_id = ${teamId} and o.id = ${orderId} and person.email is not null
      ) then reason end
    where ${waitsFor(tx, teamId, orderId)}
    returning is_test as "isTest"`;
  if (!placed) return;
  await countRefunds(tx, teamId, orderId);
  await tell(listeners, 'orderRefunded', tx, teamId, { id: orderId, ...placed });
}

/** Counts a team's waiting refunds of a mode, up to a number. */
export async function countWaitingRefunds(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  atMost: number,
): Promise<number> {
  const [row] = await tx<[{ count: number }]>`/* countWaitingRefunds */
    select count(*)::int as count from (
      select from refund
      where team_id = ${teamId} and is_test = ${isTest} and placed_order_id is null limit ${atMost}
    ) waiting`;
  return row.count;
}

/** Lists the teams that have waiting refunds. Asks every node of a cluster. */
export function listWaitingTeams(sql: Sql) {
  return sql<{ teamId: Uuid }[]>`/* listWaitingTeams */
    select distinct team_id as "teamId" from refund where placed_order_id is null`;
}

/** Removes a team's refunds that have waited for 30 days, by the time of the database. */
export async function removeExpiredRefunds(sql: Sql, teamId: Uuid): Promise<void> {
  await sql`/* removeExpiredRefunds */
    delete from refund
    where team_id = ${teamId} and placed_order_id is null and waits_since < now() - interval '30 days'`;
}

/** Makes the refunds of orders that are discarded wait again, in the same transaction. */
export async function unplaceRefunds(tx: Sql, teamId: Uuid, orderIds: Uuid[]): Promise<void> {
  await tx`/* unplaceRefunds */
    update refund set placed_order_id = null, counts = null, currency = null, waits_since = now()
    where team_id = ${teamId} and placed_order_id in ${tx(orderIds)}`;
}
