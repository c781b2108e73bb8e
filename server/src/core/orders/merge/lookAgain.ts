import { type AskAllTeams, askTogether, type RowsOfTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { doAll } from '../../../values/doAll.js';
import type { Uuid } from '../../../values/ids.js';
import { repeat } from '../../../values/repeat.js';
import { minuteMs } from '../../../values/time.js';
import type { Listener, Listeners } from '../../listener.js';
import { createTeamRounds } from '../../teams/teamRounds.js';
import type { PlaceStatements } from './placing.js';
import { expiredRefund, notifyUnplaced } from './unplaced.js';
import {
  listAwaited,
  listMeantOfLate,
  listWaitingTeams,
  placeAll,
  removeExpired,
  settleMeant,
} from './waiting.js';

/** Joins new orders with what was said of them before, behind their answers. */
export interface LookAgain {
  /** Notes a team of which something waits. */
  onWaiting: (teamId: Uuid) => void;
  /** Looks at new orders of teams of which something waits. Other orders cost one look at a set. */
  listener: Listener;
  /**
   * Learns from the database of which teams something waits, and looks again at their orders of the last ten minutes: other servers,
   * and those that died, may have stored more of them. Each hour, from the first time on, it looks at all that waits, and ends what
   * has waited too long.
   */
  round: () => Promise<void>;
  /** Does a round at the start and each minute. Returns a function that stops this. */
  start: (onFault: (error: unknown) => void) => () => Promise<void>;
}

/** Orders of one look. */
const fullBatch = 500;

/** Gives all orders of a team what waits for them. Several servers may do this concurrently. */
export async function settleTeam(sql: Sql, place: PlaceStatements, teamId: Uuid): Promise<void> {
  let before = '';
  for (;;) {
    const awaited = await listAwaited(sql, teamId);
    await placeAll(place, teamId, awaited);
    // What stays is of another buyer.
    const now = awaited.map(({ id }) => id).join();
    if (awaited.length < fullBatch || now === before) return;
    before = now;
  }
}

/**
 * Makes the step after the commit of a new order.
 * @param isEveryTeam true for a command, which does not know of which teams something waits
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

  return {
    onWaiting: (teamId) => teams.add(teamId),
    round,
    start: (onFault) => repeat(minuteMs, round, { onFault, firstMs: 0 }),
    listener: {
      onReportsStored(teamId, orders) {
        if (orders.length === 0 || !(isEveryTeam || teams.has(teamId))) return;
        // A fault is no loss: the next round looks again.
        return settleMeant(
          sql,
          place,
          teamId,
          orders.map(({ id }) => id),
        ).catch(() => {});
      },
    },
  };
}
