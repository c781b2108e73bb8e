import { Hono } from 'hono';
import type { Sql } from '../database/connection/connect.js';
import type { LimitRate } from '../http/rateLimit.js';
import type { Refuse } from '../http/refuse.js';
import { pageHeaders, pagePolicy } from '../http/securityHeaders.js';
import { ApiError } from '../values/errors.js';
import { withoutEndSlashes } from '../values/url.js';
import { removeConsoleSession } from './access/consoleSession.js';
import { assetRoutes } from './assetRoutes.js';
import type { ConsoleDeps, ConsoleParts } from './consoleDeps.js';
import { basePath, type ConsoleEnv } from './context.js';
import { limitForms, readForm, refuseOtherSites } from './forms.js';
import { liveRoutes } from './liveRoutes.js';
import { signOutPath } from './parts/form.js';
import { guidesPath } from './parts/sitePage.js';
import { readViewer } from './parts/viewer.js';
import { showErrors, showNotFound } from './showErrors.js';
import {
  createFindSessions,
  deleteSessionCookie,
  type FindSessions,
  leadToTeam,
  requireSession,
} from './signIn/session.js';
import { signInRoutes } from './signIn/signInRoutes.js';
import { createConsoleTurns } from './turns.js';

/**
 * Creates the routes of the console, all below `/console`.
 * @param parts all pages and texts except those for signing in
 */
export function createConsole(
  parts: ConsoleParts,
  {
    sql,
    limitRate,
    refuse,
    ...rest
  }: Omit<ConsoleDeps, 'parts' | 'inTurn'> & { sql: Sql; limitRate: LimitRate; refuse: Refuse },
): Hono<ConsoleEnv> {
  const inTurn = createConsoleTurns(sql);
  const findSessions = createFindSessions(inTurn, limitRate);
  const deps: ConsoleDeps = { ...rest, parts, inTurn };
  const { clock, publicUrl, navLinks, seenHosts, trustedProxies } = deps;
  const guides = guidesPath(navLinks);
  const app = new Hono<ConsoleEnv>();
  app.onError(showErrors(refuse));
  app.use(pageHeaders({ ...pagePolicy, formAction: ["'self'"] }), showNotFound);
  app.use(async (c, next) => {
    const isForwarded = trustedProxies !== 0 && c.req.header('x-forwarded-proto') === 'https';
    c.set('base', basePath(publicUrl()));
    c.set('navLinks', navLinks);
    c.set('guides', guides === null ? null : c.var.base + guides);
    c.set('seenHosts', seenHosts);
    c.set('cookies', isForwarded || publicUrl().startsWith('https:') ? { prefix: 'host' } : {});
    c.set('viewer', readViewer(c, new Date(clock.nowMs())));
    c.header('Cache-Control', 'no-store');
    await next();
  });
  app.use(refuseOtherSites(publicUrl));
  app.route('/sign-in', signInRoutes(deps, findSessions));
  app.route('/:team{team_\\w+}', createTeamPages(deps, findSessions));
  // Bookmarks without a team.
  for (const path of ['/', ...parts.bookmarks.map((each) => `${each}/*`)])
    app.get(path, (c) => leadToTeam(c, findSessions));
  // The assets are a separate app, so a missing file is not answered with a page.
  return new Hono<ConsoleEnv>().route('/assets', assetRoutes()).route('/', app);
}

/** Creates the pages of a team. Only browsers that are signed in to it reach them. */
function createTeamPages(deps: ConsoleDeps, findSessions: FindSessions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.use(requireSession(deps, findSessions));
  // Added before the limit of all other forms, which are small.
  for (const add of deps.parts.filePages) add(app, deps);

  // Forms are read last, so that strangers cannot make the server read one.
  app.post('*', limitForms(), readForm());
  app.post(signOutPath, async (c) => {
    await c.var.query(removeConsoleSession, c.var.session.hash);
    deleteSessionCookie(c, c.var.session.teamId);
    return c.redirect(`${c.var.base}/console`, 303);
  });
  app.route('/live', liveRoutes(deps.inTurn, deps.parts.sections));
  for (const add of deps.parts.pages) add(app, deps);
  // No section may be the first page.
  const [first] = deps.parts.sections;
  if (first && first.path !== '') app.get('/', (c) => c.redirect(c.var.link(first.path), 303));
  app.get('*', (c) => {
    const { pathname, search } = new URL(c.req.url);
    // Somebody has typed a slash at the end.
    if (pathname.endsWith('/')) return c.redirect(c.var.base + withoutEndSlashes(pathname) + search, 303);
    throw new ApiError('not_found', { message: 'There is no such page.' });
  });
  return app;
}
