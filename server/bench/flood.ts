import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Sql } from '../src/database/connection/connect.js';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { encodeId } from '../src/values/ids.js';
import { tryBeside } from './beside.js';
import type { Flood } from './floodSender.js';
import { describe, percentile, recoveryMs, successOf } from './goodAnswers.js';
import { startGoodClient } from './goodClient.js';
import { measure, requireWrk } from './load.js';
import { makeFolder } from './makeFolder.js';
import type { BenchOptions } from './options.js';
import { runCommand, runFlood, startServer } from './processes.js';
import { count, notify } from './table.js';
import { tryTogether } from './together.js';
import type { Verdict } from './verdict.js';

/** Time for which only the good clients send, before the flood. */
const idleSeconds = 3;
const pauseMs = 10;
/** Limit of the memory. Measured peaks with 5,000 connections: 0.42 to 0.53 GB. The rest is for garbage that V8 keeps. */
const peakBytesAtMost = 768e6;
/** Limit of the time after a flood until good clients have their former speed, in their p99s before it: of 5 ms, 2 s. */
const recoveryAtMost = 400;
const settleMs = 4_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A flood, and the limits of its effect on two good clients: one of the flooded team and one of another. */
interface FloodCase {
  env: Record<string, string>;
  flood: Pick<Flood, 'address' | 'hosts' | 'connections' | 'waitingAtMost'>;
  /** Requests per second, computed from the orders that the server stores per second. */
  perSecond: (capacity: number) => number;
  /** Set if the flood names made-up teams and keys, and not the flooded team. */
  isOfStrangers: boolean;
  /** Time for which the database stalls in the middle, as in a failover, so that orders queue up. */
  stallMs: number;
  statuses: string[];
  /** Least share of each good client's reports that are stored at the first try; null if its reports may be refused. */
  successAtLeast: { same: number | null; other: number };
  /** Largest factor by which the p99 of the good clients may grow. */
  slowerAtMost: number;
}

const tenTimes = (capacity: number) => Math.ceil(10 * capacity);
const ofStrangers = {
  env: {},
  perSecond: () => 20_000,
  isOfStrangers: true,
  stallMs: 0,
  statuses: ['401', '403', '429', '503'],
  successAtLeast: { same: 1, other: 1 },
  slowerAtMost: 2,
};

const cases: Record<string, FloodCase> = {
  limited: {
    env: {},
    flood: { address: '10.0.0.1', connections: 2_000, waitingAtMost: 7 },
    perSecond: tenTimes,
    isOfStrangers: false,
    stallMs: 0,
    statuses: ['200', '429', '503'],
    successAtLeast: { same: 0.99, other: 0.99 },
    slowerAtMost: Number.POSITIVE_INFINITY,
  },
  unlimited: {
    env: { ORDERBEACON_RATE_LIMIT: 'off' },
    // More than the 4,000 waiting orders and the 512 in flight that a team may have. The server cuts a connection at 9 requests.
    flood: { address: '10.0.0.1', connections: 5_000, waitingAtMost: 1 },
    perSecond: tenTimes,
    isOfStrangers: false,
    stallMs: 3_000,
    statuses: ['200', '429', '503'],
    successAtLeast: { same: null, other: 0.99 },
    slowerAtMost: Number.POSITIVE_INFINITY,
  },
  refused: {
    env: { ORDERBEACON_RATE_LIMIT: 'off' },
    flood: { address: null, hosts: 1_000, connections: 200, waitingAtMost: 7 },
    perSecond: () => 5_000,
    isOfStrangers: false,
    stallMs: 0,
    statuses: ['403', '503'],
    successAtLeast: { same: 1, other: 1 },
    slowerAtMost: Number.POSITIVE_INFINITY,
  },
  strangers: { ...ofStrangers, flood: { address: '10.9.9.9', connections: 1_000, waitingAtMost: 7 } },
  everywhere: { ...ofStrangers, flood: { address: null, connections: 1_000, waitingAtMost: 7 } },
};

/**
 * Floods a server, and measures two good clients at other addresses, which report one order at a time. The parts:
 * - `limited` and `unlimited`: ten times the orders that the server can store
 * - `refused`: reports of 1,000 hosts that are not allowed
 * - `strangers`: made-up teams and keys from one address
 * - `everywhere`: the same, each from another address
 * - `beside`: other loads that strangers and other teams can cause
 * - `together`: all of that concurrently, on two servers
 *
 * `--seconds` is the length of each; default 20, and 120 of `together`.
 */
export async function tryFloods({ parts, seconds }: BenchOptions, verdict: Verdict): Promise<void> {
  const names = parts.length > 0 ? parts : [...Object.keys(cases), 'beside', 'together'];
  if (names.some((name) => name in cases)) requireWrk();
  const folder = await makeFolder('flood');
  const embedded = await openEmbedded(join(folder, 'data'), () => {});
  const sql = connect(embedded.url, 2);
  const place = { seconds: seconds ?? 20, databaseUrl: embedded.url, sql, folder };
  for (const name of names)
    if (name === 'beside') await tryBeside(place, verdict);
    else if (name === 'together') await tryTogether({ ...place, seconds }, verdict);
    else await tryFlood(name, cases[name]!, place, verdict);
  await sql.end();
  await embedded.close();
  await rm(folder, { recursive: true });
}

