import { Hono } from 'hono';
import type { Sql } from '../database/connection/connect.js';
import type { CountRequest } from '../http/countRequest.js';
import { pageHeaders, pagePolicy } from '../http/securityHeaders.js';
import type { ReplayDeps } from '../refused/replayRefused.js';
import type { SenderCache } from '../teams/senderCache.js';
import { createAsk } from './ask.js';
import { assetRoutes } from './assetRoutes.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { createFindSession } from './findSession.js';
import { limitForms, readForm, refuseOtherSites, requireFormToken } from './forms.js';
import { getLiveOrders } from './getLiveOrders.js';
import { getOrder } from './getOrder.js';
import { getOrders } from './getOrders.js';
import { getOrdersCsv } from './getOrdersCsv.js';
import { getOverview } from './getOverview.js';
import { getRefused } from './getRefused.js';
import { getRefusedReport } from './getRefusedReport.js';
import { getSetup } from './getSetup.js';
import { createKeepSums } from './keepSums.js';
import { postDomain, postDomainRemoval } from './postDomain.js';
import {
  postRefusedAllow,
  postRefusedCorrection,
  postRefusedDiscard,
  postRefusedGroupCorrection,
  postRefusedStore,
} from './postRefused.js';
import { requireSession } from './requireSession.js';
import { showErrors } from './showErrors.js';
import { getSignIn, limitAttempts, postSignIn, postSignOut } from './signIn.js';
import { createStoreRefused } from './storeRefused.js';
import { readViewer } from './viewer.js';

/** Dependencies of the console. */
type ConsoleParts = Omit<ConsoleDeps, 'ask' | 'findSession' | 'keepSums' | 'storeRefused'> & {
  sql: Sql;
  storeReport: ReplayDeps['storeReport'];
  countRequest: CountRequest;
  senderCache: SenderCache;
};

/** Routes of the console, all below `/console`. */
export function createConsole({
  sql,
  storeReport,
  countRequest,
  senderCache,
  ...rest
}: ConsoleParts): Hono<ConsoleEnv> {
  const ask = createAsk(sql);
  const deps = {
    ...rest,
    ask,
    findSession: createFindSession({ ask, countRequest, senderCache }),
    keepSums: createKeepSums(ask),
    storeRefused: createStoreRefused(ask, { secret: rest.secret, storeReport }),
  };
  const app = new Hono<ConsoleEnv>();
  app.route('/assets', assetRoutes());

  app.use(pageHeaders({ ...pagePolicy, formAction: ["'self'"] }), showErrors());
  app.use(async (c, next) => {
    c.set('base', basePath(deps.publicUrl()));
    c.set('viewer', readViewer(c));
    c.header('Cache-Control', 'no-store');
    await next();
  });
  app.use(refuseOtherSites(deps.publicUrl));
  app.get('/sign-in', getSignIn());
  app.post('/sign-in', limitAttempts(deps), limitForms(), readForm(), postSignIn(deps));

  // Forms are read last, so that strangers do not make the server read any.
  app.use(requireSession(deps), limitForms(), readForm(), requireFormToken());
  app.post('/sign-out', postSignOut(deps));
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
  app.get('/refused/:id', getRefusedReport(deps));
  app.get('/setup', getSetup(deps));
  app.post('/domains', postDomain(deps));
  app.post('/domains/remove', postDomainRemoval(deps));
  return app;
}
