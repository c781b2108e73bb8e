import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Stores a link to a team's console, and removes the team's links that have expired. */
export async function createConsoleLink(
  sql: Sql,
  teamId: Uuid,
  link: { hash: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`/* removeConsoleLinks */
    delete from console_link where team_id = ${teamId} and expires_at <= ${link.now}`;
  await sql`/* createConsoleLink */
    insert into console_link (team_id, hash, created_at, expires_at)
    values (${teamId}, ${link.hash}, ${link.now}, ${link.expiresAt})`;
}
