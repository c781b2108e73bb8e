import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import { forgetSummedDays } from '../../orders/sql/summedDay.js';
import { findTeam, isZone, updateTeam } from '../../teams/sql/team.js';
import type { Uuid } from '../../values/ids.js';
import { unchosenZone } from './zoneOffer.js';

/** Gives a team a time zone, if it has none of its own. Resolves with the team's; null for a text that is none. */
export async function chooseZone(sql: Sql, teamId: Uuid, zone: string): Promise<string | null> {
  if (!(await isZone(sql, zone))) return null;
  return inTransaction(sql, async (tx) => {
    const team = await findTeam(tx, teamId, { lock: true });
    // A colleague may have chosen another one.
    if (team?.zone !== unchosenZone) return team?.zone ?? null;
    await updateTeam(tx, { ...team, zone });
    await forgetSummedDays(tx, teamId);
    return zone;
  });
}
