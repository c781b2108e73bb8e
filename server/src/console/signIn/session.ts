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
 * Lets browsers through that are signed in to the team of the address, with their session in `c.var.session`. Others are
 * asked to sign in.
 * @throws ApiError `domain_not_allowed` when a browser that may look only posts a form that changes something
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

/** Sets what the pages of a team use. */
function setUpPage(c: ConsoleContext, sections: readonly Section[], query: Query): void {
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
 * Finds those of a browser's sessions that have not ended. Asks the database each time, in one statement: a revoked session
 * ends immediately, on every server.
 * @throws ApiError `rate_limited`, `unavailable`
 */
export type FindSessions = (
  held: readonly HeldToken[],
  incoming: IncomingMessage,
) => Promise<readonly LiveSession[]>;

/** Sessions that this server has seen; some 150 bytes each. */
const sessionsCached = 10_000;

/**
 * Creates the look-up of sessions. A browser with a session that this server has seen waits among the statements of its team.
 * Any other, whose cookies anybody can make up, waits among strangers, and counts to the limit of its address as a made-up
 * key does.
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
      // Of a cluster. The page needs the first one alone; the others are links to other teams.
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
