import { hash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { readAccessToken } from '../teams/accessTokens.js';
import { extendConsoleSession, findConsoleSession } from '../teams/sql/consoleSession.js';
import { encodeId } from '../values/ids.js';
import type { ConsoleDeps, ConsoleEnv } from './context.js';
import { getSessionCookie, sessionMs, setSessionCookie } from './sessionCookie.js';

/** A session's end moves at most this often, so that most pages cost no write. */
const extendEveryMs = 60 * 60_000;

/**
 * Lets signed-in browsers through, with their session in `c.var.session`, and sends others to the sign-in page.
 * Asks the database each time: a revoked session ends immediately, on every server.
 */
export function requireSession(deps: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  return async function requireSession(c, next) {
    const token = getSessionCookie(c, deps);
    const read = token === undefined ? null : readAccessToken(token);
    const now = new Date();
    const found = read && (await deps.ask((sql) => findConsoleSession(sql, read.teamId, read.hash, now)));
    if (!found) return c.redirect(`${c.var.base}/console/sign-in`, 303);
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
    return next();
  };
}
