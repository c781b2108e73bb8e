import { setTimeout as delay } from 'node:timers/promises';
import { retryConflicts } from '../database/batch/retryConflicts.js';
import type { Sql } from '../database/connection/connect.js';
import { isRetryableConflict } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { eraseOrders, hasOrders } from '../orders/sql/placedOrder.js';
import { removePerson } from '../people/sql/person.js';
import { newUuid, type Uuid } from '../values/ids.js';

/** Time limit while another transaction holds the person or one of the orders. */
const tryForMs = 30_000;
const pauseMs = 50;

/**
 * Erases a person. Subscriptions are removed. Orders keep their money, lose name and visitor, and belong to nobody. The
 * person's own row is removed last. Works in short steps, so that a report waits for one step at most; an order that is
 * stored for the person meanwhile is erased too. Resolves with the numbers of orders and subscriptions. Rejects when it
 * is not finished within 30 s: what is erased by then stays erased, and the next call continues.
 */
export async function erasePerson(sql: Sql, teamId: Uuid, personId: Uuid) {
  const tombstoneId = newUuid();
  const endMs = performance.now() + tryForMs;
  for (let orders = 0; ; await delay(pauseMs)) {
    for (let count = -1; count !== 0; orders += count) {
      count = await retryConflicts(() =>
        inTransaction(sql, (tx) => eraseOrders(tx, teamId, personId, tombstoneId)),
      );
    }
    if (!(await hasOrders(sql, teamId, personId))) {
      const subscriptions = await remove(sql, teamId, personId);
      if (subscriptions !== null) return { orders, subscriptions };
    }
    if (performance.now() < endMs) continue;
    throw new Error(
      `Not finished: another session has locked this person or one of the orders for ${tryForMs / 1000} s. ${orders} orders are erased. Run this again for the rest.`,
    );
  }
}

/** Removes the person. Null when a new report needs the person, or when another transaction holds the row. */
async function remove(sql: Sql, teamId: Uuid, personId: Uuid): Promise<number | null> {
  try {
    return await inTransaction(sql, (tx) => removePerson(tx, teamId, personId));
  } catch (error) {
    if (isRetryableConflict(error) || (error as { code?: unknown }).code === '55P03') return null;
    throw error;
  }
}
