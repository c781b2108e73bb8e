import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { createOnRefused } from '../core/orders/refusals.js';
import { createStoreReport } from '../core/orders/storeReport.js';
import { createStoreRefund, createTakeBackRefund } from '../core/refunds/storeRefund.js';
import { createSenderCache } from '../core/teams/senders.js';
import { findKeys } from '../core/teams/sql/apiKey.js';
import { findTeams } from '../core/teams/sql/team.js';
import { type Pools, statementsOf } from '../database/pools.js';
import { tryStoring } from '../database/tryStoring.js';
import { createTurns } from '../database/turns.js';
import type { Core, Started, Work } from '../features/feature.js';
import { type AnswerDirectly, answerDirectly } from '../http/answerDirectly.js';
import { createClientOf } from '../http/clientAddress.js';
import type { AppEnv } from '../http/context.js';
import { createCountRequest } from '../http/countRequest.js';
import type { Endpoint } from '../http/findRoute.js';
import type { RecordAnswer } from '../http/recordAnswer.js';
import { createWriteRefusal } from '../http/refuse.js';
import { createEndpoints, type EndpointsDeps } from './endpoints.js';
import { distributionOf, type Extended } from './features.js';
import { createPages, type PagesDeps } from './pages.js';

/** Dependencies of the app; `listen` wires them. */
export interface AppDeps
  extends Omit<PagesDeps, 'parts' | 'added' | 'listeners' | 'tryStoring'>,
    EndpointsDeps {
  pools: Pools;
  log: Logger;
  recordAnswer: RecordAnswer;
  extended: Extended;
  trialAccess: Core['trialAccess'];
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
  /** What is done without being asked. */
  work: readonly Work[];
  /** Resolves when what is done behind answers is done. Called after the last request and the last work. */
  stop: () => Promise<void>;
}

/** Puts the core and its features together. */
export function createApp(deps: AppDeps): App {
  const { pools, queue, secret, clock, extended, log, recordAnswer, metrics, isStopping } = deps;
  const { features, made, listeners } = extended;
  const distribution = distributionOf(features);
  const senderCache = createSenderCache(
    {
      findKeys: (hashes) => findKeys(pools.work, hashes),
      findTeams: (ids) => findTeams(pools.work, ids),
    },
    { ...queue, rowsWaitingOfGroup: 1_000 },
  );
  const storeNew = distribution?.reports(pools.work, listeners);
  const { storeReport, load } = createStoreReport(
    pools,
    queue,
    { listeners, storeNew },
    { onBatch: metrics.batch, onMerged: metrics.merged },
  );
  metrics.watchQueue(load);
  const writeRefusal = createWriteRefusal(log, deps.publicUrl);
  const clientOf = createClientOf(deps.trustedProxies);
  const countRequest = createCountRequest(deps.rateLimitPerMinute, clientOf);
  const { inTurn } = createTurns(pools.work, queue, {
    concurrent: statementsOf.storedOrders,
    leftToOthers: 1,
    tookTooLong: 'Reading or changing the order took too long; try again.',
  });
  const storeRefund = createStoreRefund(inTurn, listeners);
  const takeBackRefund = createTakeBackRefund(inTurn, listeners);
  const { registry } = metrics;
  const shared = { senderCache, countRequest, storeReport, inTurn, storeRefund };
  const { publicUrl, trialAccess } = deps;
  const core: Core = {
    ...shared,
    takeBackRefund,
    pools,
    queue,
    secret,
    clock,
    registry,
    load,
    publicUrl,
    trialAccess,
    findExampleTeam:
      features.find(({ findExampleTeam }) => findExampleTeam)?.findExampleTeam ?? (async () => undefined),
    served: () => ({
      endpoints,
      events: features.flatMap(({ events }) => events ?? []),
      features: features.map(({ name }) => name),
    }),
  };
  const started: readonly Started[] = made.flatMap((each) => each.start?.(core) ?? []);
  const endpoints: readonly Endpoint[] = [
    ...createEndpoints(deps, { ...shared, listeners }),
    ...started.flatMap((each) => each.endpoints ?? []),
  ];
  const onRefused = createOnRefused(
    senderCache,
    started.flatMap(({ keepRefusal }) => keepRefusal ?? []),
  );
  return {
    endpoints,
    answerApi: answerDirectly(endpoints, {
      log,
      clientOf,
      recordAnswer,
      writeRefusal,
      onRefused,
      isStopping,
    }),
    pages: createPages(
      {
        ...deps,
        listeners,
        parts: [...features, ...started].flatMap((each) => each.console ?? []),
        added: started.flatMap(({ pages = [] }) => pages),
        tryStoring: distribution?.tryStoring(pools.watch) ?? tryStoring,
      },
      { ...shared, recordAnswer, writeRefusal },
    ),
    work: [...extended.work, ...started.flatMap(({ work = [] }) => work)],
    stop: async () => void (await Promise.all(started.map((each) => each.stop?.()))),
  };
}
