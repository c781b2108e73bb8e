import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Ends the session of a cookie. */
export async function removeConsoleSession(sql: Sql, teamId: Uuid, hash: string): Promise<void> {
  await sql`/* removeConsoleSession */
    delete from console_session where team_id = ${teamId} and hash = ${hash}`;
}
