import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** A session that is about to begin. */
export interface NewConsoleSession {
  id: Uuid;
  /** SHA-256 of the cookie's token. */
  hash: string;
  now: Date;
  expiresAt: Date;
}

/**
 * Begins a session in exchange for a link, which is gone then; false when the link is unknown, used or expired.
 * Of two requests with the same link one gets a session, because only one deletes the row. Sessions of the team
 * that have expired go too.
 */
export async function redeemConsoleLink(
  sql: Sql,
  teamId: Uuid,
  linkHash: string,
  session: NewConsoleSession,
): Promise<boolean> {
  const { count } = await sql`/* redeemConsoleLink */
    with link as (
      delete from console_link
      where team_id = ${teamId} and hash = ${linkHash} and expires_at > ${session.now}
      returning team_id
    ), expired as (
      delete from console_session where team_id = ${teamId} and expires_at <= ${session.now}
    )
    insert into console_session (team_id, hash, id, created_at, last_seen_at, expires_at)
    select link.team_id, ${session.hash}, ${session.id}, ${session.now}, ${session.now}, ${session.expiresAt}
    from link`;
  return count === 1;
}
