import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Revokes a team's key. Revoking it again keeps the first time. False when the team has no such key. */
export async function revokeKey(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  // Citus takes no now() in a coalesce.
  const { count } = await sql`/* revokeKey */
    update api_key set revoked_at = coalesce(revoked_at, ${new Date()}) where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}
