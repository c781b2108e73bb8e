import type { Fragment, Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { JudgedReport } from '../knownOrder.js';
import type { FurtherKey, Identifiers } from '../storedOrder.js';

/** The order that a report's `Idempotency-Key` is kept with, as an expression; null for none. */
export const orderOfKey = (
  sql: Sql,
  teamId: Uuid,
  key: Fragment | string | null,
  isTest: Fragment | boolean,
) => sql`(
      select placed_order_id from order_key
      where team_id = ${teamId} and idempotency_key = ${key} and order_key.is_test = ${isTest}
    )`;

/** Every `Idempotency-Key` that an order is known by, as a subquery. */
export const keysOfOrder = (sql: Sql, teamId: Uuid, orderId: Uuid) => sql`
      select idempotency_key from placed_order where team_id = ${teamId} and id = ${orderId}
      union all
      select idempotency_key from order_key
      where team_id = ${teamId} and placed_order_id = ${orderId} and amount is not null`;

/**
 * Further keys of an order. A job that reports all orders each night, with a new key each time, would add rows for ever. A
 * report with a new key names its order by the `orderId`, so its retry is found without the key.
 */
export const furtherKeysAtMost = 100;

/**
 * Keeps a key with a known order, inside a transaction that has locked the order. A further one beyond 100 is kept only if it
 * is that of a payment, by which refunds find the order. Rejects with 23505 when another report
 * has kept the key meanwhile.
 * @param said what the key's report said; null for the first key of the order
 */
export async function addOrderKey(
  tx: Sql,
  teamId: Uuid,
  { idempotencyKey, isTest, isOfPayment }: JudgedReport,
  orderId: Uuid,
  said: FurtherKey | null,
): Promise<void> {
  if (said !== null && !isOfPayment && (await countFurtherKeys(tx, teamId, orderId)) >= furtherKeysAtMost)
    return;
  const { personId, amount, currency } = said ?? { personId: null, amount: null, currency: null };
  await tx`/* addOrderKey */
    insert into order_key (team_id, idempotency_key, is_test, placed_order_id, person_id, amount, currency)
    values (
      ${teamId}, ${idempotencyKey}, ${isTest}, ${orderId},
      ${personId}, ${amount}, ${currency}
    )`;
}

async function countFurtherKeys(tx: Sql, teamId: Uuid, orderId: Uuid): Promise<number> {
  const [row] = await tx<[{ keys: number }]>`/* countFurtherKeys */
    select count(*)::int as keys from order_key
    where team_id = ${teamId} and placed_order_id = ${orderId} and amount is not null`;
  return row.keys;
}

/** True when a key has reported an order of that mode with this `orderId` or this `Idempotency-Key`. */
export async function isToldByKey(
  sql: Sql,
  teamId: Uuid,
  { orderId, idempotencyKey }: Pick<Identifiers, 'orderId' | 'idempotencyKey'>,
  isTest: boolean,
): Promise<boolean> {
  const rows = await sql`/* isToldByKey */
    select from order_key
    where team_id = ${teamId} and idempotency_key = ${idempotencyKey} and is_test = ${isTest}
    union all
    select from placed_order
    where team_id = ${teamId} and order_id = ${orderId} and is_test = ${isTest} and reported_by <> 'browser'`;
  return rows.length > 0;
}

/** Removes all keys of an order that was discarded, in the same transaction. */
export async function removeOrderKeys(
  tx: Sql,
  teamId: Uuid,
  { id, firstKey, isTest }: { id: Uuid; firstKey: string | null; isTest: boolean },
): Promise<void> {
  await tx`/* removeOrderKeys */
    delete from order_key
    where team_id = ${teamId} and placed_order_id = ${id}
      and (amount is not null or (idempotency_key = ${firstKey} and is_test = ${isTest}))`;
}

/** Removes an erased person from the values of further keys. */
export async function eraseFromKeys(tx: Sql, teamId: Uuid, personId: Uuid): Promise<void> {
  await tx`/* eraseFromKeys */
    update order_key set person_id = null where team_id = ${teamId} and person_id = ${personId}`;
}
