import type { MiddlewareHandler } from 'hono';
import { extendConsoleSession } from '../../core/teams/sql/consoleSession.js';
import type { Sql } from '../../database/connection/connect.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { once } from '../../values/once.js';
import type { ConsoleContext, ConsoleEnv, Query, QueryOnce } from '../context.js';
import type { ConsoleDeps, ConsolePart } from '../part.js';
import { signOutPath } from '../parts/form.js';
import { deleteSessionCookie, readSessionCookies, setSessionCookie } from './sessionCookie.js';
import { renderReload, renderSignedOut } from './signIn.js';

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
    const isSigningOut = c.req.path === `/console/${c.req.param('team')}${signOutPath}`;
    if (!session) {
      if (teamId && held[0]?.teamId === teamId) deleteSessionCookie(c, teamId);
      return c.req.method === 'POST' && !isSigningOut ? renderSignedOut(c) : askToSignIn(c);
    }
    if (session.isToBeExtended) {
      await deps.inTurn(session.teamId, (sql) => extendConsoleSession(sql, session.teamId, session.hash));
      setSessionCookie(c, session);
    }
    if (session.isReadOnly && c.req.method === 'POST' && !isSigningOut) {
      throw new ApiError('domain_not_allowed', {
        message: 'You have view-only access. Ask a colleague who may change things.',
      });
    }
    const others = sessions.filter((other) => other !== session);
    c.set('session', {
      ...session,
      otherTeams: others.map(({ teamId, teamName }) => ({ id: teamId, name: teamName })),
    });
    c.set('viewer', { ...c.var.viewer, zone: session.zone });
    setUpPage(c, deps.parts, (statement, ...args) =>
      deps.inTurn(session.teamId, (sql) => statement(sql, session.teamId, ...args)),
    );
    return next();
  };
}

/** Sets what the pages of a team use. */
function setUpPage(c: ConsoleContext, parts: readonly ConsolePart[], query: Query): void {
  const { teamId, isDemo } = c.var.session;
  const team = encodeId('team', teamId);
  const home = `${c.var.base}/console/${team}`;
  // All orders of the demo team are tests.
  const usual = isDemo ? 'test' : 'live';
  const asked = c.req.query('mode');
  const mode = asked === 'live' || asked === 'test' ? asked : usual;
  c.env.exchange.facts.team = team;
  c.set('home', home);
  c.set('query', query);
  c.set('queryOnce', createQueryOnce(query));
  c.set('isTest', mode === 'test');
  c.set('link', (path, parameters) => {
    const [address, fragment] = path.split('#');
    const all = { ...(mode !== usual && { mode }), ...parameters };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given.filter(([name, value]) => name !== 'mode' || value !== usual));
    return `${home}${address}${search.size > 0 ? `?${search}` : ''}${fragment === undefined ? '' : `#${fragment}`}`;
  });
  c.set(
    'readPlaces',
    once(() => {
      const places = parts.flatMap(({ place }) => place ?? []);
      return Promise.all(places.map(async (place) => ({ ...place, mark: await place.mark?.(c) })));
    }),
  );
}

function createQueryOnce(query: Query): QueryOnce {
  const results = new Map<unknown, Promise<unknown>>();
  return <Result>(statement: (sql: Sql, teamId: Uuid) => PromiseLike<Result>) => {
    const result = results.get(statement) ?? query(statement);
    results.set(statement, result);
    return result as Promise<Result>;
  };
}

/**
 * Leads to the sign-in page, which leads back. A browser that comes from a link on another site does not send its cookies
 * (`SameSite=Strict`), so it is asked to load the page once more: then the request is of this site.
 */
function askToSignIn(c: ConsoleContext): Response | Promise<Response> {
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
