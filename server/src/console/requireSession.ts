import { hash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { readAccessToken } from '../teams/accessTokens.js';
import { extendConsoleSession } from '../teams/sql/consoleSession.js';
import { encodeId } from '../values/ids.js';
import type { ConsoleDeps, ConsoleEnv } from './context.js';
import { getSessionCookie, setSessionCookie } from './sessionCookie.js';

/** Lets signed-in browsers through, with their session in `c.var.session`, and sends others to the sign-in page. */
export function requireSession(deps: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  return async function requireSession(c, next) {
    const token = getSessionCookie(c, deps);
    const read = token === undefined ? null : readAccessToken(token);
    const found = read && (await deps.findSession(read, c.env.incoming));
    if (!found) return c.redirect(`${c.var.base}/console/sign-in`, 303);
    if (found.isToBeExtended) {
      await deps.ask((sql) => extendConsoleSession(sql, read.teamId, read.hash));
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
