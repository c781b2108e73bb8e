import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Ends one session of a team, or all of them together with its unused links; resolves with how many sessions and links. */
export async function revokeConsoleSessions(
  sql: Sql,
  teamId: Uuid,
  id?: Uuid,
): Promise<{ sessions: number; links: number }> {
  const sessions = await sql`/* revokeConsoleSessions */
    delete from console_session where team_id = ${teamId} ${id ? sql`and id = ${id}` : sql``}`;
  if (id) return { sessions: sessions.count, links: 0 };
  const links = await sql`/* revokeConsoleLinks */ delete from console_link where team_id = ${teamId}`;
  return { sessions: sessions.count, links: links.count };
}
