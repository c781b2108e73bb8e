import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Sql } from '../src/database/connection/connect.js';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { readCpuMs } from './cpu.js';
import type { Load } from './load.js';
import { type Listening, runCommand, startServer } from './processes.js';

const thisCheckout = fileURLToPath(new URL('../../../..', import.meta.url));

/** A built checkout of this repository to measure, with a server and a database. */
export interface Candidate {
  server: Listening;
  sql: Sql;
  /** Address of the database for `pgbench`. */
  place: { socketFolder: string; user: string; database: string };
  teamId: string;
  sequenceId: string;
  /** The `Authorization` header with the team's key. */
  bearer: string;
  /** New orders, as a page with the SDK reports them. */
  orders: Load;
  run<T>(args: string[], input?: string): Promise<T>;
  /** Id of the PostgreSQL process that is the parent of the others. */
  databasePid: number;
  /** CPU time of all PostgreSQL processes so far; null if it cannot be read. */
  databaseCpuMs(): number | null;
  stop(): Promise<void>;
}

/** Settings with a rate limit that never refuses, so that its cost is measured. wrk has one address. */
const settings = { ORDERBEACON_RATE_LIMIT: '999999999' };

/** The headers that a browser sends with a report. */
const pageHeaders = {
  Origin: 'https://shop.example',
  Referer: 'https://shop.example/',
  'Content-Type': 'text/plain;charset=UTF-8',
  Accept: '*/*',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en;q=0.9',
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

/** Makes a report of `track('order', …)` with two items. `{n}` is a different number each time. */
export function orderLoad(url: string, teamId: string): Load {
  const body = JSON.stringify({
    email: 'buyer-{n}@mail.example',
    amount: 69.85,
    orderId: '{n}',
    currency: 'EUR',
    source: 'STRIPE',
    name: 'Ann Buyer',
    items: [
      { productId: '81723', sku: 'TEE-1', name: 'T-shirt, organic cotton', quantity: 2, price: 24.95 },
      { productId: '81764', sku: 'CAP-7', name: 'Cap', variant: 'Blue', quantity: 1, price: 19.95 },
    ],
    teamId,
    visitorId: 'mfx3k9q0zs8v1w7c5t2y4r6p',
    reportId: 'orderbeacon:{n}',
    sdkVersion: '1.2.3',
  });
  return { url, method: 'POST', headers: pageHeaders, body };
}

/**
 * Starts the server of a checkout on an empty embedded database, with a team that has a key, a domain and a sequence.
 * @param checkout root of a built checkout; default: the one of this file
 */
export async function startCandidate(dataFolder: string, checkout = thisCheckout): Promise<Candidate> {
  const executable = join(checkout, 'server/bin/orderbeacon.js');
  const embedded = await openEmbedded(dataFolder, () => {});
  const env = { DATABASE_URL: embedded.url, ...settings };
  const run = <T>(args: string[], input?: string) => runCommand<T>(env, args, { input, executable });
  await run(['migrate']);
  const ofStore = ['--storefront-url', 'https://shop.example'];
  const { id: teamId } = await run<{ id: string }>(['team', 'create', '--name', 'Bench', ...ofStore]);
  await run(['domain', 'add', '--team', teamId, 'shop.example']);
  const { key } = await run<{ key: string }>(['key', 'create', '--team', teamId]);
  const sequence = await run<{ id: string }>(['sequence', 'create', '--team', teamId, '--name', 'Bench']);
  const server = await startServer(env, executable);
  const { username: user, pathname, searchParams } = new URL(embedded.url);
  const sql = connect(embedded.url, 1);
  const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as never as [{ pid: number }];
  return {
    server,
    sql,
    place: { socketFolder: searchParams.get('host')!, user, database: pathname.slice(1) },
    teamId,
    sequenceId: sequence.id,
    bearer: `Bearer ${key}`,
    orders: orderLoad(`${server.url}/svc-api/v1/orders`, teamId),
    run,
    databasePid: process.platform === 'linux' ? parentOf(pid) : pid,
    databaseCpuMs: () =>
      process.platform === 'linux' ? readCpuMs(parentOf(pid), { withChildren: true }) : null,
    async stop() {
      await server.stop();
      await sql.end();
      await embedded.close();
    },
  };
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}
