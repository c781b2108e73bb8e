import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

// Times are those of the database's clock: a server whose clock is wrong neither ends nor prolongs anything.

/**
 * Stores a link to a team's console, and removes the team's expired links. Resolves with the time at which the link
 * expires.
 */
export async function createConsoleLink(
  sql: Sql,
  teamId: Uuid,
  { hash, validMs }: { hash: string; validMs: number },
): Promise<Date> {
  await sql`/* removeConsoleLinks */
    delete from console_link where team_id = ${teamId} and expires_at <= now()`;
  const [link] = await sql<[{ expiresAt: Date }]>`/* createConsoleLink */
    insert into console_link (team_id, hash, created_at, expires_at)
    values (${teamId}, ${hash}, now(), now() + ${validMs}::float8 * interval '1 millisecond')
    returning expires_at as "expiresAt"`;
  return link.expiresAt;
}

/** Lifetime of a session after its last use. */
export const sessionMs = 30 * 24 * 60 * 60_000;
const ofSession = (sql: Sql) => sql`${sessionMs}::float8 * interval '1 millisecond'`;

/** New session. */
export interface NewConsoleSession {
  id: Uuid;
  /** SHA-256 of the cookie's token. */
  hash: string;
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
    where team_id = ${teamId} and hash = ${linkHash} and expires_at > now()`;
  if (link.count === 0) return false;
  await tx`/* removeConsoleSessions */
    delete from console_session where team_id = ${teamId} and expires_at <= now()`;
  await tx`/* createConsoleSession */
    insert into console_session (team_id, hash, id, created_at, last_seen_at, expires_at)
    values (${teamId}, ${session.hash}, ${session.id}, now(), now(), now() + ${ofSession(tx)})`;
  return true;
}

/** A live session with its team. */
export interface ConsoleSessionRow {
  hash: string;
  teamName: string;
  isDemo: boolean;
  /** True when it was last extended an hour ago: seldom, so that most pages cost no write. */
  isToBeExtended: boolean;
}

/** Finds those sessions of a team that have not expired; other hashes have no row. */
export function findConsoleSessions(sql: Sql, teamId: Uuid, hashes: readonly string[]) {
  return sql<ConsoleSessionRow[]>`/* findConsoleSessions */
    select s.hash, team.name as "teamName", team.is_demo as "isDemo",
      s.last_seen_at < now() - interval '1 hour' as "isToBeExtended"
    from console_session s join team on team.id = ${teamId}
    where s.team_id = ${teamId} and s.expires_at > now()
      and s.hash = any(array(select json_array_elements_text(${JSON.stringify(hashes)}::text::json)))`;
}

/** Records that a session was used, and extends it. */
export async function extendConsoleSession(sql: Sql, teamId: Uuid, hash: string): Promise<void> {
  await sql`/* extendConsoleSession */
    update console_session set last_seen_at = now(), expires_at = now() + ${ofSession(sql)}
    where team_id = ${teamId} and hash = ${hash}`;
}

/** Lists a team's sessions that have not expired, the newest first. */
export function listConsoleSessions(sql: Sql, teamId: Uuid) {
  return sql<{ id: Uuid; createdAt: Date; lastSeenAt: Date; expiresAt: Date }[]>`/* listConsoleSessions */
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from console_session
    where team_id = ${teamId} and expires_at > now()
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
