import { request } from 'node:http';
import type { Sql } from '../src/database/connection/connect.js';
import { decodeId } from '../src/values/ids.js';
import type { Doing } from './besideSender.js';
import { fillOrders } from './fillOrders.js';
import { percentile } from './goodAnswers.js';
import { type GoodAnswer, startGoodClient } from './goodClient.js';
import { runCommand, startBesideSender, startServer } from './processes.js';
import { notify } from './table.js';
import type { Verdict } from './verdict.js';

const idleSeconds = 3;
const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** How many times as long half of the answers, and all but a hundredth, may take beside each. */
const slowerAtMost: Record<Doing['what'], { p50: number; p99: number }> = {
  'downloads of orders.csv': { p50: 10, p99: 30 },
  'a file to compare without a line end, byte by byte': { p50: 10, p99: 30 },
  'bodies of 63,000 pieces of a byte, five a second': { p50: 10, p99: 30 },
  // A connection that the system could not queue is tried again by it a second later.
  '10,500 idle connections': { p50: 10, p99: 300 },
  'the API document on 200 connections': { p50: 30, p99: 30 },
};

/**
 * Measures the orders of a team and the probes of its operator, without and with what strangers, and people who are signed in to
 * another team, can do beside it. The bounds are ratios of one run, so that a slow machine does not break them.
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
  const { id: other } = await runCommand<{ id: string }>(env, [...create, 'Other']);
  const { id } = await runCommand<{ id: string }>(env, [
    'person',
    'add',
    '--team',
    other,
    '--email',
    'a@b.example',
  ]);
  await fillOrders(sql, decodeId('ppl', id)!, 1, 60_000);
  const home = `/console/${other}`;
  const cookie = await signIn(env, url, other);

  const client = startGoodClient({ url, teamId, address: '10.0.0.2', name: 'beside' }, 10);
  const probes = ['/readyz', '/healthz'].map((path) => ({ path, ...startProbe(new URL(path, url)) }));
  const watched = [{ path: 'orders', take: client.take }, ...probes];
  const take = () => watched.map((each) => each.take());
  // Compiled and connected; what comes then is of a server at rest.
  await sleep(3);
  for (const [what, { p50, p99 }] of Object.entries(slowerAtMost)) {
    take();
    await sleep(idleSeconds);
    const without = take();
    const stop = startBesideSender({ url, what: what as Doing['what'], cookie, home });
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
    await sleep(3);
  }
  for (const probe of probes) probe.stop();
  await client.stop();
  await server.stop();
}

/** Signs in to a team's console by a link, and returns the cookie. */
async function signIn(env: Record<string, string>, url: string, teamId: string): Promise<string> {
  const link = await runCommand<{ url: string }>(env, ['console', '--team', teamId]);
  const answer = await fetch(new URL('/console/sign-in', url), {
    method: 'POST',
    headers: { origin: new URL(url).origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: new URL(link.url).hash.slice(1) }),
    redirect: 'manual',
  });
  return answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
}

/** Asks for an address on a new connection, 20 times a second. */
function startProbe(url: URL) {
  let answers: GoodAnswer[] = [];
  const timer = setInterval(() => {
    const startedMs = performance.now();
    const end = (status: number) =>
      answers.push({ status, atMs: startedMs, tookMs: performance.now() - startedMs });
    request(url, { agent: false }, (answer) => answer.resume().on('end', () => end(answer.statusCode!)))
      .on('error', () => end(0))
      .end();
  }, 50);
  return {
    take() {
      const taken = answers;
      answers = [];
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}
