import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { rowsOf } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';
import { paymentKind } from '../payment.js';
import { ordersOfKey } from './orderKeys.js';
import { hasOrderId } from './placedOrder.js';

/** The names of the order of a refund, each a value or an expression. */
export interface OrderNames {
  /** Of an `ord_…`; null where the refund does not name its order so. */
  id: Uuid | null;
  /** `ORD-…`, or any other text; null for none. Nobody knows a number before its order is stored. */
  orderNumber: string | null;
  orderId: Fragment | string | null;
  paymentId: Fragment | string | null;
  isTest: Fragment | boolean;
}

/**
 * The order that a refund names, as an expression; null for none. An order's own id and number come before all others,
 * because a page could take them for its own. Then the payment decides, because two payments may share an `orderId`, and the
 * `orderId` means no order of another payment. Last are the ids of a provider and of orders that were merged into one.
 */
export const namedOrder = (
  sql: Sql,
  teamId: Uuid,
  { id, orderNumber, orderId, paymentId, isTest }: OrderNames,
) => sql`coalesce(
      (
        select o.id from placed_order o
        where o.team_id = ${teamId} and (o.id = ${id} or o.order_number = ${orderNumber}) and o.is_test = ${isTest}
      ),
      (${ordersOfKey(sql, teamId, paymentId, isTest)}),
      (
        select id from placed_order o
        where o.team_id = ${teamId} and ${hasOrderId(sql, orderId)} and o.is_test = ${isTest}
          and o.id <> all (array(${ordersOfOtherPayment(sql, teamId, { orderId, paymentId })}))
        limit 1
      ),
      (${ordersOfKey(sql, teamId, orderId, isTest)} and amount is null)
    )`;

/** The orders of an `orderId` that are another payment's. Citus takes arrays where it refuses a join of two tables. */
const ordersOfOtherPayment = (
  sql: Sql,
  teamId: Uuid,
  { orderId, paymentId }: Pick<OrderNames, 'orderId' | 'paymentId'>,
) => sql`
            select placed_order_id from order_key
            where team_id = ${teamId} and amount is null and ${kindOfKey(sql, sql`key`)} = ${kindOfKey(sql, paymentId)}
              and placed_order_id = any(array(
                select id from placed_order o where o.team_id = ${teamId} and ${hasOrderId(sql, orderId)}
              ))`;

const kindOfKey = (sql: Sql, key: Fragment | string | null) =>
  sql`substring(${key}::text from ${paymentKind})`;

/** Finds the order of an `ord_…`, an `ORD-…` or a caller's own id; null for none. */
export async function findNamedOrder(
  sql: Sql,
  teamId: Uuid,
  names: Pick<OrderNames, 'id' | 'orderNumber' | 'orderId' | 'isTest'>,
): Promise<Uuid | null> {
  const [row] = await sql<[{ id: Uuid | null }]>`/* findNamedOrder */
    select ${namedOrder(sql, teamId, { ...names, paymentId: null })} as id`;
  return row.id;
}

/**
 * Finds the order that a refund names, and keeps others from changing it, or from refunding it, until the transaction
 * ends. Null when there is none.
 */
export async function lockNamedOrder(
  tx: Sql,
  teamId: Uuid,
  names: { [Name in keyof OrderNames]: Exclude<OrderNames[Name], Fragment> },
): Promise<Uuid | null> {
  const name = names.orderId ?? names.paymentId;
  async function lock() {
    const rows = await tx<{ id: Uuid; name: string | null }[]>`/* lockNamedOrder */
      select id, ${name}::text as name from placed_order
      where team_id = ${teamId} and is_test = ${names.isTest} and id = ${namedOrder(tx, teamId, names)}
      for update`;
    return rowsOf(name, rows, (row) => row.name);
  }
  const [first] = await lock();
  // The order that it waited for may be gone, because another one of the same payment has absorbed it: that one has its keys.
  const order = first ?? (await lock())[0];
  return order?.id ?? null;
}
