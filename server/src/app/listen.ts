import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { type Config, publicUrlOf, urlOf } from '../config.js';
import type { Listeners } from '../core/listener.js';
import type { SdkFiles } from '../core/script/sdkFiles.js';
import { startClock } from '../database/clock.js';
import { findSecret } from '../database/installation.js';
import type { Pools } from '../database/pools.js';
import { type QueueBounds, queueBounds } from '../database/queue.js';
import type { Feature } from '../host/host.js';
import { boundConnections, type ConnectionBounds, connectionBounds } from '../http/connectionBounds.js';
import { drain, listenOn } from '../http/listening.js';
import { createRecordAnswer } from '../monitoring/answers.js';
import { createMetrics } from '../monitoring/metrics.js';
import { createNoteFault } from '../monitoring/noteFaults.js';
import { isLoopbackHost } from '../values/addresses.js';
import { version } from '../values/version.js';
import { type AppDeps, createApp } from './app.js';
import { chooseFeatures } from './chooseFeatures.js';

/** A server that listens. */
export interface Running {
  /** URL of the address and port that it is bound to. */
  bindUrl: string;
  /** URL that browsers and integrators see. */
  publicUrl: string;
  listeners: Listeners;
  /**
   * Stops accepting requests. Resolves after all requests in progress are answered, or after 10 s.
   * @param hurry if it resolves before that, the remaining requests are cut
   */
  stop(hurry?: Promise<void>): Promise<void>;
}

/** Composes the app on an open, migrated database, and listens. `serve` and the tests start here. */
export async function listen(
  pools: Pools,
  config: Config,
  {
    sdk,
    log,
    queue = queueBounds,
    connections = connectionBounds,
    list = chooseFeatures(config),
  }: {
    sdk: SdkFiles;
    log: Logger;
    queue?: QueueBounds;
    connections?: ConnectionBounds;
    list?: readonly Feature[];
  },
): Promise<Running> {
  let isStopping = false;
  let publicUrl = config.publicUrl ?? '';
  const clock = await startClock(pools.watch);
  const metrics = createMetrics(pools.watch, version);
  const noteFault = createNoteFault(log, metrics.fault);
  const { answer, jobs, listeners, stop } = createApp({
    features: list,
    pools,
    queue,
    secret: await findSecret(pools.watch),
    clock,
    sdk,
    log,
    recordAnswer: createRecordAnswer(log, metrics.registry),
    noteFault,
    metrics,
    metricsAccess: { token: config.metricsToken, isProxied: isProxied(config) },
    trialAccess: trialAccess(config),
    isOwnMachine: isOwnMachine(config),
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    publicUrl: () => publicUrl,
    isStopping: () => isStopping,
  });
  const server = createServer(connections);
  server.timeout = connections.timeout;
  boundConnections(server, answer, connections);
  // An unknown `Expect` is ignored (RFC 9110, section 10.1.1). Node would answer 417.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  const port = await listenOn(server, config);
  publicUrl = publicUrlOf(config, port);
  metrics.watchWork(jobs.map(({ name }) => name));
  // Jobs start after the server listens, so that with few connections they take none that the start needs.
  const stops = jobs.map(({ name, start }) => start((error) => noteFault(name, error)));
  return {
    bindUrl: urlOf(config.host, port),
    publicUrl,
    listeners,
    async stop(hurry) {
      isStopping = true;
      await Promise.all([drain(server, hurry), ...stops.map((end) => end())]);
      clock.stop();
      await stop();
    },
  };
}

/** @returns true if the settings name a proxy or a public URL: then every caller may seem to be on this machine */
function isProxied({ publicUrl, trustedProxies }: Config): boolean {
  return publicUrl !== null || trustedProxies !== 0;
}

/** Decides who may see the demo page. */
export function trialAccess(config: Config): AppDeps['trialAccess'] {
  if (config.demo !== null) return config.demo === 'on' ? 'everyone' : 'nobody';
  return isProxied(config) ? 'nobody' : 'thisMachine';
}

/**
 * @returns true if only this machine can reach the server: it listens on the loopback address, and the settings name no trusted
 *   proxy and no public URL of another host
 */
function isOwnMachine({ host, publicUrl, trustedProxies }: Config): boolean {
  const isPublic = publicUrl !== null && !isLoopbackHost(new URL(publicUrl).hostname);
  return isLoopbackHost(host) && !isPublic && trustedProxies === 0;
}
