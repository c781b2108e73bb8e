import type { RequestListener } from 'node:http';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { createPlaceStatements } from '../core/orders/merge/placeStatements.js';
import { createOnRefused } from '../core/orders/refusals.js';
import { createStoreReport } from '../core/orders/storeReport.js';
import { createRemoveRefund, createStoreRefund } from '../core/refunds/storeRefund.js';
import { createSenderCache } from '../core/teams/senders.js';
import { findKeys } from '../core/teams/sql/apiKey.js';
import { findTeams } from '../core/teams/sql/team.js';
import { statementsOf } from '../database/pools.js';
import { tryStoring } from '../database/tryStoring.js';
import { createTurns } from '../database/turns.js';
import type { Core, Started, Work } from '../features/feature.js';
import type { RecordAnswer } from '../http/exchange.js';
import { type AppEnv, createAnswerPage } from '../http/hono.js';
import { createClientOf, createLimitRate } from '../http/rateLimit.js';
import { createRefuse } from '../http/refuse.js';
import { createWayIn, type Endpoint } from '../http/wayIn.js';
import { createEndpoints } from './endpoints.js';
import { distributionOf, type Extended } from './features.js';
import { createPages, type PagesDeps } from './pages.js';

/** Dependencies of the app; `listen` wires them. */
export interface AppDeps
  extends Pick<Core, 'pools' | 'queue' | 'secret' | 'clock' | 'publicUrl' | 'trialAccess' | 'isOwnMachine'>,
    Pick<PagesDeps, 'sdk' | 'metrics' | 'metricsAccess' | 'trustedProxies' | 'isStopping'> {
  log: Logger;
  recordAnswer: RecordAnswer;
  extended: Extended;
  /** Requests a minute of one client address without a known key; see `createLimitRate`. Null for no limit. */
  rateLimitPerMinute: number | null;
}

/** Both ways to an answer, and what is done beside answers. */
export interface App {
  endpoints: readonly Endpoint[];
  /** Answers every path that is not of the API. */
  pages: Hono<AppEnv>;
  /** Answers every request. */
  answer: RequestListener;
  /** What is done without being asked. */
  work: readonly Work[];
  /** Resolves when what is done behind answers is done. Called after the last request and the last work. */
  stop: () => Promise<void>;
}

/** Puts the core and its features together. */
export function createApp(deps: AppDeps): App {
  const {
    pools,
    queue,
    secret,
    clock,
    publicUrl,
    trialAccess,
    isOwnMachine,
    extended,
    log,
    metrics,
    isStopping,
  } = deps;
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
  const place = createPlaceStatements(pools.work, listeners, extended.onWaiting);
  const { storeReport, load } = createStoreReport(
    pools,
    queue,
    { listeners, place, storeNew },
    { onBatch: metrics.batch, onMerged: metrics.merged },
  );
  metrics.watchQueue(load);
  const clientOf = createClientOf(deps.trustedProxies);
  const { inTurn } = createTurns(pools.work, queue, {
    concurrent: statementsOf.storedOrders,
    leftToOthers: 2,
    tookTooLong: 'Reading or changing the order took too long; try again.',
  });
  const core: Core = {
    pools,
    queue,
    secret,
    clock,
    publicUrl,
    trialAccess,
    isOwnMachine,
    senderCache,
    storeReport,
    load,
    limitRate: createLimitRate(deps.rateLimitPerMinute, clientOf),
    inTurn,
    place,
    storeRefund: createStoreRefund(inTurn, place),
    removeRefund: createRemoveRefund(inTurn, place),
    registry: metrics.registry,
    findExampleTeam:
      features.find(({ findExampleTeam }) => findExampleTeam)?.findExampleTeam ?? (async () => undefined),
    served: () => ({
      endpoints,
      events: features.flatMap(({ events }) => events ?? []),
      features: features.map(({ name }) => name),
      ways: started.flatMap((each) => each.ways ?? []),
    }),
  };
  const started: readonly Started[] = made.flatMap((each) => each.start?.(core) ?? []);
  const endpoints: readonly Endpoint[] = [
    ...createEndpoints(core, listeners),
    ...started.flatMap((each) => each.endpoints ?? []),
  ];
  const onRefused = createOnRefused(
    senderCache,
    started.flatMap(({ keepRefusal }) => keepRefusal ?? []),
  );
  const refuse = createRefuse(log, publicUrl);
  const pages = createPages(core, {
    ...deps,
    listeners,
    refuse,
    parts: [...features, ...started].flatMap((each) => each.console ?? []),
    added: started.flatMap((each) => each.pages ?? []),
    ways: core.served().ways,
    tryStoring: distribution?.tryStoring(pools.watch) ?? tryStoring,
  });
  return {
    endpoints,
    pages,
    answer: createWayIn(endpoints, createAnswerPage(pages), {
      log,
      clientOf,
      recordAnswer: deps.recordAnswer,
      refuse,
      onRefused,
      isStopping,
    }),
    work: [...extended.work, ...started.flatMap(({ work = [] }) => work)],
    stop: async () => void (await Promise.all(started.map((each) => each.stop?.()))),
  };
}
