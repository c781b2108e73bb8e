import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { GroupCommitBounds } from './database/batch/groupCommitBounds.js';
import type { Pools } from './database/pools.js';
import { type AnswerDirectly, answerDirectly } from './http/answerDirectly.js';
import type { AppEnv } from './http/context.js';
import { answerPreflight } from './http/cors.js';
import { type CountRequest, createCountRequest } from './http/countRequest.js';
import type { Endpoint } from './http/findRoute.js';
import { createRecordAnswer } from './http/recordAnswer.js';
import { createWriteRefusal } from './http/refuse.js';
import { postOrder } from './orders/postOrder.js';
import { createStoreReport, type StoreReport } from './orders/storeReport.js';
import { createPages, type PagesDeps } from './pages.js';
import { createEnroll } from './people/enroll.js';
import { postEnrollment } from './people/postEnrollment.js';
import { getProduct } from './products/getProduct.js';
import { createFindProduct } from './products/lookUpProducts.js';
import type { RefusedKeeper } from './refused/keepRefused.js';
import { createOnRefused } from './refused/onRefused.js';
import { createIdentifySender } from './teams/identifySender.js';
import { createLastSeen } from './teams/lastSeen.js';
import { createRequireTeam } from './teams/requireTeam.js';
import { createSenderCache, type SenderCache } from './teams/senderCache.js';
import { findKeys } from './teams/sql/apiKey.js';
import { findTeams } from './teams/sql/team.js';

/** Dependencies of the app; `listen` wires them. */
export interface AppDeps extends PagesDeps {
  pools: Pools;
  /** Limits of each queue. */
  queue: GroupCommitBounds;
  /** Keeps a refused report. */
  keepRefused: RefusedKeeper['keep'];
  log: Logger;
  /** Requests a minute of one client address without a known key; see `createCountRequest`. Null for no limit. */
  rateLimitPerMinute: number | null;
}

/** Both ways to an answer; `createWayIn` chooses by the path. */
export interface App {
  endpoints: readonly Endpoint[];
  /** Answers every path below `/svc-api/v1/`. */
  answerApi: AnswerDirectly;
  /** Answers every other path. */
  pages: Hono<AppEnv>;
}

/** Puts the app together. */
export function createApp(deps: AppDeps): App {
  const { pools, queue, log, metrics, isStopping } = deps;
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
  const recordAnswer = createRecordAnswer(log, metrics.answered);
  const writeRefusal = createWriteRefusal(log);
  const onRefused = createOnRefused(senderCache, deps.keepRefused);
  const countRequest = createCountRequest(deps.rateLimitPerMinute, deps.trustedProxies);
  const shared = { senderCache, countRequest, storeReport };
  const endpoints = createEndpoints(deps, shared);
  return {
    endpoints,
    answerApi: answerDirectly(endpoints, { log, recordAnswer, writeRefusal, onRefused, isStopping }),
    pages: createPages(deps, { ...shared, recordAnswer, writeRefusal }),
  };
}

/** Makes the table of the API's endpoints (contract, section 4). */
function createEndpoints(
  { pools, queue, secret, clock, sdk }: AppDeps,
  {
    senderCache,
    countRequest,
    storeReport,
  }: { senderCache: SenderCache; countRequest: CountRequest; storeReport: StoreReport },
): readonly Endpoint[] {
  const { identifySender, requireKey } = createIdentifySender(senderCache, countRequest);
  const requireTeam = createRequireTeam(senderCache);
  const lastSeen = createLastSeen(pools.console, clock, new Set([sdk.version, ...sdk.released.keys()]));
  const findProduct = createFindProduct(pools.main, twoStatements(queue));
  const enroll = createEnroll(pools.main, twoStatements(queue));
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
      handle: postOrder({ secret, clock, identifySender, requireTeam, storeReport, lastSeen }),
    },
    { method: 'OPTIONS', path: '/svc-api/v1/orders', handle: answerPreflight },
  ];
}

/** Limits of every queue but that of orders: together they leave it connections, see `connectionsOf`. */
function twoStatements(queue: GroupCommitBounds): GroupCommitBounds {
  return { ...queue, statementsInFlight: 2 };
}
