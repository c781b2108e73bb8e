import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import { encodeId, type Uuid } from '../../../values/ids.js';
import { defaults } from '../defaults.js';
import type { JudgedReport } from '../report.js';
import type { StoredOrder } from '../storedOrder.js';

/** The orders that are known by a key, an expression, as a subquery. */
export const ordersOfKey = (
  sql: Sql,
  teamId: Uuid,
  key: Fragment | string | null,
  isTest: Fragment | boolean,
) => sql`
      select placed_order_id from order_key
      where team_id = ${teamId} and key = ${key} and order_key.is_test = ${isTest}`;

/** Every key that an order is known by, as a subquery. */
export const keysOfOrder = (sql: Sql, teamId: Uuid, orderId: Fragment | Uuid) => sql`
      select key from order_key where team_id = ${teamId} and placed_order_id = ${orderId}`;

/**
 * `Idempotency-Key`s of an order at most. A job that reports all orders each night, with a new key each time, would add rows
 * for ever. A report with a new key names its order by the `orderId`, so its retry is found without the key.
 */
export const idempotencyKeysAtMost = 100;

/**
 * Keeps keys with a known order, inside a transaction that has locked the order: those of providers, and an
 * `Idempotency-Key` with the money that its report said, unless the order has 100. Rejects with 23505 when another report has
 * kept one of them meanwhile.
 */
export async function addOrderKeys(
  tx: Sql,
  teamId: Uuid,
  { idempotencyKey, isTest, amount, currency }: JudgedReport,
  orderId: Uuid,
  newKeys: readonly string[],
): Promise<void> {
  for (const key of newKeys) {
    const isOfBackend = key === idempotencyKey;
    if (isOfBackend && (await countIdempotencyKeys(tx, teamId, orderId)) >= idempotencyKeysAtMost) continue;
    await tx`/* addOrderKey */
      insert into order_key (team_id, key, is_test, placed_order_id, amount, currency)
      values (
        ${teamId}, ${key}, ${isTest}, ${orderId}, ${isOfBackend ? String(amount) : null}, ${isOfBackend ? (currency ?? defaults.currency) : null}
      )`;
  }
}

async function countIdempotencyKeys(tx: Sql, teamId: Uuid, orderId: Uuid): Promise<number> {
  const [row] = await tx<[{ keys: number }]>`/* countIdempotencyKeys */
    select count(*)::int as keys from order_key
    where team_id = ${teamId} and placed_order_id = ${orderId} and amount is not null`;
  return row.keys;
}

/**
 * Gives the keys of an order to another one of the same payment, which is known by the removed order's own id and number from
 * then on, too, unless a backend has given one of these to another order as an `Idempotency-Key`.
 */
export async function moveOrderKeys(
  tx: Sql,
  teamId: Uuid,
  from: Pick<StoredOrder, 'id' | 'orderNumber' | 'isTest'>,
  to: Uuid,
): Promise<void> {
  await tx`/* moveOrderKeys */
    update order_key set placed_order_id = ${to} where team_id = ${teamId} and placed_order_id = ${from.id}`;
  await tx`/* addAliases */
    insert into order_key (team_id, key, is_test, placed_order_id)
    values
      (${teamId}, ${encodeId('ord', from.id)}, ${from.isTest}, ${to}),
      (${teamId}, ${from.orderNumber}, ${from.isTest}, ${to})
    on conflict (team_id, key, is_test) do update set amount = null, currency = null
      where order_key.placed_order_id = excluded.placed_order_id`;
}

/** Removes all keys of orders that were discarded, in the same transaction. */
export async function removeOrderKeys(tx: Sql, teamId: Uuid, orderIds: readonly Uuid[]): Promise<void> {
  await tx`/* removeOrderKeys */
    delete from order_key where team_id = ${teamId} and placed_order_id = ${anyOf(tx, orderIds, 'uuid')}`;
}
