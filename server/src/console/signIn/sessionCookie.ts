import { deleteCookie, setCookie } from 'hono/cookie';
import { type HeldToken, readAccessToken } from '../../core/teams/consoleAccess.js';
import { sessionMs } from '../../core/teams/sql/consoleSession.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import type { ConsoleContext } from '../context.js';

/** Sessions of one browser that are looked up. Others of its cookies are not read. */
const sessionsReadAtMost = 20;

/** Cookies that look like sessions, of which anybody can make up any number, that are looked at. */
const cookiesReadAtMost = 2 * sessionsReadAtMost;
/** A session of ours, in a header of any cookies. */
const ownCookie = /(?:^|;)[ \t]*((?:__Host-)?orderbeacon_team_\w{1,64})=([\w.~-]{1,256})(?=[ \t]*(?:;|$))/g;

const nameOf = (teamId: Uuid) => `orderbeacon_${encodeId('team', teamId)}`;

/** Reads the sessions of a browser, one a team: that of the given team first. */
export function readSessionCookies(c: ConsoleContext, first?: Uuid | null): HeldToken[] {
  const prefix = c.var.cookies.prefix ? '__Host-' : '';
  const held: HeldToken[] = [];
  const seen = new Set<string>();
  // Other programs' cookies may be hundreds: nothing of them is parsed.
  for (const [, name = '', token = ''] of (c.req.header('cookie') ?? '').matchAll(ownCookie)) {
    if (seen.size === cookiesReadAtMost) break;
    if (seen.has(name)) continue;
    seen.add(name);
    const read = readAccessToken(token);
    if (!read || name !== prefix + nameOf(read.teamId)) continue;
    if (read.teamId === first) held.unshift({ ...read, token });
    else held.push({ ...read, token });
  }
  return held.slice(0, sessionsReadAtMost);
}

/** Gives a session to the browser, in a cookie of its team. No script can read it, and no other site can send it. */
export function setSessionCookie(c: ConsoleContext, { teamId, token }: HeldToken): void {
  setCookie(c, nameOf(teamId), token, {
    ...c.var.cookies,
    maxAge: sessionMs / 1000,
    httpOnly: true,
    sameSite: 'Strict',
  });
}

/** Makes the browser forget its session of a team. */
export function deleteSessionCookie(c: ConsoleContext, teamId: Uuid): void {
  deleteCookie(c, nameOf(teamId), c.var.cookies);
}
