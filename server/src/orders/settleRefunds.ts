import { retryConflicts } from '../database/batch/retryConflicts.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';
import { lockOrder } from './sql/knownOrders.js';
import { isAwaited, listAwaited, listWaitingTeams, placeWaiting } from './sql/waitingRefund.js';

/**
 * Gives each waiting refund of a team its order, if that is stored by now. Everything that reads refunds calls this first,
 * because the order's own statement knows nothing of refunds. Several servers may do this concurrently.
 */
export async function settleRefunds(sql: Sql, teamId: Uuid): Promise<void> {
  for (const orderId of await listAwaited(sql, teamId)) await place(sql, teamId, orderId);
}

/** Gives an order the refunds that wait for it. Locks nothing where none does. */
export async function settleOrder(sql: Sql, teamId: Uuid, orderId: Uuid): Promise<void> {
  if (await isAwaited(sql, teamId, orderId)) await place(sql, teamId, orderId);
}

function place(sql: Sql, teamId: Uuid, orderId: Uuid): Promise<void> {
  return retryConflicts(() =>
    inTransaction(sql, async (tx) => {
      await lockOrder(tx, teamId, orderId);
      await placeWaiting(tx, teamId, orderId);
    }),
  );
}

const everyMs = 60_000;

/**
 * Settles the refunds of all teams each minute, for readers that do not settle them, such as reports of known orders.
 * Returns a function that stops this. After a failure the next attempt is a minute later.
 */
export function startSettlingRefunds(sql: Sql): () => void {
  async function settleAll(): Promise<void> {
    for (const teamId of await listWaitingTeams(sql)) await settleRefunds(sql, teamId);
  }
  const timer = setInterval(() => void settleAll().catch(() => {}), everyMs).unref();
  return () => clearInterval(timer);
}
