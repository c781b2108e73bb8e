import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../src/database/connection/connect.js';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { describe } from './goodAnswers.js';
import { startGoodClient } from './goodClient.js';
import { type Measured, measure } from './load.js';
import { makeFolder } from './makeFolder.js';
import { runCommand, runFlood, startServer } from './processes.js';

/**
 * Sends `PER_SECOND` (5,000) reports a second of one team from 1,000 hosts that are not allowed, beside good orders
 * of another team: as fast as they go over 64 connections, at a steady `RATE` (1,000) a second, and one at a time.
 * `ROUNDS` (3) rounds of `SECONDS` (10) with and without, in turn; prints medians. Ends with 1 when a good order got
 * no answer or a refusal.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 10);
const perSecond = Number(process.env.PER_SECOND ?? 5_000);
const steadyRate = Number(process.env.RATE ?? 1_000);
const hosts = 1_000;
const pauseMs = 5;

const notify = (line: string) => process.stdout.write(`${line}\n`);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
const formatCount = (n: number) => Math.round(n).toLocaleString('en');

const folder = await makeFolder('refusals');
const embedded = await openEmbedded(join(folder, 'data'), () => {});
const env = { DATABASE_URL: embedded.url, ORDERBEACON_TRUST_PROXY: '1', ORDERBEACON_RATE_LIMIT: 'off' };
const server = await startServer(env);
const { url } = server;
const sql = connect(embedded.url, 1);
const addTeam = async (name: string) => {
  const team = await runCommand<{ id: string }>(env, ['team', 'create', '--name', name]);
  await runCommand(env, ['domain', 'add', '--team', team.id, 'shop.example']);
  return team.id;
};
const good = await addTeam('Good');
const flooded = await addTeam('Flooded');
const { key } = await runCommand<{ key: string }>(env, ['key', 'create', '--team', good]);
const load = {
  url: `${url}/svc-api/v1/orders`,
  method: 'POST' as const,
  headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
  body: `{"teamId":"${good}","email":"buyer-{n}@mail.example","amount":49.9,"orderId":"{n}"}`,
};
let flooders = 0;

async function flood(run: () => Promise<unknown>) {
  const running = runFlood({
    url,
    teamId: flooded,
    address: null,
    hosts,
    perSecond,
    seconds: seconds + 2,
    connections: 200,
    waitingAtMost: 7,
    acknowledgedFile: join(folder, `acknowledged-${flooders++}`),
  });
  await sleep(1_000);
  const result = await run();
  const { sent, heldBack, answers } = await running;
  const statuses = Object.entries(answers).map(([status, n]) => `${status} × ${formatCount(n)}`);
  notify(
    `  flood: ${formatCount(sent / (seconds + 2))}/s sent, ${formatCount(heldBack / (seconds + 2))}/s held back; ${statuses.join(', ')}`,
  );
  return result;
}

/** Sends good orders at a steady rate. Resolves with the number that were stored within a second of the end. */
async function steady() {
  const clients = 40;
  const everyMs = (1000 * clients) / steadyRate;
  let n = 0;
  let isOver = false;
  const tookMs: number[] = [];
  let failures = 0;
  const beat = async (at: number) => {
    for (let due = performance.now() + at; !isOver; due += everyMs) {
      await sleep(due - performance.now());
      const body = load.body.replaceAll('{n}', `steady-${flooders}-${process.hrtime.bigint()}-${n++}`);
      const startedMs = performance.now();
      const { ok } = await fetch(load.url, { ...load, body }).catch(() => ({ ok: false }));
      tookMs.push(performance.now() - startedMs);
      if (!ok) failures++;
    }
  };
  const beats = Array.from({ length: clients }, (_, at) => beat((at * everyMs) / clients));
  await sleep(seconds * 1000);
  isOver = true;
  await Promise.all(beats);
  const sorted = tookMs.sort((a, b) => a - b);
  return {
    perSecond: tookMs.length / seconds,
    failures,
    p50Ms: sorted[sorted.length >> 1]!,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
  };
}

const quick = () => measure(load, 64, seconds);
await measure(load, 64, 3);
const results = { alone: [] as Measured[], beside: [] as Measured[] };
const steadily = {
  alone: [] as Awaited<ReturnType<typeof steady>>[],
  beside: [] as Awaited<ReturnType<typeof steady>>[],
};
const one = startGoodClient({ url, teamId: good, address: '192.0.2.1', name: 'one' }, pauseMs);
let failures = 0;
for (let round = 0; round < rounds; round++) {
  results.alone.push(await quick());
  results.beside.push((await flood(quick)) as Measured);
  steadily.alone.push(await steady());
  steadily.beside.push((await flood(steady)) as (typeof steadily.beside)[number]);
}
const answers = one.take();
await one.stop();
failures += answers.filter(({ status }) => status !== 200).length;
const line = (name: string, measured: Omit<Measured, 'requests'>[]) =>
  notify(
    `${name.padEnd(34)}${formatCount(median(measured.map((each) => each.perSecond))).padStart(8)}/s  p50 ${median(measured.map((each) => each.p50Ms)).toFixed(1)} ms  p99 ${median(measured.map((each) => each.p99Ms)).toFixed(1)} ms`,
  );
line('64 connections, alone', results.alone);
line('64 connections, beside refusals', results.beside);
line(`${steadyRate}/s offered, alone`, steadily.alone);
line(`${steadyRate}/s offered, beside refusals`, steadily.beside);
notify(`one at a time, all the while: ${describe(answers)}`);
for (const each of [...steadily.alone, ...steadily.beside]) failures += each.failures;
const [kept] = await sql`select count(*)::int as reports from refused_report`;
const [counted] = await sql`select coalesce(sum(reports), 0)::int as reports from refused_count`;
notify(`kept ${formatCount(kept!.reports)}, counted ${formatCount(counted!.reports)} refused reports`);
notify(`good orders refused or without an answer: ${failures}`);
await sql.end();
await server.stop();
await embedded.close();
await rm(folder, { recursive: true });
process.exitCode = failures > 0 ? 1 : 0;
