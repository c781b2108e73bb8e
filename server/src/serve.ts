import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { type AppDeps, createApp } from './app.js';
import { type Config, ConfigError } from './config.js';
import { connect, type Sql, type StatementBounds } from './database/connect.js';
import { migrate } from './database/migrate.js';
import { openDatabase } from './database/openDatabase.js';
import { findBounds } from './database/statementBounds.js';
import type { ApiError } from './errors.js';
import type { GroupCommitBounds } from './groupCommit.js';
import { connectionsOf, createGroupCommits, groupCommitBounds, type Pools } from './groupCommits.js';
import { answerBadHttp, answerBadUrl, refuseAmbiguous } from './http/answerBadHttp.js';
import { reportsFirst } from './http/answerReports.js';
import {
  boundConnections,
  type ConnectionBounds,
  connectionBounds,
  serverOptions,
} from './http/connectionBounds.js';
import { oneRequestAtATime } from './http/oneRequestAtATime.js';
import { isJournal } from './monitoring/isJournal.js';
import { createLog } from './monitoring/log.js';
import { createMetrics } from './monitoring/metrics.js';
import { noteUnhandled } from './monitoring/noteUnhandled.js';
import { announceDemo } from './pages/announceDemo.js';
import { loadSdkFiles, type SdkFiles } from './pages/sdkFiles.js';
import { startRefusedExpiry } from './refused/expireRefused.js';
import { createRefusedKeeper, type RefusedBounds, refusedBounds } from './refused/keepRefused.js';
import { bindUrl, resolvePublicUrl } from './resolvePublicUrl.js';
import { findSecret } from './sql/findSecret.js';
import { rememberPublicUrl } from './sql/rememberPublicUrl.js';

/** How long a stopping server waits for answers before it cuts the connections. */
const drainMs = 10_000;
/** How long its statements may still take then. */
const endTimeoutSeconds = 5;
/** Whoever asks for health has waited 2 s and is gone; a probe that hangs keeps the next one from being made. A refused report that is not kept by then is sent again. */
const watchBounds = { statementMs: 2_000, lockMs: 1_000, answerMs: 3_000 };

/** A server that listens. */
export interface Running {
  /** The URL of the address and port that it is bound to. */
  bindUrl: string;
  /** The URL that browsers and integrators see. */
  publicUrl: string;
  /** Takes no new request, answers all that has begun, and resolves then. */
  stop(): Promise<void>;
}

/** Composes the app on an open, migrated database and listens; `serve` and the tests start here. */
export async function listen(
  pools: Pools,
  config: Config,
  {
    sdk,
    log,
    queue = groupCommitBounds,
    connections = connectionBounds,
    refused = refusedBounds,
  }: {
    sdk: SdkFiles;
    log: Logger;
    queue?: GroupCommitBounds;
    connections?: ConnectionBounds;
    refused?: RefusedBounds;
  },
): Promise<Running> {
  let isStopping = false;
  let publicUrl = config.publicUrl ?? '';
  const metrics = createMetrics(pools.watch, sdk.version);
  const keeper = createRefusedKeeper(pools.refused, metrics.refused, refused);
  const { app, answerReport } = createApp({
    watch: pools.watch,
    console: pools.console,
    secret: await findSecret(pools.watch),
    ...createGroupCommits(pools, metrics, queue),
    keepRefused: keeper.keep,
    sdk,
    log,
    metrics,
    metricsAccess: { token: config.metricsToken, isProxied: isProxied(config) },
    demoAccess: demoAccess(config),
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
  const server = createServer(
    serverOptions(connections),
    oneRequestAtATime(refuseAmbiguous(reportsFirst(answerReport, answer), noteBadHttp), connections),
  );
  boundConnections(server, connections);
  answerBadHttp(server, noteBadHttp);
  const port = await listenOn(server, config);
  publicUrl = resolvePublicUrl(config, port);
  // Last: where connections are few, it takes none from what a server needs to start.
  const stopExpiry = startRefusedExpiry(pools.refused);
  const stop = async () => {
    isStopping = true;
    await drain(server);
    stopExpiry();
    await keeper.stop();
  };
  return { bindUrl: bindUrl(config.host, port), publicUrl, stop };
}

/**
 * Runs the server until SIGTERM, SIGINT, or a fault that nobody handled; resolves when all that was in flight has been
 * answered. After a fault the process then ends with 1: restarted it is sound, which it may not be any more.
 */
export async function serve(config: Config, notify: (line: string) => void): Promise<void> {
  const stopAsked = stopSignal();
  const sdk = await loadSdkFiles();
  const log = createLog(config.logLevel);
  // Migrations take as long as they take, so this one connection has no bounds in time.
  const database = await openDatabase(config, { poolSize: 1, notify });
  const pools: Sql[] = [];
  try {
    const migrated = migrate(database.sql, undefined, { notify }).then(() => 'migrated');
    // A migration may wait for a lock for minutes; broken off it leaves nothing behind, and the next start goes on.
    if ((await Promise.race([migrated, stopAsked])) !== 'migrated') return;
    const opened = openPools(database.url, await findBounds(database.url, notify));
    pools.push(...Object.values(opened));
    const { bindUrl, publicUrl, stop } = await listen(opened, config, { sdk, log });
    const faulted = noteUnhandled(log);
    await rememberPublicUrl(database.sql, publicUrl).catch((error: Error) =>
      notify(
        `The public URL could not be written into the database, where commands look for it: ${error.message}`,
      ),
    );
    const known = publicUrl === bindUrl ? '' : ` (for browsers: ${publicUrl})`;
    notify(`Orderbeacon ${sdk.version} listens on ${bindUrl}${known}`);
    const hasDemo = config.demo === 'on' || (config.demo === null && database.isEmbedded);
    const isPageServed = demoAccess(config) !== 'nobody';
    if (hasDemo) {
      await announceDemo(database.sql, { publicUrl, sdk, isPageServed, isKept: isJournal() }, notify);
    }
    await Promise.race([stopAsked, faulted]);
    await stop();
  } finally {
    await Promise.all(pools.map((sql) => sql.end({ timeout: endTimeoutSeconds })));
    await database.close();
  }
}

/** Whether the settings speak of a proxy in front: then everybody seems to be on this machine. */
function isProxied({ publicUrl, trustedProxies }: Config): boolean {
  return publicUrl !== null || trustedProxies > 0;
}

function demoAccess(config: Config): AppDeps['demoAccess'] {
  if (config.demo !== null) return config.demo === 'on' ? 'everyone' : 'nobody';
  return isProxied(config) ? 'nobody' : 'thisMachine';
}

/** Opens the pools of a server; each connects when it is first used. */
export function openPools(databaseUrl: string, bounds: StatementBounds): Pools {
  return {
    main: connect(databaseUrl, connectionsOf.main, bounds),
    known: connect(databaseUrl, connectionsOf.known, bounds),
    watch: connect(databaseUrl, connectionsOf.watch, { ...bounds, ...watchBounds }),
    console: connect(databaseUrl, connectionsOf.console, bounds),
    refused: connect(databaseUrl, connectionsOf.refused, { ...bounds, ...watchBounds }),
  };
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

function listenOn(server: Server, { port, host }: Pick<Config, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new ConfigError(`Cannot listen on HOST "${host}", PORT ${port}: ${error.message}.`));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Takes no new connection, lets every request that has begun end, and then cuts what is left. */
async function drain(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(deadline);
}
