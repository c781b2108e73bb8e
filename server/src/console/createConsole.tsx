import { Hono } from 'hono';
import { removeConsoleSession } from '../core/teams/sql/consoleSession.js';
import type { Sql } from '../database/connection/connect.js';
import { compareRoutes } from '../features/compare/console/compareRoutes.js';
import { createCompareUpload } from '../features/compare/console/compareUpload.js';
import { loadOverview } from '../features/overview/loadOverview.js';
import { Overview } from '../features/overview/overview.js';
import { createCheckAddress } from '../features/pageCheck/console/checkAddress.js';
import { refusedRoutes } from '../features/refused/console/refusedRoutes.js';
import { createStoreRefused } from '../features/refused/console/storeRefused.js';
import type { ReplayDeps } from '../features/refused/replayRefused.js';
import { webhookRoutes } from '../features/webhooks/console/webhookRoutes.js';
import type { CountRequest } from '../http/countRequest.js';
import { pageHeaders, pagePolicy } from '../http/securityHeaders.js';
import { ApiError } from '../values/errors.js';
import { withoutEndSlashes } from '../values/webUrl.js';
import { createAsk } from './ask.js';
import { assetRoutes } from './assetRoutes.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { limitForms, readForm, refuseOtherSites } from './forms.js';
import { liveRoutes } from './live/liveRoutes.js';
import { orderRoutes } from './orders/orderRoutes.js';
import { signOutPath } from './parts/form.js';
import { renderPage } from './parts/layout.js';
import { readViewer } from './parts/viewer.js';
import { setupRoutes } from './setup/setupRoutes.js';
import { showErrors } from './showErrors.js';
import { createFindSessions } from './signIn/findSessions.js';
import { leadToTeam, requireSession } from './signIn/requireSession.js';
import { deleteSessionCookie } from './signIn/sessionCookie.js';
import { signInRoutes } from './signIn/signInRoutes.js';

/** Dependencies of the console. */
type ConsoleParts = Omit<
  ConsoleDeps,
  'ask' | 'checkAddress' | 'compareUpload' | 'findSessions' | 'storeRefused'
> & {
  sql: Sql;
  storeReport: ReplayDeps['storeReport'];
  countRequest: CountRequest;
};

/** Routes of the console, all below `/console`. */
export function createConsole({ sql, storeReport, countRequest, ...rest }: ConsoleParts): Hono<ConsoleEnv> {
  const ask = createAsk(sql);
  const { secret, clock, publicUrl, trustedProxies } = rest;
  const deps: ConsoleDeps = {
    ...rest,
    ask,
    findSessions: createFindSessions(ask, countRequest),
    storeRefused: createStoreRefused(ask, { secret, storeReport }),
    checkAddress: createCheckAddress(publicUrl),
    compareUpload: createCompareUpload(ask, { secret, storeReport, nowMs: () => clock.nowMs() }),
  };
  const app = new Hono<ConsoleEnv>();
  app.route('/assets', assetRoutes());

  app.use(pageHeaders({ ...pagePolicy, formAction: ["'self'"] }), showErrors());
  app.use(async (c, next) => {
    const isForwarded = trustedProxies > 0 && c.req.header('x-forwarded-proto') === 'https';
    c.set('base', basePath(publicUrl()));
    c.set('cookies', isForwarded || publicUrl().startsWith('https:') ? { prefix: 'host' } : {});
    c.set('viewer', readViewer(c, new Date(clock.nowMs())));
    c.header('Cache-Control', 'no-store');
    await next();
  });
  app.use(refuseOtherSites(publicUrl));
  app.route('/sign-in', signInRoutes(deps));
  app.route('/:team{team_\\w+}', createTeamPages(deps));
  // The addresses of bookmarks without a team.
  for (const path of [
    '/',
    '/:page{orders(\\.csv)?|refused|webhooks|setup|check|compare}',
    '/:page{orders|refused|webhooks}/:id',
  ])
    app.get(path, (c) => leadToTeam(c, deps));
  return app;
}

/** Pages of a team, for browsers that are signed in to it. */
function createTeamPages(deps: ConsoleDeps): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.use(requireSession(deps));
  // Before the limit of all other forms, which are small.
  app.route('/compare', compareRoutes(deps));

  // Forms are read last, so that strangers do not make the server read any.
  app.use(limitForms(), readForm());
  app.post(signOutPath, async (c) => {
    await c.var.query(removeConsoleSession, c.var.session.hash);
    deleteSessionCookie(c, c.var.session.teamId);
    return c.redirect(`${c.var.base}/console`, 303);
  });
  app.get('/check', (c) => c.redirect(c.var.link('/setup/install#check'), 303));
  app.route('/live', liveRoutes(deps));
  app.route('/refused', refusedRoutes(deps));
  app.route('/webhooks', webhookRoutes());
  app.route('/setup', setupRoutes(deps));
  app.route('/', orderRoutes(deps));
  app.get('/', async (c) =>
    renderPage(c, <Overview {...(await loadOverview(c, deps))} />, {
      title: 'Overview',
      here: 'Overview',
      isLive: true,
    }),
  );
  app.get('*', (c) => {
    const { pathname, search } = new URL(c.req.url);
    // Somebody has typed it with a slash behind it.
    if (pathname.endsWith('/')) return c.redirect(c.var.base + withoutEndSlashes(pathname) + search, 303);
    throw new ApiError('not_found', { message: 'There is no such page.' });
  });
  return app;
}
