import type { Sql } from '../src/database/connection/connect.js';
import { type Doing, doingNames } from './doing.js';
import { percentile } from './goodAnswers.js';
import { type GoodAnswer, startGoodClient } from './goodClient.js';
import { addHostileTeam, signIn } from './hostileTeam.js';
import { startProbe } from './probe.js';
import { runCommand, startBesideSender, startServer } from './processes.js';
import { notify } from './table.js';
import type { Verdict } from './verdict.js';

const idleSeconds = 3;
const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Largest factors by which a load may slow down answers: their median, and their 99th percentile. */
const slowerAtMost = { p50: 10, p99: 30 };
const exceptions: Partial<Record<Doing['what'], { p50: number; p99: number }>> = {
  // If the system cannot queue a connection, it tries again a second later.
  '10,500 idle connections': { p50: 10, p99: 300 },
  'the API document on 200 connections': { p50: 30, p99: 30 },
};
/** Time after a load. Statements of pages whose browser has gone wait for up to 10 s. */
const settleSeconds = 12;
const probeMs = 50;
const pageMs = 250;

/**
 * Measures the orders and the overview of a team, and the probes of its operator, with and without load. The load is everything
 * that strangers can do, and people, keys and sources of another team. The bounds are ratios within one run, so that a slow
 * machine does not break them.
 */
export async function tryBeside(
  { databaseUrl, sql, seconds }: { databaseUrl: string; sql: Sql; seconds: number },
  verdict: Verdict,
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, ORDERBEACON_TRUST_PROXY: '1' };
  const server = await startServer(env);
  const { url } = server;
  const create = ['team', 'create', '--domain', 'shop.example', '--name'];
  const { id: teamId } = await runCommand<{ id: string }>(env, [...create, 'Beside']);
  const hostile = await addHostileTeam(env, sql, url);

  const client = startGoodClient({ url, teamId, address: '10.0.0.2', name: 'beside' }, 10);
  const cookie = await signIn(env, url, teamId);
  const probes = [
    { path: 'overview', ...startProbe(new URL(`/console/${teamId}`, url), pageMs, { cookie }) },
    ...['/readyz', '/healthz'].map((path) => ({ path, ...startProbe(new URL(path, url), probeMs) })),
  ];
  const watched = [{ path: 'orders', take: client.take }, ...probes];
  const take = () => watched.map((each) => each.take());
  // The code is compiled and connections are open, so what follows measures a server at rest.
  await sleep(3);
  for (const what of doingNames) {
    const { p50, p99 } = exceptions[what] ?? slowerAtMost;
    take();
    await sleep(idleSeconds);
    const without = take();
    const stop = startBesideSender({ ...hostile, url, what });
    await sleep(seconds);
    const beside = take();
    await stop();
    notify(`\nbeside ${what}`);
    for (const [at, { path }] of watched.entries()) {
      const times = (share: number) => percentile(beside[at]!, share) / percentile(without[at]!, share);
      const ms = (answers: GoodAnswer[]) =>
        [0.5, 0.99].map((share) => percentile(answers, share).toFixed(1)).join(' and ');
      notify(`  ${path}: p50 and p99 ${ms(without[at]!)} ms, beside it ${ms(beside[at]!)} ms`);
      verdict.figure(`beside ${what}, ${path}, p50 ratio`, times(0.5));
      verdict.figure(`beside ${what}, ${path}, p99 ratio`, times(0.99));
      const areAnswered = beside[at]!.every(({ status }) => status === 200);
      verdict.promise(
        `${path} beside ${what}: all answered, p50 at most ${p50} and p99 at most ${p99} times as long`,
        areAnswered && times(0.5) <= p50 && times(0.99) <= p99,
      );
    }
    await sleep(settleSeconds);
  }
  for (const probe of probes) probe.stop();
  await client.stop();
  await server.stop();
}
