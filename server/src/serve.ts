import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { openDatabase, type Sql } from './database/connect.js';
import { migrate } from './database/migrate.js';
import type { ApiError } from './errors.js';
import type { GroupCommitBounds } from './groupCommit.js';
import { createGroupCommits, groupCommitBounds } from './groupCommits.js';
import { answerBadHttp, answerBadUrl } from './http/answerBadHttp.js';
import {
  boundConnections,
  type ConnectionBounds,
  connectionBounds,
  serverOptions,
} from './http/connectionBounds.js';
import { oneRequestAtATime } from './http/oneRequestAtATime.js';
import { createLog } from './monitoring/log.js';
import { createMetrics } from './monitoring/metrics.js';
import { announceDemo } from './pages/announceDemo.js';
import { loadSdkFiles, type SdkFiles } from './pages/sdkFiles.js';
import { resolvePublicUrl } from './resolvePublicUrl.js';
import { findSecret } from './sql/findSecret.js';

/** How long a stopping server waits for answers before it cuts the connections. */
const drainMs = 10_000;

/** A server that listens. */
export interface Running {
  /** The URL that browsers and integrators see. */
  publicUrl: string;
  /** Takes no new request, answers all that has begun, and resolves then. */
  stop(): Promise<void>;
}

/** Composes the app on an open, migrated database and listens; `serve` and the tests start here. */
export async function listen(
  sql: Sql,
  config: Config,
  {
    sdk,
    log,
    queue = groupCommitBounds,
    connections = connectionBounds,
  }: { sdk: SdkFiles; log: Logger; queue?: GroupCommitBounds; connections?: ConnectionBounds },
): Promise<Running> {
  let isStopping = false;
  let publicUrl = config.publicUrl ?? '';
  const metrics = createMetrics(sql);
  const app = createApp({
    sql,
    secret: await findSecret(sql),
    ...createGroupCommits(sql, metrics, queue),
    sdk,
    log,
    metrics,
    metricsAccess: {
      token: config.metricsToken,
      isProxied: config.publicUrl !== null || config.trustedProxies > 0,
    },
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    publicUrl: () => publicUrl,
    isStopping: () => isStopping,
  });
  const noteBadHttp = ({ status, code }: ApiError) => {
    log.info({ route: 'none', status, outcome: code });
    metrics.answered({ route: 'none', status, ms: 0, outcome: code });
  };
  const answer = getRequestListener(app.fetch, { errorHandler: answerBadUrl(noteBadHttp) });
  const server = createServer(serverOptions(connections), oneRequestAtATime(answer, connections));
  boundConnections(server, connections);
  answerBadHttp(server, noteBadHttp);
  const port = await listenOn(server, config);
  publicUrl = resolvePublicUrl(config, port);
  const stop = async () => {
    isStopping = true;
    await drain(server);
  };
  return { publicUrl, stop };
}

/** Runs the server until SIGTERM or SIGINT; resolves when all that was in flight has been answered. */
export async function serve(config: Config, notify: (line: string) => void): Promise<void> {
  const stopAsked = stopSignal();
  const sdk = await loadSdkFiles();
  const database = await openDatabase(config, { notify });
  try {
    await migrate(database.sql, undefined, { notify });
    const { publicUrl, stop } = await listen(database.sql, config, { sdk, log: createLog(config.logLevel) });
    notify(`Orderbeacon ${sdk.version} listens on ${publicUrl}`);
    if (database.isEmbedded) await announceDemo(database.sql, { publicUrl, sdk }, notify);
    await stopAsked;
    await stop();
  } finally {
    await database.close();
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

function listenOn(server: Server, { port, host }: Pick<Config, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Takes no new connection, lets every request that has begun end, and then cuts what is left. */
async function drain(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(deadline);
}
