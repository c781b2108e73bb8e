import type { Listener } from '../listener.js';
import type { TeamRounds } from '../teams/teamRounds.js';
import { countRefunds, eraseReasons, moveRefunds } from './sql/refund.js';
import { unplaceRefunds } from './sql/waitingRefund.js';

/**
 * Keeps refunds with their orders.
 * @param settling gives waiting refunds their orders
 */
export const createRefundListener = (settling?: Pick<TeamRounds, 'wake'>): Listener => ({
  stored: (teamId) => settling?.wake(teamId),
  // They may reach further now.
  orderChanged: (tx, teamId, { after }) => countRefunds(tx, teamId, after.id),
  orderMerged: (tx, teamId, from, into) => moveRefunds(tx, teamId, from.id, into.id),
  async ordersGone(tx, teamId, orders, how) {
    const ids = orders.map(({ id }) => id);
    if (how === 'erased') await eraseReasons(tx, teamId, ids);
    else await unplaceRefunds(tx, teamId, ids);
  },
});
