import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { GroupCommitLoad } from './database/batch/groupCommit.js';
import type { GroupCommitBounds } from './database/batch/groupCommitBounds.js';
import type { Pools } from './database/pools.js';
import { type AnswerDirectly, answerDirectly } from './http/answerDirectly.js';
import type { AppEnv } from './http/context.js';
import { answerPreflight } from './http/cors.js';
import { type CountRequest, createCountRequest } from './http/countRequest.js';
import type { Endpoint } from './http/findRoute.js';
import type { RecordAnswer } from './http/recordAnswer.js';
import { createWriteRefusal } from './http/refuse.js';
import { type AskOrders, createAskOrders } from './orders/askOrders.js';
import { getOrder } from './orders/getOrder.js';
import { postOrder } from './orders/postOrder.js';
import { postRefund } from './orders/postRefund.js';
import { isToldByKey } from './orders/sql/orderKeys.js';
import { createStoreRefund, type StoreRefund } from './orders/storeRefund.js';
import { createStoreReport, type StoreReport } from './orders/storeReport.js';
import { createPages, type PagesDeps } from './pages.js';
import { createEnroll } from './people/enroll.js';
import { postEnrollment } from './people/postEnrollment.js';
import { getProduct } from './products/getProduct.js';
import { createFindProduct } from './products/lookUpProducts.js';
import type { RefusedKeeper } from './refused/keepRefused.js';
import { createOnDiffers } from './refused/onDiffers.js';
import { createOnRefused } from './refused/onRefused.js';
import { createIdentifySource } from './sources/identifySource.js';
import { createNoteEvents } from './sources/noteEvents.js';
import { postSource } from './sources/postSource.js';
import { findSources } from './sources/sql/source.js';
import { createStoreEvent } from './sources/storeEvent.js';
import { createIdentifySender } from './teams/identifySender.js';
import { createLastSeen } from './teams/lastSeen.js';
import { createRequireTeam } from './teams/requireTeam.js';
import { createSenderCache, type SenderCache } from './teams/senderCache.js';
import { findKeys } from './teams/sql/apiKey.js';
import { findTeams } from './teams/sql/team.js';

/** Dependencies of the app; `listen` wires them. */
export interface AppDeps extends PagesDeps {
  pools: Pools;
  /** Keeps a refused report. */
  keepRefused: RefusedKeeper['keep'];
  /** Keeps a report in the background. */
  keepRefusedLater: RefusedKeeper['keepLater'];
  log: Logger;
  recordAnswer: RecordAnswer;
  /** Requests a minute of one client address without a known key; see `createCountRequest`. Null for no limit. */
  rateLimitPerMinute: number | null;
}

/** Both ways to an answer; `createWayIn` chooses by the path. */
export interface App {
  endpoints: readonly Endpoint[];
  /** Answers every path below `/svc-api/v1/`. */
  answerApi: AnswerDirectly;
  /** Rows and statements of new and known orders. */
  load: () => GroupCommitLoad;
  /** Answers every other path. */
  pages: Hono<AppEnv>;
}

/** Puts the app together. */
export function createApp(deps: AppDeps): App {
  const { pools, queue, log, recordAnswer, metrics, isStopping } = deps;
  const senderCache = createSenderCache(
    {
      findKeys: (hashes) => findKeys(pools.main, hashes),
      findTeams: (ids) => findTeams(pools.main, ids),
    },
    { ...twoStatements(queue), rowsWaitingOfGroup: 1_000 },
  );
  const { storeReport, load } = createStoreReport(pools, queue, {
    onBatch: metrics.batch,
    onMerged: metrics.merged,
  });
  metrics.watchQueue(load);
  const writeRefusal = createWriteRefusal(log, deps.publicUrl);
  const onRefused = createOnRefused(senderCache, deps.keepRefused);
  const countRequest = createCountRequest(deps.rateLimitPerMinute, deps.trustedProxies);
  const askOrders = createAskOrders(pools.orders, queue);
  const storeRefund = createStoreRefund(askOrders);
  const shared = { senderCache, countRequest, storeReport, askOrders, storeRefund };
  const endpoints = createEndpoints(deps, shared);
  return {
    endpoints,
    load,
    answerApi: answerDirectly(endpoints, { log, recordAnswer, writeRefusal, onRefused, isStopping }),
    pages: createPages(deps, { ...shared, recordAnswer, writeRefusal }),
  };
}

/** Makes the table of the API's endpoints (contract, section 4). */
function createEndpoints(
  { pools, queue, secret, clock, sdk, metrics, keepRefused, keepRefusedLater }: AppDeps,
  {
    senderCache,
    countRequest,
    storeReport,
    askOrders,
    storeRefund,
  }: {
    senderCache: SenderCache;
    countRequest: CountRequest;
    storeReport: StoreReport;
    askOrders: AskOrders;
    storeRefund: StoreRefund;
  },
): readonly Endpoint[] {
  const { identifySender, requireKey } = createIdentifySender(senderCache, countRequest);
  const requireTeam = createRequireTeam(senderCache);
  const lastSeen = createLastSeen(pools.console, clock, new Set([sdk.version, ...sdk.released.keys()]));
  const findProduct = createFindProduct(pools.main, twoStatements(queue));
  const enroll = createEnroll(pools.main, twoStatements(queue));
  const identifySource = createIdentifySource(
    senderCache,
    countRequest,
    (teamId, tokens) => findSources(pools.main, teamId, tokens),
    { ...queue, statementsInFlight: 1 },
  );
  const storeEvent = createStoreEvent({
    secret,
    clock,
    storeReport,
    storeRefund,
    isTold: (teamId, ids, isTest) => isToldByKey(pools.known, teamId, ids, isTest),
    keepRefused,
  });
  const noteEvent = createNoteEvents(pools.console, clock, metrics.sourceEvent);
  return [
    {
      method: 'GET',
      path: '/svc-api/v1/products/:id',
      handle: getProduct({ requireKey, findProduct, lastSeen }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/sequences/enroll',
      handle: postEnrollment({ secret, requireKey, enroll, lastSeen }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/orders',
      handle: postOrder({
        secret,
        clock,
        identifySender,
        requireTeam,
        storeReport,
        onDiffers: createOnDiffers(keepRefusedLater),
        lastSeen,
      }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/sources/:token',
      handle: postSource({ clock, identifySource, storeEvent, noteEvent }),
    },
    { method: 'OPTIONS', path: '/svc-api/v1/orders', handle: answerPreflight },
    {
      method: 'POST',
      path: '/svc-api/v1/orders/refunds',
      handle: postRefund({ clock, requireKey, askOrders, storeRefund, lastSeen }),
    },
    {
      method: 'GET',
      path: '/svc-api/v1/orders/:id',
      handle: getOrder({ requireKey, askOrders, lastSeen }),
    },
  ];
}

/** Limits of every queue but that of orders: together they leave it connections, see `connectionsOf`. */
function twoStatements(queue: GroupCommitBounds): GroupCommitBounds {
  return { ...queue, statementsInFlight: 2 };
}
