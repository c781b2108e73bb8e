import { Hono } from 'hono';
import type { Sql } from '../database/connect.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { getAsset } from './getAsset.js';
import { getLiveOrders } from './getLiveOrders.js';
import { getOrder } from './getOrder.js';
import { getOrders } from './getOrders.js';
import { getOrdersCsv } from './getOrdersCsv.js';
import { getOverview } from './getOverview.js';
import { getSetup } from './getSetup.js';
import { createKeepCounting } from './keepCounting.js';
import { postDomain, postDomainRemoval } from './postDomain.js';
import { redirect } from './replyPage.js';
import { requireSession } from './requireSession.js';
import { showErrors } from './showErrors.js';
import { getSignIn, postSignIn, postSignOut } from './signIn.js';
import { createTurns } from './turns.js';

/** What the console is made of. */
type ConsoleParts = Omit<ConsoleDeps, 'ask' | 'keepCounting'> & { sql: Sql };

/** The routes of the console, all below `/console`, and `/`, which leads there. */
export function createConsole({ sql, ...rest }: ConsoleParts): Hono<ConsoleEnv> {
  const ask = createTurns(sql);
  const deps = { ...rest, ask, keepCounting: createKeepCounting(ask) };
  const app = new Hono<ConsoleEnv>();
  const session = requireSession(deps);
  app.get('/', (c) => redirect(c, `${basePath(deps.publicUrl())}/console`));
  app.get('/console/assets/:file', getAsset());

  const pages = showErrors(deps);
  app.use('/console', pages);
  app.use('/console/*', pages);
  app.get('/console', session, getOverview(deps));
  app.get('/console/orders', session, getOrders(deps));
  app.get('/console/orders.csv', session, getOrdersCsv(deps));
  app.get('/console/live', session, getLiveOrders(deps));
  app.get('/console/orders/:id', session, getOrder(deps));
  app.get('/console/setup', session, getSetup(deps));
  app.post('/console/domains', session, postDomain(deps));
  app.post('/console/domains/remove', session, postDomainRemoval(deps));
  app.get('/console/sign-in', getSignIn(deps));
  app.post('/console/sign-in', postSignIn(deps));
  app.post('/console/sign-out', session, postSignOut(deps));
  return app;
}
