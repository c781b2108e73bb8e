import { request as httpRequest } from 'node:http';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { chooseFeatures } from '../../src/app/chooseFeatures.js';
import { listen } from '../../src/app/listen.js';
import { readConfig } from '../../src/config.js';
import { loadSdkFiles, type SdkFiles } from '../../src/core/script/sdkFiles.js';
import { issueKey } from '../../src/core/teams/issueKey.js';
import type { KeyMode } from '../../src/core/teams/keys.js';
import { addDomain } from '../../src/core/teams/sql/domain.js';
import { createTeam } from '../../src/core/teams/sql/team.js';
import {
  connect,
  type Sql,
  type StatementBounds,
  statementBounds,
} from '../../src/database/connection/connect.js';
import { connectionsOf, endPools, openPools, type PoolSizes, type Pools } from '../../src/database/pools.js';
import { type QueueBounds, queueBounds } from '../../src/database/queue.js';
import type { Feature } from '../../src/host/host.js';
import { type ConnectionBounds, connectionBounds } from '../../src/http/connectionBounds.js';
import { encodeId, newUuid } from '../../src/values/ids.js';
import { createTestDatabase, joinDatabase } from './database.js';
import { inTests } from './inTests.js';

/** An answer as a client sees it. `body` is the parsed JSON, or null without a body. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** Options of a test's server. Defaults are those of production, but time limits are `patient` and no rate is limited. */
export interface ServerOptions {
  /** Settings of the process. */
  env?: Record<string, string>;
  /** A database that is not dropped. Default: a new one for the server. */
  databaseUrl?: string;
  /** Starts a proxy to the database on which a test can make faults. Resolves with its URL. */
  wayTo?: (url: string) => Promise<string>;
  /** Wraps a pool, so that a test sees its statements. */
  watching?: (sql: Sql, pool: keyof Pools) => Sql;
  bounds?: StatementBounds;
  /** Number of connections of each pool. */
  sizes?: PoolSizes;
  /** Gives the pool for refused reports its short limits of production. */
  isRefusedPoolTimed?: boolean;
  queue?: Partial<QueueBounds>;
  connections?: Partial<ConnectionBounds>;
  /** The features. Default: those of the settings. */
  list?: readonly Feature[];
  /** The SDK's files that are served. Default: those of this tree. */
  sdk?: SdkFiles;
}

/** A running server of a test. */
export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Longer than a busy machine takes for a statement, or until its turn. */
export const patienceMs = 60_000;

/**
 * Time limits of the tests' servers, which a busy machine does not reach. With the usual limits a server would answer 503 there.
 * A test of a limit sets its own.
 */
export const patient = {
  statements: {
    ...statementBounds,
    statementMs: patienceMs,
    lockMs: patienceMs,
    idleInTransactionMs: patienceMs,
    answerMs: 2 * patienceMs,
  },
  queue: { ...queueBounds, waitAtMostMs: patienceMs },
};

/** Starts a server. The caller closes it. */
export async function startTestServer({
  env = { ORDERBEACON_RATE_LIMIT: 'off' },
  databaseUrl,
  wayTo = async (url) => url,
  watching = (sql) => sql,
  bounds,
  sizes,
  isRefusedPoolTimed = false,
  queue,
  connections,
  list,
  sdk,
}: ServerOptions = {}) {
  const database = databaseUrl ? joinDatabase(databaseUrl) : await createTestDatabase();
  const { sql } = database;
  const pools = openTestPools(await wayTo(database.url), bounds, sizes, isRefusedPoolTimed);
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ PORT: '0', ...env });
  const watched = Object.fromEntries(
    Object.entries(pools).map(([name, pool]: [string, Sql | readonly Sql[]]) => {
      const watch = (sql: Sql) => watching(sql, name as keyof Pools);
      return [name, typeof pool === 'function' ? watch(pool) : pool.map(watch)];
    }),
  ) as unknown as Pools;
  const server = await listen(watched, config, {
    sdk: sdk ?? (await loadSdkFiles()),
    log,
    queue: { ...patient.queue, ...queue },
    connections: { ...connectionBounds, ...connections },
    list: await inTests(list ?? chooseFeatures(config)),
  });

  async function send(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ) {
    return sendTo(new URL(path, server.publicUrl), method, init);
  }

  async function addTeam(...domains: string[]) {
    const team = newUuid();
    await createTeam(sql, { id: team, name: 'Test', storefrontUrl: 'https://shop.example' });
    for (const entry of domains) await addDomain(sql, team, { entry, isTest: false });
    return { uuid: team, teamId: encodeId('team', team) };
  }

  async function addKey(team: string, mode: KeyMode = 'live') {
    const { key } = await issueKey(sql, team, { mode, name: null });
    return key;
  }

  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    send('POST', path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });

  return {
    ...database,
    url: server.publicUrl,
    bindUrl: server.bindUrl,
    lines,
    send,
    addTeam,
    addKey,
    /** Reports an order as a page of `https://shop.example` does, unless the headers differ. */
    report: (body: unknown, headers: Record<string, string> = { origin: 'https://shop.example' }) =>
      post('/svc-api/v1/orders', body, headers),
    reportByKey: (key: string, body: unknown, headers: Record<string, string> = {}) =>
      post('/svc-api/v1/orders', body, { authorization: `Bearer ${key}`, ...headers }),
    enroll: (key: string, body: unknown) =>
      post('/svc-api/v1/sequences/enroll', body, { authorization: `Bearer ${key}` }),
    pools,
    stop: server.stop,
    async close() {
      await server.stop();
      await Promise.all([endPools(pools, { timeout: 1 }), sql.end({ timeout: 1 })]);
      await database.close();
    },
  };
}

/** Starts a server for one test. */
export async function startServerForTest(options?: ServerOptions) {
  const server = await startTestServer(options);
  onTestFinished(server.close);
  return server;
}

/** Opens the pools of a server. Pools with special limits get patient ones, unless the test sets them. */
function openTestPools(
  url: string,
  bounds: StatementBounds = patient.statements,
  sizes: PoolSizes = connectionsOf,
  isRefusedPoolTimed = false,
): Pools {
  const patientPool = (name: keyof typeof connectionsOf) =>
    connect(url, sizes[name], { ...patient.statements, arePassed: bounds.arePassed });
  return {
    ...openPools(url, bounds, sizes),
    ...(bounds === patient.statements && { watch: patientPool('watch') }),
    ...(!isRefusedPoolTimed && { refused: patientPool('refused') }),
  };
}

/** Sends a request over a real socket, with any header. (fetch forbids Origin, Referer, Host and others.) */
export function sendTo(
  url: URL,
  method: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer | undefined } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        resolve({
          status: response.statusCode!,
          headers: new Headers(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          text,
          body: isJson && text ? JSON.parse(text) : null,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
