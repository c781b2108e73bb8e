import { createTeamRounds, type TeamRounds } from '../../core/teams/teamRounds.js';
import { type AskAllTeams, askTogether } from '../../database/askAllTeams.js';
import type { Sql } from '../../database/connection/connect.js';
import { doAll } from '../../values/doAll.js';
import { emptyDiscarded, listRefusedTeams, removeExpired, removeSettled } from './sql/removeRefused.js';

/** Removes kept reports that are older than 30 days. */
export async function expireRefused(sql: Sql, askAllTeams: AskAllTeams = askTogether): Promise<void> {
  const { rows } = await askAllTeams((ofTeams) => listRefusedTeams(sql, ofTeams));
  await doAll(rows, ({ teamId }) => removeExpired(sql, teamId));
}

/**
 * Creates the background job that removes settled reports: those whose orders are stored, and those discarded more than
 * a day ago. Without it, a team whose reports are no longer refused would keep its buyers' emails forever. Expiry
 * begins an hour after the start, because a machine's clock may be wrong until then.
 */
export function createCleaningRefused(sql: Sql, askAllTeams: AskAllTeams = askTogether): TeamRounds {
  return createTeamRounds({
    listTeams: () => askAllTeams((ofTeams) => listRefusedTeams(sql, ofTeams)),
    async settle(teamId) {
      await emptyDiscarded(sql, teamId);
      await removeSettled(sql, teamId);
    },
    async hourly(hour) {
      if (hour > 0) await expireRefused(sql, askAllTeams);
    },
  });
}
