import { type AskAllTeams, askTogether, type RowsOfTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { doAll } from '../../../values/doAll.js';
import type { Uuid } from '../../../values/ids.js';
import { repeat } from '../../../values/repeat.js';
import { minuteMs } from '../../../values/time.js';
import type { Listener, Listeners, StoredOrder } from '../../listener.js';
import { createTeamRounds } from '../../teams/teamRounds.js';
import type { PlaceStatements } from './placing.js';
import { expiredRefund, notifyUnplaced } from './unplaced.js';
import {
  listAwaited,
  listMeantOfLate,
  listOfSamePayment,
  listWaitingTeams,
  placeAll,
  removeExpired,
  settleMeant,
} from './waiting.js';

/** Places statements that arrived before their order: looks at new orders again, after their reports were answered. */
export interface LookAgain {
  /** Called with a team in which a statement waits, or an order has a second number. Only new orders of such teams are looked at. */
  onWaiting: (teamId: Uuid) => void;
  /**
   * Looks at the new orders of the teams that `onWaiting` named, and at each new order with a payment's id. The payment's event may
   * have been stored at the same moment. Any other order costs one lookup in a set.
   */
  listener: Listener;
  /**
   * Looks again at the orders of the last ten minutes, in all teams that have waiting statements in the database. Other servers,
   * also ones that died, may have stored more of these orders. The first round, and then one each hour, looks at all waiting
   * statements and removes those that have waited too long.
   */
  round: () => Promise<void>;
  /** Does a round immediately and then each minute. Returns a function that stops the rounds. */
  start: (onFault: (error: unknown) => void) => () => Promise<void>;
}

/** Most orders that one query returns. */
const fullBatch = 500;

/** Places all waiting statements of a team for which an order exists. Several servers may do this concurrently. */
export async function settleTeam(sql: Sql, place: PlaceStatements, teamId: Uuid): Promise<void> {
  let before = '';
  for (;;) {
    const awaited = await listAwaited(sql, teamId);
    await placeAll(place, teamId, awaited);
    // The remaining statements name another buyer.
    const now = awaited.map(({ id }) => id).join();
    if (awaited.length < fullBatch || now === before) return;
    before = now;
  }
}

/**
 * Creates the step that follows the commit of new orders.
 * @param isEveryTeam set for a command, which does not know which teams have waiting statements
 */
export function createLookAgain(
  sql: Sql,
  place: PlaceStatements,
  listeners: Listeners,
  isEveryTeam: boolean,
  askAllTeams: AskAllTeams = askTogether,
): LookAgain {
  const teams = new Set<Uuid>();
  let waiting: RowsOfTeams<{ teamId: Uuid }> = { rows: [], missing: [] };
  const hours = createTeamRounds({
    listTeams: async () => waiting,
    async settle(teamId) {
      await settleTeam(sql, place, teamId);
      for (const refund of await removeExpired(sql, teamId))
        notifyUnplaced(listeners, teamId, expiredRefund(refund));
    },
  });

  async function round(): Promise<void> {
    waiting = await askAllTeams((ofTeams) => listWaitingTeams(sql, ofTeams));
    for (const { teamId } of waiting.rows) teams.add(teamId);
    const lookAtLate = () =>
      doAll(waiting.rows, async ({ teamId }) => placeAll(place, teamId, await listMeantOfLate(sql, teamId)));
    await doAll([lookAtLate, hours.round], (step) => step());
  }

  async function lookAtNew(teamId: Uuid, orders: readonly StoredOrder[]): Promise<void> {
    if (orders.length > 0 && (isEveryTeam || teams.has(teamId)))
      await settleMeant(
        sql,
        place,
        teamId,
        orders.map(({ id }) => id),
      );
    const paid = orders.filter(({ providerIds = [] }) => providerIds.length > 0).map(({ id }) => id);
    if (paid.length > 0) await placeAll(place, teamId, await listOfSamePayment(sql, teamId, paid));
  }

  return {
    onWaiting: (teamId) => teams.add(teamId),
    round,
    start: (onFault) => repeat(minuteMs, round, { onFault, firstMs: 0 }),
    listener: {
      onReportsStored(teamId, orders) {
        // A fault loses nothing: the next round, or the payment's next event, looks again.
        return lookAtNew(teamId, orders).catch(() => {});
      },
    },
  };
}
