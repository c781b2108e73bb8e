import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Takes a team's domains and revokes its keys, inside a transaction: from its commit on no report of it is stored. */
export async function closeTeam(tx: Sql, teamId: Uuid, now: Date): Promise<void> {
  await tx`/* closeTeam: domains */ delete from domain where team_id = ${teamId}`;
  await tx`/* closeTeam: keys */
    update api_key set revoked_at = ${now} where team_id = ${teamId} and revoked_at is null`;
}
