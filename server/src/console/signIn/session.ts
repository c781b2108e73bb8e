import type { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { Sql } from '../../database/connection/connect.js';
import { isWorkerAway } from '../../database/failures.js';
import type { InTurn } from '../../database/turns.js';
import type { LimitRate } from '../../http/rateLimit.js';
import { createBoundedMap } from '../../values/boundedMap.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { once } from '../../values/once.js';
import { type HeldToken, readAccessToken } from '../access/consoleAccess.js';
import {
  type ConsoleSessionRow,
  extendConsoleSession,
  findConsoleSessions,
  sessionMs,
} from '../access/consoleSession.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext, ConsoleEnv, Query, QueryOnce } from '../context.js';
import { signOutPath } from '../parts/form.js';
import type { Section } from '../section.js';
import { anonymous } from '../turns.js';
import { renderReload, renderSignedOut } from './signIn.js';

/**
 * Lets a browser through if it is signed in to the team of the address, and sets `c.var.session`. Others are asked to sign
 * in.
 * @throws ApiError `domain_not_allowed` if a browser with view-only access posts a form that changes something
 */
export function requireSession(
  { inTurn, parts }: ConsoleDeps,
  findSessions: FindSessions,
): MiddlewareHandler<ConsoleEnv> {
  return async function requireSession(c, next) {
    const teamId = decodeId('team', c.req.param('team')!);
    const held = readSessionCookies(c, teamId);
    const sessions = held[0]?.teamId === teamId ? await findSessions(held, c.env.incoming) : [];
    const session = sessions.find((found) => found.teamId === teamId);
    const isSigningOut = c.req.path === `/console/${c.req.param('team')}${signOutPath}`;
    if (!session) {
      if (teamId && held[0]?.teamId === teamId) deleteSessionCookie(c, teamId);
      return c.req.method === 'POST' && !isSigningOut ? renderSignedOut(c) : askToSignIn(c);
    }
    if (session.isToBeExtended) {
      await inTurn(session.teamId, (sql) => extendConsoleSession(sql, session.teamId, session.hash));
      setSessionCookie(c, session);
    }
    if (session.isReadOnly && c.req.method === 'POST' && !isSigningOut) {
      throw new ApiError('domain_not_allowed', {
        message: 'You have view-only access. Ask whoever sent you the link for one with more rights.',
      });
    }
    const others = sessions.filter((other) => other !== session);
    c.set('session', {
      ...session,
      otherTeams: others.map(({ teamId, teamName }) => ({ id: teamId, name: teamName })),
    });
    c.set('viewer', { ...c.var.viewer, zone: session.zone });
    setUpPage(c, parts.sections, (statement, ...args) =>
      inTurn(session.teamId, (sql) => statement(sql, session.teamId, ...args)),
    );
    return next();
  };
}

/** Sets the variables that the pages of a team use. */
function setUpPage(c: ConsoleContext, sections: readonly Section[], query: Query): void {
  const { teamId, isDemo } = c.var.session;
  const team = encodeId('team', teamId);
  const home = `${c.var.base}/console/${team}`;
  // All orders of the demo team are test orders.
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
    'readNavigation',
    once(() => Promise.all(sections.map(async (section) => ({ ...section, mark: await section.mark?.(c) })))),
  );
}

function createQueryOnce(query: Query): QueryOnce {
  const results = new Map<unknown, Map<string, Promise<unknown>>>();
  return <Args extends readonly (string | boolean)[], Result>(
    statement: (sql: Sql, teamId: Uuid, ...args: Args) => PromiseLike<Result>,
    ...args: Args
  ) => {
    const ofStatement = results.get(statement) ?? new Map<string, Promise<unknown>>();
    results.set(statement, ofStatement);
    const words = args.join(' ');
    const result =
      ofStatement.get(words) ?? query((sql: Sql, teamId: Uuid) => statement(sql, teamId, ...args));
    ofStatement.set(words, result);
    return result as Promise<Result>;
  };
}

/**
 * Leads to the sign-in page, which leads back. A browser that follows a link on another site does not send its cookies
 * (`SameSite=Strict`). It is asked to load the page again, because that request comes from this site.
 */
function askToSignIn(c: ConsoleContext): Response | Promise<Response> {
  if (c.req.method === 'GET' && c.req.header('sec-fetch-site') === 'cross-site') return renderReload(c);
  const { pathname, search } = new URL(c.req.url);
  const to = c.req.method === 'GET' ? `?${new URLSearchParams({ to: pathname + search })}` : '';
  return c.redirect(`${c.var.base}/console/sign-in${to}`, 303);
}

