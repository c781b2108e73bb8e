import type { Sql } from '../../../database/connection/connect.js';
import { doAll } from '../../../values/doAll.js';
import type { Uuid } from '../../../values/ids.js';
import { repeat } from '../../../values/repeat.js';
import { minuteMs } from '../../../values/time.js';
import type { Listener } from '../../listener.js';
import { createTeamRounds, type TeamRounds } from '../../teams/teamRounds.js';
import type { PlaceStatements } from './placing.js';
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
  /** At the start, and each minute: other servers, and those that died, may have stored orders, or what they are meant by. */
  rounds: TeamRounds;
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

/** Looks once more at the late orders of a team, of which others may have said more before this server knew of it. */
export const settleLate = async (sql: Sql, place: PlaceStatements, teamId: Uuid): Promise<void> =>
  placeAll(place, teamId, await listMeantOfLate(sql, teamId));

/**
 * Makes the step after the commit of a new order.
 * @param isEveryTeam true for a command, which does not know of which teams something waits
 */
export function createLookAgain(sql: Sql, place: PlaceStatements, isEveryTeam: boolean): LookAgain {
  const teams = new Set<Uuid>();
  const rounds = createTeamRounds({
    listTeams: () => listWaitingTeams(sql),
    settle: (teamId) => settleTeam(sql, place, teamId),
    async hourly() {
      await doAll(await listWaitingTeams(sql), ({ teamId }) => removeExpired(sql, teamId));
    },
  });

  /** Learns of teams from other servers, and looks at orders that were stored before they were known here. */
  async function round(): Promise<void> {
    const waiting = await listWaitingTeams(sql);
    for (const { teamId } of waiting) teams.add(teamId);
    await doAll(waiting, ({ teamId }) => settleLate(sql, place, teamId));
    await rounds.round();
  }

  return {
    onWaiting: (teamId) => teams.add(teamId),
    rounds: {
      ...rounds,
      round,
      start: (onFault) => repeat(minuteMs, round, { onFault, firstMs: 0 }),
    },
    listener: {
      stored(teamId, orders) {
        if (orders.length === 0 || !(isEveryTeam || teams.has(teamId))) return;
        rounds.wake(teamId);
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
