import type { Sql } from '../../database/connection/connect.js';
import { anyOf } from '../../database/parameters.js';
import type { Uuid } from '../../values/ids.js';
import { dayMs } from '../../values/time.js';

// Times are those of the database's clock, so a wrong clock of a server neither ends nor prolongs anything.

/** Days for which a used or expired link is kept, so that the sign-in page can say which it is. */
const keepLinksDays = 30;

/**
 * Stores a link to a team's console, and removes the team's links that ended 30 days ago. Resolves with the time at which
 * the link expires.
 */
export async function createConsoleLink(
  sql: Sql,
  teamId: Uuid,
  { hash, validMs }: { hash: string; validMs: number },
): Promise<Date> {
  await sql`/* removeConsoleLinks */
    delete from console_link
    where team_id = ${teamId} and expires_at <= now() - ${keepLinksDays}::float8 * interval '1 day'`;
  const [link] = await sql<[{ expiresAt: Date }]>`/* createConsoleLink */
    insert into console_link (team_id, hash, created_at, expires_at)
    values (${teamId}, ${hash}, now(), now() + ${validMs}::float8 * interval '1 millisecond')
    returning expires_at as "expiresAt"`;
  return link.expiresAt;
}

/** Lifetime of a session after its last use. */
export const sessionMs = 30 * dayMs;
const ofSession = (sql: Sql) => sql`${sessionMs}::float8 * interval '1 millisecond'`;

/** New session. */
export interface NewConsoleSession {
  id: Uuid;
  /** SHA-256 of the cookie's token. */
  hash: string;
  /** Set if the browser has view-only access. */
  isReadOnly: boolean;
  /** Name of the browser, such as `Firefox on Windows`; null if unknown. */
  browser: string | null;
}

/** Outcome of opening a link: a session, or the reason why it gives none. A link that was withdrawn is `unknown`. */
export type LinkOutcome = 'redeemed' | 'used' | 'expired' | 'unknown';

/**
 * Exchanges a link for a session, inside a transaction. Of two requests with the same link only one gets a session,
 * because only one updates the row. Also removes the team's expired sessions.
 */
export async function redeemConsoleLink(
  tx: Sql,
  teamId: Uuid,
  linkHash: string,
  session: NewConsoleSession,
): Promise<LinkOutcome> {
  // A used link gets an expiry in the past, so that no other request finds it valid.
  const link = await tx`/* useConsoleLink */
    update console_link set expires_at = created_at
    where team_id = ${teamId} and hash = ${linkHash} and expires_at > now()`;
  if (link.count === 0) {
    const [ended] = await tx<{ isUsed: boolean }[]>`/* findEndedLink */
      select expires_at <= created_at as "isUsed" from console_link where team_id = ${teamId} and hash = ${linkHash}`;
    if (!ended) return 'unknown';
    return ended.isUsed ? 'used' : 'expired';
  }
  await tx`/* removeConsoleSessions */
    delete from console_session where team_id = ${teamId} and expires_at <= now()`;
  await tx`/* createConsoleSession */
    insert into console_session (team_id, hash, id, is_read_only, browser, created_at, last_seen_at, expires_at)
    values (${teamId}, ${session.hash}, ${session.id}, ${session.isReadOnly}, ${session.browser}, now(), now(), now() + ${ofSession(tx)})`;
  return 'redeemed';
}

/** Team and hash of a session: its key in the database. */
export interface ConsoleSessionKey {
  teamId: Uuid;
  /** SHA-256 of the cookie's token. */
  hash: string;
}

/** A live session with its team. */
export interface ConsoleSessionRow extends ConsoleSessionKey {
  teamName: string;
  zone: string;
  /** The team's currency; null if it was not chosen. */
  currency: string | null;
  isDemo: boolean;
  /** Set if it was last extended over an hour ago. So most pages cost no write. */
  isToBeExtended: boolean;
}

/**
 * Finds the sessions among `keys` that have not expired. If they are of several teams, one statement finds them all. If they
 * are of one team, the statement names it, because tables may be distributed by team.
 */
export function findConsoleSessions(sql: Sql, keys: readonly ConsoleSessionKey[]) {
  const teamId = keys[0]!.teamId;
  const hashes = keys.map(({ hash }) => hash);
  const isOfOneTeam = keys.every((key) => key.teamId === teamId);
  return sql<ConsoleSessionRow[]>`/* findConsoleSessions */
    select s.team_id as "teamId", s.hash, team.name as "teamName", team.zone, team.currency, team.is_demo as "isDemo",
      s.last_seen_at < now() - interval '1 hour' as "isToBeExtended"
    from console_session s join team on team.id = s.team_id
    where s.expires_at > now() and ${
      isOfOneTeam
        ? sql`s.team_id = ${teamId} and s.hash = ${anyOf(sql, hashes)}`
        : sql`(s.team_id, s.hash) in (
            select "teamId", hash from json_to_recordset(${JSON.stringify(keys)}::text::json)
              as k ("teamId" uuid, hash text)
          )`
    }`;
}

/** Records that a session was used, and extends it. */
export async function extendConsoleSession(sql: Sql, teamId: Uuid, hash: string): Promise<void> {
  await sql`/* extendConsoleSession */
    update console_session set last_seen_at = now(), expires_at = now() + ${ofSession(sql)}
    where team_id = ${teamId} and hash = ${hash}`;
}

/** A signed-in browser. */
export interface ListedConsoleSession {
  id: Uuid;
  /** SHA-256 of the cookie's token. */
  hash: string;
  /** Set if the browser has view-only access. */
  isReadOnly: boolean;
  /** Name of the browser, such as `Firefox on Windows`; null if unknown. */
  browser: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

/** Number of sessions that are listed. A signed-in person can make any number of links. */
const sessionsListed = 1_000;

/** Lists a team's sessions that have not expired, the newest first. */
export function listConsoleSessions(sql: Sql, teamId: Uuid) {
  return sql<ListedConsoleSession[]>`/* listConsoleSessions */
    select id, hash, is_read_only as "isReadOnly", browser, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from console_session
    where team_id = ${teamId} and expires_at > now()
    order by created_at desc, id desc
    limit ${sessionsListed}`;
}

/** Ends the session of a cookie. */
export async function removeConsoleSession(sql: Sql, teamId: Uuid, hash: string): Promise<void> {
  await sql`/* removeConsoleSession */
    delete from console_session where team_id = ${teamId} and hash = ${hash}`;
}

/** Ends one session of a team, or all its sessions and unused links. Resolves with the numbers of ended sessions and links. */
export async function revokeConsoleSessions(
  sql: Sql,
  teamId: Uuid,
  id?: Uuid,
): Promise<{ sessions: number; links: number }> {
  const sessions = await sql`/* revokeConsoleSessions */
    delete from console_session where team_id = ${teamId} ${id ? sql`and id = ${id}` : sql``}`;
  if (id) return { sessions: sessions.count, links: 0 };
  // Links that were used or have expired are removed, too, but not counted.
  const links = await sql`/* revokeConsoleLinks */
    delete from console_link where team_id = ${teamId} and expires_at > now()`;
  await sql`/* removeEndedLinks */ delete from console_link where team_id = ${teamId}`;
  return { sessions: sessions.count, links: links.count };
}