/** Leads an address without a team, such as `/console/orders`, to the same page of the browser's first team. */
export async function leadToTeam(c: ConsoleContext, findSessions: FindSessions): Promise<Response> {
  const [session] = await findSessions(readSessionCookies(c), c.env.incoming);
  if (!session) return askToSignIn(c);
  const { pathname, search } = new URL(c.req.url);
  const rest = pathname.replace(/^\/console\/?/, '/').replace(/\/$/, '');
  return c.redirect(`${c.var.base}/console/${encodeId('team', session.teamId)}${rest}${search}`, 303);
}

/** A browser's session that has not ended. */
export type LiveSession = HeldToken & Omit<ConsoleSessionRow, 'teamId' | 'hash'>;

/**
 * Finds those of a browser's sessions that have not ended. It asks the database each time, in one statement, so a revoked
 * session ends immediately, on every server.
 * @throws ApiError `rate_limited`, `unavailable`
 */
export type FindSessions = (
  held: readonly HeldToken[],
  incoming: IncomingMessage,
) => Promise<readonly LiveSession[]>;

/** Number of sessions that this server remembers to have seen; some 150 bytes each. */
const sessionsCached = 10_000;

/**
 * Creates the look-up of sessions. If this server has seen one of the browser's sessions, the statement waits in its team's
 * queue. Otherwise anybody may have made up the cookies: the statement waits in the queue of strangers, and counts towards the
 * rate limit of its address, as a made-up API key does.
 */
export function createFindSessions(inTurn: InTurn, limitRate: LimitRate): FindSessions {
  const seen = createBoundedMap<true>(sessionsCached);

  return async function findSessions(held, incoming) {
    if (held.length === 0) return [];
    const known = held.find(({ hash }) => seen.get(hash));
    if (!known) limitRate({ incoming, headers: {} }, 'keys'); // 429
    const keys = held.map(({ teamId, hash }) => ({ teamId, hash }));
    const find = (some: typeof keys) =>
      inTurn(known?.teamId ?? anonymous, (sql) => findConsoleSessions(sql, some));
    const rows = await find(keys).catch((error) => {
      // A node of a cluster does not answer. The page needs only the first session. The others are links to other teams.
      if (keys.length === 1 || !isWorkerAway(error)) throw error;
      return find([keys[0]!]);
    });
    const found = new Map(rows.map((row) => [row.hash, row]));
    for (const { hash } of held) {
      if (found.has(hash)) seen.set(hash, true);
      else seen.delete(hash);
    }
    return held.flatMap((token) => {
      const row = found.get(token.hash);
      return row ? [{ ...row, ...token }] : [];
    });
  };
}

/** Number of a browser's sessions that are looked up. Further cookies are not read. */
const sessionsReadAtMost = 20;

/** Number of cookies that are examined as sessions. Anybody can make up any number of them. */
const cookiesReadAtMost = 2 * sessionsReadAtMost;
/** Matches a session cookie of Orderbeacon in a `Cookie` header. */
const ownCookie = /(?:^|;)[ \t]*((?:__Host-)?orderbeacon_team_\w{1,64})=([\w.~-]{1,256})(?=[ \t]*(?:;|$))/g;

const nameOf = (teamId: Uuid) => `orderbeacon_${encodeId('team', teamId)}`;

/** Reads the sessions of a browser, one per team. The session of team `first` comes first. */
export function readSessionCookies(c: ConsoleContext, first?: Uuid | null): HeldToken[] {
  const prefix = c.var.cookies.prefix ? '__Host-' : '';
  const held: HeldToken[] = [];
  const seen = new Set<string>();
  // Other programs may have set hundreds of cookies. None of them is parsed.
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

/** Stores a session in the browser, in a cookie for its team. No script can read it, and no other site can send it. */
export function setSessionCookie(c: ConsoleContext, { teamId, token }: HeldToken): void {
  setCookie(c, nameOf(teamId), token, {
    ...c.var.cookies,
    maxAge: sessionMs / 1000,
    httpOnly: true,
    sameSite: 'Strict',
  });
}

/** Removes the session of a team from the browser. */
export function deleteSessionCookie(c: ConsoleContext, teamId: Uuid): void {
  deleteCookie(c, nameOf(teamId), c.var.cookies);
}
