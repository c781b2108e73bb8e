import { Hono } from 'hono';
import type { QueueBounds } from '../database/batch/groupCommit.js';
import type { Sql } from '../database/connection/connect.js';
import type { CountRequest } from '../http/countRequest.js';
import { pageHeaders, pagePolicy } from '../http/securityHeaders.js';
import { createReadSilence } from '../orders/readSilence.js';
import type { ReplayDeps } from '../refused/replayRefused.js';
import type { SenderCache } from '../teams/senderCache.js';
import { createAsk } from './ask.js';
import { assetRoutes } from './assetRoutes.js';
import { createCompareUpload, storeFormBytes } from './compare/compareUpload.js';
import { getCompare, postCompare, postCompareStore } from './compare/postCompare.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { limitForms, readForm, refuseOtherSites, requireFormToken } from './forms.js';
import { getLiveOrders } from './live/getLiveOrders.js';
import { getOrder } from './orders/getOrder.js';
import { getOrders } from './orders/getOrders.js';
import { getOrdersCsv } from './orders/getOrdersCsv.js';
import { getOverview } from './overview/getOverview.js';
import { createKeepSums } from './overview/keepSums.js';
import { readViewer } from './parts/viewer.js';
import { getRefused } from './refused/getRefused.js';
import { getRefusedReport } from './refused/getRefusedReport.js';
import {
  postRefusedAllow,
  postRefusedCorrection,
  postRefusedDiscard,
  postRefusedGroupCorrection,
  postRefusedStore,
} from './refused/postRefused.js';
import { createStoreRefused } from './refused/storeRefused.js';
import { createCheckAddress } from './setup/checkAddress.js';
import { getSetup } from './setup/getSetup.js';
import { postConsoleLink, postSessionRevocation } from './setup/postAccess.js';
import { postDomain } from './setup/postDomain.js';
import { postDomainRemoval, postDomainRestore } from './setup/postDomainRemoval.js';
import { getPageCheck, postPageCheck } from './setup/postPageCheck.js';
import {
  postNewSigningKey,
  postSignatureRequirement,
  postSigningKeyRevocation,
} from './setup/postSigningKey.js';
import { postNewSource, postSourceRemoval, postSourceSecret } from './setup/postSource.js';
import { showErrors } from './showErrors.js';
import { createFindSessions } from './signIn/findSessions.js';
import { getSignIn, limitAttempts, postSignIn, postSignOut } from './signIn/postSignIn.js';
import { requireSession } from './signIn/requireSession.js';
import { postSwitch } from './signIn/teamSwitch.js';
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
  'ask' | 'checkAddress' | 'compareUpload' | 'findSessions' | 'keepSums' | 'readSilence' | 'storeRefused'
> & {
  sql: Sql;
  queue: QueueBounds;
  storeReport: ReplayDeps['storeReport'];
  countRequest: CountRequest;
  senderCache: SenderCache;
  sumsPatienceMs?: number | undefined;
};

/** Routes of the console, all below `/console`. */
export function createConsole({
  sql,
  queue,
  storeReport,
  countRequest,
  senderCache,
  sumsPatienceMs,
  ...rest
}: ConsoleParts): Hono<ConsoleEnv> {
  const ask = createAsk(sql);
  const deps = {
    ...rest,
    ask,
    findSessions: createFindSessions({ ask, queue, countRequest, senderCache }),
    keepSums: createKeepSums(ask, sumsPatienceMs),
    readSilence: createReadSilence(),
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
    c.set('base', basePath(deps.publicUrl()));
    c.set('viewer', readViewer(c, new Date(deps.clock.nowMs())));
    c.header('Cache-Control', 'no-store');
    await next();
  });
  app.use(refuseOtherSites(deps.publicUrl));
  app.get('/sign-in', getSignIn());
  app.post('/sign-in', limitAttempts(deps), limitForms(), readForm(), postSignIn(deps));

  // Before the limit of all other forms, which are small.
  app.post('/compare', requireSession(deps), postCompare(deps));
  app.post(
    '/compare/store',
    requireSession(deps),
    limitForms(storeFormBytes),
    readForm(),
    requireFormToken(),
    postCompareStore(deps),
  );

  // Forms are read last, so that strangers do not make the server read any.
  app.use(requireSession(deps), limitForms(), readForm(), requireFormToken());
  app.post('/sign-out', postSignOut(deps));
  app.post('/switch', postSwitch(deps));
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
  app.post('/signing-keys', postNewSigningKey(deps));
  app.post('/signing-keys/revoke', postSigningKeyRevocation(deps));
  app.post('/signing-keys/require', postSignatureRequirement(deps));
  app.post('/domains', postDomain(deps));
  app.post('/domains/remove', postDomainRemoval(deps));
  app.post('/domains/restore', postDomainRestore(deps));
  app.post('/sources', postNewSource(deps));
  app.post('/sources/secret', postSourceSecret(deps));
  app.post('/sources/remove', postSourceRemoval(deps));
  return app;
}
