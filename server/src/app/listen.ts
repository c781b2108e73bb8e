import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { type Config, publicUrlOf, urlOf } from '../config.js';
import type { SdkFiles } from '../core/script/sdkFiles.js';
import { type QueueBounds, queueBounds } from '../database/batch/queueBounds.js';
import { startClock } from '../database/clock.js';
import { findSecret } from '../database/installation.js';
import type { Pools } from '../database/pools.js';
import { createCleaningRefused } from '../features/refused/cleanRefused.js';
import { createRefusedKeeper } from '../features/refused/keepRefused.js';
import { type RefusedBounds, refusedBounds } from '../features/refused/refusedReport.js';
import { createIdleWait } from '../features/webhooks/idleWait.js';
import { boundConnections, type ConnectionBounds, connectionBounds } from '../http/connectionBounds.js';
import { drain } from '../http/drain.js';
import { listenOn } from '../http/listenOn.js';
import { createRecordAnswer } from '../http/recordAnswer.js';
import { createWayIn } from '../http/wayIn.js';
import { createAnswerLog } from '../monitoring/log.js';
import { createMetrics } from '../monitoring/metrics.js';
import { createNoteFault } from '../monitoring/noteFaults.js';
import { version } from '../values/version.js';
import { withTimeout } from '../values/withTimeout.js';
import { type AppDeps, createApp } from './app.js';
import { createListeners } from './features.js';
import { startBackgroundWork } from './startBackgroundWork.js';

/** What listeners have not done by then is lost with the process; the night's recount of days needs none of it. */
const heardMs = 1_000;

/** A server that listens. */
export interface Running {
  /** URL of the address and port that it is bound to. */
  bindUrl: string;
  /** URL that browsers and integrators see. */
  publicUrl: string;
  /**
   * Takes no new request; resolves when all that has begun is answered, or after 10 s.
   * @param hurry resolves when the rest is to be cut before that
   */
  stop(hurry?: Promise<void>): Promise<void>;
}

/** Composes the app on an open, migrated database and listens; `serve` and the tests start here. */
export async function listen(
  pools: Pools,
  config: Config,
  {
    sdk,
    log,
    queue = queueBounds,
    connections = connectionBounds,
    refused = refusedBounds,
  }: {
    sdk: SdkFiles;
    log: Logger;
    queue?: QueueBounds;
    connections?: ConnectionBounds;
    refused?: RefusedBounds;
  },
): Promise<Running> {
  let isStopping = false;
  let publicUrl = config.publicUrl ?? '';
  const clock = await startClock(pools.watch);
  const metrics = createMetrics(pools.watch, version);
  const noteFault = createNoteFault(log, metrics.fault);
  const keeper = createRefusedKeeper(pools.refused, metrics.refused, refused, clock);
  const cleaning = createCleaningRefused(pools.background);
  const idle = createIdleWait();
  const { listeners, settling } = createListeners(pools.background, {
    idle,
    cleaning,
    onMarkFault: (error) => noteFault('day_sums', error),
  });
  const recordAnswer = createRecordAnswer(createAnswerLog(log), metrics.answered);
  const { answerApi, pages, load, heard, storeEvent, away } = createApp({
    pools,
    queue,
    secret: await findSecret(pools.watch),
    clock,
    keepRefused: keeper.keep,
    keepRefusedLater: keeper.keepLater,
    findUnkept: keeper.findUnkept,
    listeners,
    sdk,
    log,
    recordAnswer(answered) {
      recordAnswer(answered);
      // A refund, an enrollment or a button may have enqueued a delivery.
      if (answered.method !== 'GET') idle.wake();
    },
    metrics,
    metricsAccess: { token: config.metricsToken, isProxied: isProxied(config) },
    demoAccess: demoAccess(config),
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    publicUrl: () => publicUrl,
    isStopping: () => isStopping,
  });
  const server = createServer(connections);
  server.timeout = connections.timeout;
  boundConnections(server, createWayIn(answerApi, getRequestListener(pages.fetch)), connections);
  // An unknown `Expect` is ignored (RFC 9110, section 10.1.1), where Node would answer 417.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  const port = await listenOn(server, config);
  publicUrl = publicUrlOf(config, port);
  const stopWork = startBackgroundWork({
    pools,
    clock,
    noteFault,
    load,
    startSettlingRefunds: settling.start,
    startCleaningRefused: cleaning.start,
    storeEvent,
    away,
    idle,
  });
  const stop = async (hurry?: Promise<void>) => {
    isStopping = true;
    await Promise.all([drain(server, hurry), stopWork()]);
    clock.stop();
    await Promise.all([keeper.stop(), withTimeout(heardMs, heard())]);
  };
  return { bindUrl: urlOf(config.host, port), publicUrl, stop };
}

/** True when the settings name a proxy in front: then every caller seems to be on this machine. */
function isProxied({ publicUrl, trustedProxies }: Config): boolean {
  return publicUrl !== null || trustedProxies > 0;
}

/** Decides who may see the demo page. */
export function demoAccess(config: Config): AppDeps['demoAccess'] {
  if (config.demo !== null) return config.demo === 'on' ? 'everyone' : 'nobody';
  return isProxied(config) ? 'nobody' : 'thisMachine';
}
