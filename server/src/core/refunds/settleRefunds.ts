import type { Sql } from '../../database/connection/connect.js';
import { inTransaction, retryConflicts } from '../../database/inTransaction.js';
import { doAll } from '../../values/doAll.js';
import type { Uuid } from '../../values/ids.js';
import type { Listeners } from '../listener.js';
import { lockOrder } from '../orders/sql/knownOrders.js';
import { createTeamRounds, type TeamRounds } from '../teams/teamRounds.js';
import {
  isAwaited,
  listAwaited,
  listWaitingTeams,
  placeWaiting,
  removeExpiredRefunds,
} from './sql/waitingRefund.js';

/**
 * Gives each waiting refund of a team its order, if that is stored by now. Several servers may do this concurrently. Lists do
 * not wait for it: they show a refund that came before its order up to a minute late.
 */
export async function settleRefunds(sql: Sql, teamId: Uuid, listeners: Listeners): Promise<void> {
  await doAll(await listAwaited(sql, teamId), (orderId) => place(sql, teamId, orderId, listeners));
}

/** Gives an order the refunds that wait for it; called before an order is read. Locks nothing where none waits. */
export type SettleOrder = (sql: Sql, teamId: Uuid, orderId: Uuid) => Promise<void>;

/** Makes the function that settles an order. */
export const createSettleOrder =
  (listeners: Listeners): SettleOrder =>
  async (sql, teamId, orderId) => {
    if (await isAwaited(sql, teamId, orderId)) await place(sql, teamId, orderId, listeners);
  };

function place(sql: Sql, teamId: Uuid, orderId: Uuid, listeners: Listeners): Promise<void> {
  return retryConflicts(() =>
    inTransaction(sql, async (tx) => {
      await lockOrder(tx, teamId, orderId);
      await placeWaiting(tx, teamId, orderId, listeners);
    }),
  );
}

/** Makes the background work that gives waiting refunds their orders, and removes those that have waited for 30 days. */
export function createSettlingRefunds(sql: Sql, listeners: Listeners): TeamRounds {
  return createTeamRounds({
    listTeams: () => listWaitingTeams(sql),
    settle: (teamId) => settleRefunds(sql, teamId, listeners),
    async hourly() {
      await doAll(await listWaitingTeams(sql), ({ teamId }) => removeExpiredRefunds(sql, teamId));
    },
  });
}
