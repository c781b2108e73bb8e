import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** A session that is about to begin. */
export interface NewConsoleSession {
  id: Uuid;
  /** SHA-256 of the cookie's token. */
  hash: string;
  now: Date;
  expiresAt: Date;
}

/**
 * Begins a session in exchange for a link, which is gone then, inside a transaction; false when the link is unknown,
 * used or expired. Of two requests with the same link one gets a session, because only one deletes the row. Sessions
 * of the team that have expired go too.
 */
export async function redeemConsoleLink(
  tx: Sql,
  teamId: Uuid,
  linkHash: string,
  session: NewConsoleSession,
): Promise<boolean> {
  const link = await tx`/* useConsoleLink */
    delete from console_link
    where team_id = ${teamId} and hash = ${linkHash} and expires_at > ${session.now}`;
  if (link.count === 0) return false;
  await tx`/* removeConsoleSessions */
    delete from console_session where team_id = ${teamId} and expires_at <= ${session.now}`;
  await tx`/* createConsoleSession */
    insert into console_session (team_id, hash, id, created_at, last_seen_at, expires_at)
    values (${teamId}, ${session.hash}, ${session.id}, ${session.now}, ${session.now}, ${session.expiresAt})`;
  return true;
}
