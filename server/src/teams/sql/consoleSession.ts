import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Stores a link to a team's console, and removes the team's expired links. */
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

/** New session. */
export interface NewConsoleSession {
  id: Uuid;
  /** SHA-256 of the cookie's token. */
  hash: string;
  now: Date;
  expiresAt: Date;
}

/**
 * Exchanges a link for a session, inside a transaction. False when the link is unknown, used or expired. Of two requests
 * with the same link only one gets a session, because only one deletes the row. Also removes the team's expired
 * sessions.
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

/** A live session with its team. */
export interface ConsoleSessionRow {
  id: Uuid;
  teamName: string;
  isDemo: boolean;
  lastSeenAt: Date;
}

/** Finds a session that has not expired; undefined for any other hash. */
export async function findConsoleSession(
  sql: Sql,
  teamId: Uuid,
  hash: string,
  now: Date,
): Promise<ConsoleSessionRow | undefined> {
  const rows = await sql<ConsoleSessionRow[]>`/* findConsoleSession */
    select s.id, team.name as "teamName", team.is_demo as "isDemo", s.last_seen_at as "lastSeenAt"
    from console_session s join team on team.id = ${teamId}
    where s.team_id = ${teamId} and s.hash = ${hash} and s.expires_at > ${now}`;
  return rows[0];
}

/** Records that a session was used, and extends it. */
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

/** Lists a team's sessions that have not expired, the newest first. */
export function listConsoleSessions(sql: Sql, teamId: Uuid, now: Date) {
  return sql<{ id: Uuid; createdAt: Date; lastSeenAt: Date; expiresAt: Date }[]>`/* listConsoleSessions */
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from console_session
    where team_id = ${teamId} and expires_at > ${now}
    order by created_at desc, id desc`;
}

/** Ends the session of a cookie. */
export async function removeConsoleSession(sql: Sql, teamId: Uuid, hash: string): Promise<void> {
  await sql`/* removeConsoleSession */
    delete from console_session where team_id = ${teamId} and hash = ${hash}`;
}

/** Ends one session of a team, or all sessions and unused links. Resolves with the numbers of sessions and links. */
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
