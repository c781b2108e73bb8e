import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../database/connection/connect.js';
import { isRetryableConflict } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { eraseOrders } from '../orders/sql/eraseOrders.js';
import { hasOrders } from '../orders/sql/hasOrders.js';
import { removePerson } from '../people/sql/person.js';
import { newUuid, type Uuid } from '../values/ids.js';

/** How long another transaction may hold one of the orders, or the person, before this gives up. */
const tryForMs = 30_000;
const pauseMs = 50;

/**
 * Erases a person: subscriptions go, orders keep their money but lose name and visitor and belong to nobody, and the
 * person's own row goes last. In short steps, so that no report waits for more than one of them: what is stored for
 * the person meanwhile is erased too. Resolves with how many orders and subscriptions those were. Rejects when it
 * cannot be finished within 30 s; what is erased by then stays so, and erasing again goes on from there.
 */
export async function erasePerson(sql: Sql, teamId: Uuid, personId: Uuid) {
  const tombstoneId = newUuid();
  const endMs = performance.now() + tryForMs;
  for (let orders = 0; ; await delay(pauseMs)) {
    for (let count = -1; count !== 0; orders += count) {
      count = await inTransaction(sql, (tx) => eraseOrders(tx, teamId, personId, tombstoneId));
    }
    if (!(await hasOrders(sql, teamId, personId))) {
      const subscriptions = await remove(sql, teamId, personId);
      if (subscriptions !== null) return { orders, subscriptions };
    }
    if (performance.now() < endMs) continue;
    throw new Error(
      `Not finished: another session has locked this person or one of the orders for ${tryForMs / 1000} s. ${orders} orders are erased; run it again for the rest.`,
    );
  }
}

/** Null when a report came between, or another transaction holds the person. */
async function remove(sql: Sql, teamId: Uuid, personId: Uuid): Promise<number | null> {
  try {
    return await inTransaction(sql, (tx) => removePerson(tx, teamId, personId));
  } catch (error) {
    if (isRetryableConflict(error) || (error as { code?: unknown }).code === '55P03') return null;
    throw error;
  }
}
