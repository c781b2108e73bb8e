import { hash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { readAccessToken } from '../teams/accessTokens.js';
import { extendConsoleSession, findConsoleSession } from '../teams/sql/consoleSession.js';
import { encodeId } from '../values/ids.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { sessionCookie, sessionMs, setSessionCookie } from './cookies.js';
import { readReader } from './reader.js';
import { redirect } from './replyPage.js';

/** A session's end moves at most this often: a page costs no write then. */
const extendEveryMs = 60 * 60_000;

/**
 * Lets signed-in people through, puts who they are into `c.get('session')`, and sends others to the sign-in page.
 * Asks the database each time: a session that was revoked ends at once, on every server.
 */
export function requireSession(deps: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  return async function requireSession(c, next) {
    const token = getCookie(c, sessionCookie(c, deps));
    const read = token === undefined ? null : readAccessToken(token);
    const now = new Date();
    const found = read && (await deps.ask((sql) => findConsoleSession(sql, read.teamId, read.hash, now)));
    if (!found) return redirect(c, `${basePath(deps.publicUrl())}/console/sign-in`);
    if (now.getTime() - found.lastSeenAt.getTime() > extendEveryMs) {
      const expiresAt = new Date(now.getTime() + sessionMs);
      await deps.ask((sql) => extendConsoleSession(sql, read.teamId, read.hash, { now, expiresAt }));
      setSessionCookie(c, deps, token!);
    }
    c.set('session', {
      ...read,
      teamName: found.teamName,
      isDemo: found.isDemo,
      formToken: hash('sha256', `form ${token}`, 'base64url'),
    });
    c.set('team', encodeId('team', read.teamId));
    c.set('reader', readReader(c));
    return next();
  };
}
