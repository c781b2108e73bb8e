import type { RowsOfTeams } from '../../database/askAllTeams.js';
import type { Uuid } from '../../values/ids.js';
import { repeat } from '../../values/repeat.js';
import { minuteMs } from '../../values/time.js';

/** Background work on the teams that this server stores reports of. */
export interface TeamRounds {
  /** Marks a team for the next round, because a report of it was stored. */
  wake: (teamId: Uuid) => void;
  /** Works once on all teams that are due. Rejects with the first error, after the work on all of them. */
  round: () => Promise<void>;
  /** Does a round each minute. Returns a function that stops the rounds. */
  start: (onFault: (error: unknown) => void) => () => Promise<void>;
}

const roundsOfHour = 60;

/**
 * Creates the rounds. Each minute they work on the teams that this server has stored reports of. The first time, and then every
 * hour, they work on all teams, because a command, or a server that died, may have stored orders. Teams are worked on one after
 * another, so a team with much work delays the others. A team whose work fails is due again a minute later, and stops no other.
 * @param work.listTeams lists all teams that have work; if the list is incomplete, each round asks again
 * @param work.hourly called after the work on all teams; `hour` is 0 the first time; default: nothing
 */
export function createTeamRounds({
  listTeams,
  settle,
  hourly,
}: {
  listTeams: () => PromiseLike<RowsOfTeams<{ teamId: Uuid }>>;
  settle: (teamId: Uuid) => Promise<unknown>;
  hourly?: (hour: number) => Promise<void>;
}): TeamRounds {
  const due = new Set<Uuid>();
  let rounds = 0;
  let isWhole = false;

  async function round(): Promise<void> {
    const hour = rounds / roundsOfHour;
    const isHourly = Number.isInteger(hour);
    if (isHourly || !isWhole) {
      const listed = await listTeams();
      isWhole = listed.missing.length === 0;
      for (const { teamId } of listed.rows) due.add(teamId);
    }
    rounds++;
    const faults: unknown[] = [];
    for (const teamId of [...due]) {
      due.delete(teamId);
      await settle(teamId).catch((fault) => {
        due.add(teamId);
        faults.push(fault);
      });
    }
    if (isHourly) await hourly?.(hour);
    if (faults.length > 0) throw faults[0];
  }

  return {
    wake: (teamId) => due.add(teamId),
    round,
    start: (onFault) => repeat(minuteMs, round, { onFault }),
  };
}
