import { Hono } from 'hono';
import type { Sql } from '../database/connection/connect.js';
import type { ReplayDeps } from '../refused/replayRefused.js';
import { createAsk } from './ask.js';
import { assetRoutes } from './assetRoutes.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
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
  postRefusedStore,
} from './postRefused.js';
import { redirect } from './replyPage.js';
import { requireSession } from './requireSession.js';
import { showErrors } from './showErrors.js';
import { getSignIn, postSignIn, postSignOut } from './signIn.js';
import { createStoreRefused } from './storeRefused.js';

/** What the console is made of. */
type ConsoleParts = Omit<ConsoleDeps, 'ask' | 'keepSums' | 'storeRefused'> & {
  sql: Sql;
  storeReport: ReplayDeps['storeReport'];
};

/** The routes of the console, all below `/console`, and `/`, which leads there. */
export function createConsole({ sql, storeReport, ...rest }: ConsoleParts): Hono<ConsoleEnv> {
  const ask = createAsk(sql);
  const deps = {
    ...rest,
    ask,
    keepSums: createKeepSums(ask),
    storeRefused: createStoreRefused(ask, { secret: rest.secret, storeReport }),
  };
  const app = new Hono<ConsoleEnv>();
  const session = requireSession(deps);
  app.get('/', (c) => redirect(c, `${basePath(deps.publicUrl())}/console`));
  app.route('/console/assets', assetRoutes());

  const pages = showErrors(deps);
  app.use('/console', pages);
  app.use('/console/*', pages);
  app.get('/console', session, getOverview(deps));
  app.get('/console/orders', session, getOrders(deps));
  app.get('/console/orders.csv', session, getOrdersCsv(deps));
  app.get('/console/live', session, getLiveOrders(deps));
  app.get('/console/orders/:id', session, getOrder(deps));
  app.get('/console/refused', session, getRefused(deps));
  app.post('/console/refused/allow', session, postRefusedAllow(deps));
  app.post('/console/refused/store', session, postRefusedStore(deps));
  app.post('/console/refused/correct', session, postRefusedCorrection(deps));
  app.post('/console/refused/discard', session, postRefusedDiscard(deps));
  app.get('/console/refused/:id', session, getRefusedReport(deps));
  app.get('/console/setup', session, getSetup(deps));
  app.post('/console/domains', session, postDomain(deps));
  app.post('/console/domains/remove', session, postDomainRemoval(deps));
  app.get('/console/sign-in', getSignIn(deps));
  app.post('/console/sign-in', postSignIn(deps));
  app.post('/console/sign-out', session, postSignOut(deps));
  return app;
}
