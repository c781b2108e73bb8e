import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Notes that a session was used, and moves its end. */
export async function extendConsoleSession(
  sql: Sql,
  teamId: Uuid,
  hash: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await sql`/* extendConsoleSession */
    update console_session set last_seen_at = ${now}, expires_at = ${expiresAt}
    where team_id = ${teamId} and hash = ${hash}`;
}
