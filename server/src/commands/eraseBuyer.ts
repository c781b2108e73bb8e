import { setTimeout as delay } from 'node:timers/promises';
import type { Listeners } from '../core/listener.js';
import { createPlaceStatements } from '../core/orders/merge/placeStatements.js';
import { eraseMentions, removeWaitingOf } from '../core/orders/merge/sql/eraseStatements.js';
import { eraseOrders } from '../core/orders/store/sql/placedOrder.js';
import { findPerson, removePerson } from '../core/people/sql/person.js';
import type { Sql } from '../database/connection/connect.js';
import { isLocked, isRetryableConflict } from '../database/failures.js';
import { inTransaction, retryConflicts } from '../database/inTransaction.js';
import { newUuid, type Uuid } from '../values/ids.js';
import type { PersonPart } from './personPart.js';

/** Rounds of erasing. An order that is stored concurrently, such as of a replayed report, needs one more. Over ten do not happen. */
const roundsAtMost = 10;

/**
 * Erases a person, and the data that features keep of the email. That data goes first, so that an order that is made from it
 * is erased, too.
 * @returns null if nothing is stored of the person or the email
 */
export async function eraseBuyer(
  sql: Sql,
  teamId: Uuid,
  { id, email }: { id: Uuid; email: string },
  { listeners, parts }: { listeners: Listeners; parts: readonly PersonPart[] },
) {
  const erased = { name: null as string | null, orders: 0, subscriptions: 0 };
  const removed: Record<string, number> = {};
  let isFound = false;
  const place = createPlaceStatements(sql, listeners);
  for (let round = 0; round < roundsAtMost; round++) {
    for (const { name, erase } of parts) {
      if (erase) removed[name] = (removed[name] ?? 0) + (await erase(sql, teamId, email));
    }
    const waiting = await removeWaitingOf(sql, teamId, id);
    const others = await retryConflicts(() => inTransaction(sql, (tx) => eraseMentions(tx, teamId, id)));
    for (const { id: orderId, isTest } of others)
      await place(teamId, isTest, { stated: [], orderIds: [orderId] });
    const person = await findPerson(sql, teamId, id);
    isFound ||= person !== undefined || waiting + others.length > 0;
    if (!person) break;
    const { orders, subscriptions } = await erasePerson(sql, teamId, id, listeners);
    erased.name ??= person.name;
    erased.orders += orders;
    erased.subscriptions += subscriptions;
  }
  for (const { forget } of parts) if (forget && (await forget(sql, teamId, email)) > 0) isFound = true;
  return isFound || Object.values(removed).some((count) => count > 0) ? { ...erased, removed } : null;
}

/** Time for which it retries while another transaction holds the person or one of the orders. */
const tryForMs = 30_000;
const pauseMs = 50;

/**
 * Erases a person. Subscriptions are removed. Orders keep their money, lose name and visitor, and get the erased buyer. The
 * person's own row is removed last. Works in short steps, so that a report waits for one step at most. An order that is
 * stored for the person concurrently is erased, too. Resolves with the numbers of orders and subscriptions.
 * @throws Error if it is not finished within 30 s: what is erased by then stays erased, and the next call continues
 */
export async function erasePerson(sql: Sql, teamId: Uuid, personId: Uuid, listeners: Listeners) {
  const tombstoneId = newUuid();
  const endMs = performance.now() + tryForMs;
  for (let orders = 0; ; await delay(pauseMs)) {
    for (let count = -1; count !== 0; orders += count) {
      count = await retryConflicts(() =>
        inTransaction(sql, (tx) => eraseOrders(tx, teamId, personId, tombstoneId, listeners)),
      );
    }
    const subscriptions = await remove(sql, teamId, personId, listeners);
    if (subscriptions !== null) return { orders, subscriptions };
    if (performance.now() < endMs) continue;
    throw new Error(
      `Not finished: another session has locked this person or one of the orders for ${tryForMs / 1000} s. ${orders} orders are erased. Run this again for the rest.`,
    );
  }
}

/** Removes the person. Null if an order or a new subscription has the person, or another transaction holds the row. */
async function remove(sql: Sql, teamId: Uuid, personId: Uuid, listeners: Listeners): Promise<number | null> {
  try {
    return await inTransaction(sql, (tx) => removePerson(tx, teamId, personId, listeners));
  } catch (error) {
    if (isRetryableConflict(error) || isLocked(error)) return null;
    throw error;
  }
}
