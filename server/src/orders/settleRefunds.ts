import { retryConflicts } from '../database/batch/retryConflicts.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';
import { lockOrder } from './sql/knownOrders.js';
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
export async function settleRefunds(sql: Sql, teamId: Uuid): Promise<void> {
  for (const orderId of await listAwaited(sql, teamId)) await place(sql, teamId, orderId);
}

/** Gives an order the refunds that wait for it. Locks nothing where none does. Whoever reads one order calls this first. */
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

/** The background work that gives waiting refunds their orders. */
export interface SettlingRefunds {
  /** Records that a report of a team was stored: an order that a refund waits for may be among its orders. */
  onStored: (teamId: Uuid) => void;
  /** One round of the work. */
  settle: () => Promise<void>;
  /** Starts a round each minute. Returns a function that stops this. */
  start: () => () => void;
}

const everyMs = 60_000;
const roundsOfAll = 60;

/**
 * Settles the refunds of the teams that this server stores orders of, each minute. The first time, and
 * then every hour, it settles those of all teams, because a command or a server that died may have stored orders, and removes
 * those that have waited for 90 days. After a failure the same teams are due again a minute later.
 */
export function createSettlingRefunds(sql: Sql): SettlingRefunds {
  const stored = new Set<Uuid>();
  let round = 0;

  async function settle(): Promise<void> {
    const isOfAll = round++ % roundsOfAll === 0;
    if (isOfAll) for (const teamId of await listWaitingTeams(sql)) stored.add(teamId);
    for (const teamId of [...stored]) {
      stored.delete(teamId);
      try {
        await settleRefunds(sql, teamId);
        if (isOfAll) await removeExpiredRefunds(sql, teamId);
      } catch (error) {
        stored.add(teamId);
        throw error;
      }
    }
  }

  return {
    onStored: (teamId) => stored.add(teamId),
    settle,
    start() {
      const timer = setInterval(() => void settle().catch(() => {}), everyMs).unref();
      return () => clearInterval(timer);
    },
  };
}
