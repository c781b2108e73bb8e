import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { createAskOrders } from '../core/orders/askOrders.js';
import { createStoreReport } from '../core/orders/storeReport.js';
import { createStoreRefund, createTakeBackRefund } from '../core/refunds/storeRefund.js';
import { createSenderCache } from '../core/teams/senderCache.js';
import { findKeys } from '../core/teams/sql/apiKey.js';
import { findTeams } from '../core/teams/sql/team.js';
import type { GroupCommitLoad } from '../database/batch/groupCommit.js';
import type { Pools } from '../database/pools.js';
import { createOnRefused } from '../features/refused/onRefused.js';
import { type AwayTime, createAwayTime } from '../features/sources/awayTime.js';
import { createStoreEvent, type StoreEvent } from '../features/sources/storeEvent.js';
import { type AnswerDirectly, answerDirectly } from '../http/answerDirectly.js';
import { createClientOf } from '../http/clientAddress.js';
import type { AppEnv } from '../http/context.js';
import { createCountRequest } from '../http/countRequest.js';
import type { Endpoint } from '../http/findRoute.js';
import type { RecordAnswer } from '../http/recordAnswer.js';
import { createWriteRefusal } from '../http/refuse.js';
import { createEndpoints, type EndpointsDeps } from './endpoints.js';
import { createPages, type PagesDeps } from './pages.js';

/** Dependencies of the app; `listen` wires them. */
export interface AppDeps extends PagesDeps, EndpointsDeps {
  pools: Pools;
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
  /** Resolves when the listeners are done with all that was stored. */
  heard: () => Promise<void>;
  /** Stores what a shop system says, of a webhook or asked for. */
  storeEvent: StoreEvent;
  /** When events of shops were last lost. */
  away: AwayTime;
  /** Answers every other path. */
  pages: Hono<AppEnv>;
}

/** Puts the app together. */
export function createApp(deps: AppDeps): App {
  const { pools, queue, listeners, log, recordAnswer, metrics, isStopping } = deps;
  const senderCache = createSenderCache(
    {
      findKeys: (hashes) => findKeys(pools.work, hashes),
      findTeams: (ids) => findTeams(pools.work, ids),
    },
    { ...queue, rowsWaitingOfGroup: 1_000 },
  );
  const { storeReport, load, heard } = createStoreReport(pools, queue, listeners, {
    onBatch: metrics.batch,
    onMerged: metrics.merged,
  });
  metrics.watchQueue(load);
  const writeRefusal = createWriteRefusal(log, deps.publicUrl);
  const clientOf = createClientOf(deps.trustedProxies);
  const onRefused = createOnRefused(senderCache, deps.keepRefused);
  const countRequest = createCountRequest(deps.rateLimitPerMinute, clientOf);
  const askOrders = createAskOrders(pools.work, queue);
  const storeRefund = createStoreRefund(askOrders, listeners);
  const takeBackRefund = createTakeBackRefund(askOrders, listeners);
  const { secret, clock, keepRefused } = deps;
  const storeEvent = createStoreEvent({
    secret,
    clock,
    storeReport,
    storeRefund,
    takeBackRefund,
    ask: askOrders,
    keepRefused,
  });
  const away = createAwayTime(clock);
  const shared = { senderCache, countRequest, storeReport, askOrders, storeRefund, storeEvent, away };
  const endpoints = createEndpoints(deps, shared);
  return {
    endpoints,
    load,
    heard,
    storeEvent,
    away,
    answerApi: answerDirectly(endpoints, {
      log,
      clientOf,
      recordAnswer,
      writeRefusal,
      onRefused,
      isStopping,
    }),
    pages: createPages(deps, { ...shared, recordAnswer, writeRefusal }),
  };
}
