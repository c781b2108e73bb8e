import { Hono } from 'hono';
import type { Sql } from '../database/connection/connect.js';
import type { CountRequest } from '../http/countRequest.js';
import { pageHeaders, pagePolicy } from '../http/securityHeaders.js';
import type { ReplayDeps } from '../refused/replayRefused.js';
import { removeConsoleSession } from '../teams/sql/consoleSession.js';
import { createAsk } from './ask.js';
import { assetRoutes } from './assetRoutes.js';
import { createCompareUpload } from './compare/compareUpload.js';
import { getCompare, postCompare, postCompareAgain, postCompareStore } from './compare/postCompare.js';
import { packedFormBytes } from './compare/uploads.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { limitForms, readForm, refuseOtherSites } from './forms.js';
import { getLiveOrders } from './live/getLiveOrders.js';
import { getOrder } from './orders/getOrder.js';
import { getOrders } from './orders/getOrders.js';
import { getOrdersCsv } from './orders/getOrdersCsv.js';
import { getOverview } from './overview/getOverview.js';
import { signOutPath } from './parts/form.js';
import { readViewer } from './parts/viewer.js';
import { getRefused } from './refused/getRefused.js';
import { getRefusedReport } from './refused/getRefusedReport.js';
import {
  postRefusedAllow,
  postRefusedCorrection,
  postRefusedDiscard,
  postRefusedGroupCorrection,
  postRefusedRestore,
  postRefusedStore,
} from './refused/postRefused.js';
import { createStoreRefused } from './refused/storeRefused.js';
import { createCheckAddress } from './setup/checkAddress.js';
import { getSetup } from './setup/getSetup.js';
import { postConsoleLink, postSessionRevocation } from './setup/postAccess.js';
import { postDomain, postDomainRemoval } from './setup/postDomain.js';
import { getPageCheck, postPageCheck } from './setup/postPageCheck.js';
import {
  postNewSource,
  postSourceAccess,
  postSourceRemoval,
  postSourceSecret,
  postSourceSync,
} from './setup/postSource.js';
import { showErrors } from './showErrors.js';
import { createFindSessions } from './signIn/findSessions.js';
import { leadToTeam, requireSession } from './signIn/requireSession.js';
import { deleteSessionCookie } from './signIn/sessionCookie.js';
import { signInRoutes } from './signIn/signInRoutes.js';
import { getDelivery } from './webhooks/getDelivery.js';
import { getWebhooks } from './webhooks/getWebhooks.js';
import { postResend, postResendFailed } from './webhooks/postResend.js';
import {
  postNewWebhook,
  postWebhookRemoval,
  postWebhookSwitch,
  postWebhookTest,
} from './webhooks/postWebhook.js';

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
  const deps = {
    ...rest,
    ask,
    findSessions: createFindSessions(ask, countRequest),
    storeRefused: createStoreRefused(ask, { secret: rest.secret, storeReport }),
    checkAddress: createCheckAddress(rest.publicUrl),
    compareUpload: createCompareUpload(ask, {
      secret: rest.secret,
      storeReport,
      nowMs: () => rest.clock.nowMs(),
    }),
  };
  const app = new Hono<ConsoleEnv>();
  app.route('/assets', assetRoutes());

  app.use(pageHeaders({ ...pagePolicy, formAction: ["'self'"] }), showErrors());
  app.use(async (c, next) => {
    const { publicUrl, trustedProxies } = deps;
    const isForwarded = trustedProxies > 0 && c.req.header('x-forwarded-proto') === 'https';
    c.set('base', basePath(publicUrl()));
    c.set('cookies', isForwarded || publicUrl().startsWith('https:') ? { prefix: 'host' } : {});
    c.set('viewer', readViewer(c, new Date(deps.clock.nowMs())));
    c.header('Cache-Control', 'no-store');
    await next();
  });
  app.use(refuseOtherSites(deps.publicUrl));
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
  app.post('/compare', postCompare(deps));
  app.post('/compare/again', limitForms(packedFormBytes), readForm(), postCompareAgain(deps));
  app.post('/compare/store', limitForms(packedFormBytes), readForm(), postCompareStore(deps));

  // Forms are read last, so that strangers do not make the server read any.
  app.use(limitForms(), readForm());
  app.post(signOutPath, async (c) => {
    const { teamId, hash } = c.var.session;
    await deps.ask(teamId, (sql) => removeConsoleSession(sql, teamId, hash));
    deleteSessionCookie(c, teamId);
    return c.redirect(`${c.var.base}/console`, 303);
  });
  app.get('/', getOverview(deps));
  app.get('/orders', getOrders(deps));
  app.get('/orders.csv', getOrdersCsv(deps));
  app.get('/orders/:id', getOrder(deps));
  app.get('/live', getLiveOrders(deps));
  app.get('/refused', getRefused(deps));
  app.post('/refused/allow', postRefusedAllow(deps));
  app.post('/refused/store', postRefusedStore(deps));
  app.post('/refused/correct', postRefusedCorrection(deps));
  app.post('/refused/correct-all', postRefusedGroupCorrection(deps));
  app.post('/refused/discard', postRefusedDiscard(deps));
  app.post('/refused/restore', postRefusedRestore(deps));
  app.get('/refused/:id', getRefusedReport(deps));
  app.get('/compare', getCompare());
  app.get('/webhooks', getWebhooks(deps));
  app.post('/webhooks', postNewWebhook(deps));
  app.get('/webhooks/:id', getDelivery(deps));
  app.post('/webhooks/switch', postWebhookSwitch(deps));
  app.post('/webhooks/test', postWebhookTest(deps));
  app.post('/webhooks/remove', postWebhookRemoval(deps));
  app.post('/webhooks/resend', postResend(deps));
  app.post('/webhooks/resend-failed', postResendFailed(deps));
  app.get('/setup', getSetup(deps));
  app.post('/links', postConsoleLink(deps));
  app.post('/sessions/revoke', postSessionRevocation(deps));
  app.get('/check', getPageCheck());
  app.post('/check', postPageCheck(deps));
  app.post('/domains', postDomain(deps));
  app.post('/domains/remove', postDomainRemoval(deps));
  app.post('/sources', postNewSource(deps));
  app.post('/sources/secret', postSourceSecret(deps));
  app.post('/sources/access', postSourceAccess(deps));
  app.post('/sources/sync', postSourceSync(deps));
  app.post('/sources/remove', postSourceRemoval(deps));
  return app;
}
