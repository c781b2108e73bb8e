import type { MiddlewareHandler } from 'hono';
import { sumRefused } from '../../refused/sql/listRefused.js';
import { extendConsoleSession } from '../../teams/sql/consoleSession.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId } from '../../values/ids.js';
import { once } from '../../values/once.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { signOutPath } from '../parts/form.js';
import { deleteSessionCookie, readSessionCookies, setSessionCookie } from './sessionCookie.js';
import { renderReload } from './signIn.js';

/**
 * Lets browsers through that are signed in to the team of the address, with their session in `c.var.session`. Others are
 * asked to sign in.
 * @throws ApiError `domain_not_allowed` when a browser that may look only posts a form that changes something
 */
export function requireSession(deps: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  return async function requireSession(c, next) {
    const teamId = decodeId('team', c.req.param('team')!);
    const held = readSessionCookies(c, teamId);
    const sessions = held[0]?.teamId === teamId ? await deps.findSessions(held, c.env.incoming) : [];
    const session = sessions.find((found) => found.teamId === teamId);
    if (!session) {
      if (teamId && held[0]?.teamId === teamId) deleteSessionCookie(c, teamId);
      return askToSignIn(c);
    }
    if (session.isToBeExtended) {
      await deps.ask(session.teamId, (sql) => extendConsoleSession(sql, session.teamId, session.hash));
      setSessionCookie(c, session);
    }
    c.set('team', encodeId('team', session.teamId));
    c.set('home', `${c.var.base}/console/${c.var.team}`);
    c.set('session', {
      ...session,
      otherTeams: sessions
        .filter((other) => other !== session)
        .map(({ teamId, teamName }) => ({ id: teamId, name: teamName })),
    });
    c.set('viewer', { ...c.var.viewer, zone: session.zone });
    c.set(
      'sumRefused',
      once(() => deps.ask(session.teamId, (sql) => sumRefused(sql, session.teamId))),
    );
    if (session.isReadOnly && c.req.method === 'POST' && !c.req.path.endsWith(signOutPath)) {
      throw new ApiError('domain_not_allowed', {
        message: 'You have view-only access. Ask a colleague who may change things.',
      });
    }
    return next();
  };
}

/**
 * Leads to the sign-in page, which leads back. A browser that comes from a link on another site does not send its cookies
 * (`SameSite=Strict`), so it is asked to load the page once more: then the request is of this site.
 */
export function askToSignIn(c: ConsoleContext): Response | Promise<Response> {
  if (c.req.method === 'GET' && c.req.header('sec-fetch-site') === 'cross-site') return renderReload(c);
  const { pathname, search } = new URL(c.req.url);
  const to = c.req.method === 'GET' ? `?${new URLSearchParams({ to: pathname + search })}` : '';
  return c.redirect(`${c.var.base}/console/sign-in${to}`, 303);
}

/** Leads an address without a team, such as `/console/orders`, to the same page of the first team that the browser is signed in to. */
export async function leadToTeam(c: ConsoleContext, deps: ConsoleDeps): Promise<Response> {
  const [session] = await deps.findSessions(readSessionCookies(c), c.env.incoming);
  if (!session) return askToSignIn(c);
  const { pathname, search } = new URL(c.req.url);
  const rest = pathname.replace(/^\/console\/?/, '/').replace(/\/$/, '');
  return c.redirect(`${c.var.base}/console/${encodeId('team', session.teamId)}${rest}${search}`, 303);
}