async function tryFlood(
  name: string,
  { env: variant, flood, perSecond, isOfStrangers, stallMs, ...promised }: FloodCase,
  place: { seconds: number; databaseUrl: string; sql: Sql; folder: string },
  verdict: Verdict,
): Promise<void> {
  const { figure } = verdict;
  const promise = (what: string, isKept: boolean, evidence: string[] = []) =>
    verdict.promise(`${name}: ${what}`, isKept, evidence);
  const { seconds, databaseUrl, sql, folder } = place;
  const env = { DATABASE_URL: databaseUrl, ORDERBEACON_TRUST_PROXY: '1', ...variant };
  const server = await startServer(env);
  const { url } = server;
  const addTeam = async (title: string) => {
    const team = await runCommand<{ id: string }>(env, ['team', 'create', '--name', title]);
    await runCommand(env, ['domain', 'add', '--team', team.id, 'shop.example']);
    return team.id;
  };
  const teams = { same: await addTeam('Flooded'), other: await addTeam('Other') };
  const { key } = await runCommand<{ key: string }>(env, ['key', 'create', '--team', teams.same]);
  const capacity = await measure(
    {
      url: `${url}/svc-api/v1/orders`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: `{"teamId":"${teams.same}","email":"buyer@mail.example","amount":49.9,"orderId":"capacity-{n}"}`,
    },
    16,
    idleSeconds,
  );
  const offered = perSecond(capacity.perSecond);
  notify(`\n${name}: ${count(capacity.perSecond)} orders/s over 16 connections, ${count(offered)}/s offered`);

  const good = (['same', 'other'] as const).map((team, at) => ({
    team,
    client: startGoodClient(
      { url, teamId: teams[team], address: `10.0.0.${at + 2}`, name: `${name}-${team}` },
      pauseMs,
    ),
  }));
  // The code is compiled and connections are open, so what follows measures a server at rest.
  await sleep(1_000);
  for (const { client } of good) client.take();
  await sleep(idleSeconds * 1000);
  const idle = good.map(({ client }) => client.take());

  const acknowledgedFile = join(folder, 'acknowledged');
  const teamId = isOfStrangers ? null : teams.same;
  const stalled = stallDatabase(sql, (seconds * 1000) / 2, stallMs);
  const flooded = await runFlood({ url, teamId, ...flood, perSecond: offered, seconds, acknowledgedFile });
  await stalled;
  await sleep(settleMs);
  const since = good.map(({ client }) => client.take());
  await Promise.all(good.map(({ client }) => client.stop()));

  const statuses = Object.entries(flooded.answers).map(([status, n]) => `${status} × ${count(n)}`);
  notify(`  sent ${count(flooded.sent / seconds)}/s, answered ${statuses.join(', ')}, cut ${flooded.cut}`);
  promise(
    `the flood gets ${promised.statuses.join(', ')} alone`,
    Object.keys(flooded.answers).every((status) => promised.statuses.includes(status)),
  );
  promise('every 429 and 503 has Retry-After', flooded.withoutRetryAfter === 0);
  if (stallMs > 0) promise('orders are refused with 503 when the queue is full', flooded.answers['503']! > 0);
  const peakBytes = server.peakResidentBytes();
  promise(`memory stays under 768 MB: ${Math.round(peakBytes / 1e6)} MB`, peakBytes < peakBytesAtMost);

  for (const [at, { team }] of good.entries()) {
    // The flood's process starts and ends slowly, so the times of its first and last request count.
    const during = since[at]!.filter(({ atMs }) => atMs >= flooded.startedMs && atMs <= flooded.endedMs);
    const after = since[at]!.filter(({ atMs }) => atMs > flooded.endedMs);
    notify(`  ${team} team: ${describe(idle[at]!)}; in the flood ${describe(during)}`);
    const [idleMs, duringMs] = [idle[at]!, during].map((answers) => percentile(answers, 0.99)) as [
      number,
      number,
    ];
    figure(`${name}, ${team} team, p99 ms`, duringMs);
    const least = promised.successAtLeast[team];
    if (least !== null)
      promise(`${team} team: ${least * 100} % stored at the first try`, successOf(during) >= least);
    if (promised.slowerAtMost < Number.POSITIVE_INFINITY)
      promise(`${team} team: the p99 at most doubles`, duringMs <= promised.slowerAtMost * idleMs);
    const tookMs = recoveryMs(after, flooded.endedMs, Math.max(50, 3 * idleMs));
    promise(
      `${team} team: answered as before after ${Math.round(tookMs)} ms`,
      tookMs <= recoveryAtMost * Math.max(5, idleMs),
    );
  }

  const rows = await sql`select id from placed_order`;
  const stored = new Set(rows.map((row) => encodeId('ord', row.id)));
  const acknowledged = [
    ...readFileSync(acknowledgedFile, 'utf8').split('\n').filter(Boolean),
    ...good.flatMap(({ client }) => client.acknowledged),
  ];
  const missing = acknowledged.filter((id) => !stored.has(id));
  const isOnce = new Set(acknowledged).size === acknowledged.length;
  promise(
    `all of ${count(acknowledged.length)} acknowledged orders are stored, once each`,
    missing.length === 0 && isOnce,
    missing,
  );
  promise('the server survives and stops when asked', (await server.stop()) === 0);
}

/** Blocks every insert of an order for a while, as a failover or a lock does. */
async function stallDatabase(sql: Sql, afterMs: number, stallMs: number): Promise<void> {
  if (stallMs === 0) return;
  await sleep(afterMs);
  await sql.begin(async (transaction) => {
    await transaction`lock table placed_order in exclusive mode`;
    await sleep(stallMs);
  });
}
