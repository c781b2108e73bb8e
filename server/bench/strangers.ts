import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { describe, percentile, successOf } from './goodAnswers.js';
import { startGoodClient } from './goodClient.js';
import { makeFolder } from './makeFolder.js';
import { runCommand, runFlood, startServer } from './processes.js';

/**
 * Sends reports of random teams and reports with made-up keys, `PER_SECOND` (10,000) of each, beside a real team that
 * reports one order at a time: from one address, which the rate limit bounds, and from another address each, which it
 * does not. `SECONDS` (15) each. Ends with 1 when the real team's p99 more than doubles or an order of it is refused.
 */
const seconds = Number(process.env.SECONDS ?? 15);
const perSecond = Number(process.env.PER_SECOND ?? 10_000);
const pauseMs = 5;

const notify = (line: string) => process.stdout.write(`${line}\n`);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let broken = 0;
function promise(what: string, isKept: boolean): void {
  if (!isKept) broken++;
  notify(`  ${isKept ? 'kept  ' : 'BROKEN'}  ${what}`);
}

const folder = await makeFolder('strangers');
const embedded = await openEmbedded(join(folder, 'data'), () => {});
const env = { DATABASE_URL: embedded.url, ORDERBEACON_TRUST_PROXY: '1' };
const server = await startServer(env);
const { url } = server;
const team = await runCommand<{ id: string }>(env, ['team', 'create', '--name', 'Real']);
await runCommand(env, ['domain', 'add', '--team', team.id, 'shop.example']);

for (const [title, address] of [
  ['From one address', '10.9.9.9'],
  ['From another address each', null],
] as const) {
  const name = address ? 'one' : 'each';
  const real = startGoodClient({ url, teamId: team.id, address: '192.0.2.1', name }, pauseMs);
  await sleep(2_000);
  // Compiled and connected; these are the figures of a server at rest.
  real.take();
  await sleep(seconds * 1000);
  const alone = real.take();
  const flood = await runFlood({
    url,
    teamId: null,
    address,
    perSecond: 2 * perSecond,
    seconds,
    connections: 1_000,
    waitingAtMost: 7,
    acknowledgedFile: join(folder, 'acknowledged'),
  });
  const beside = real.take().filter(({ atMs }) => atMs >= flood.startedMs && atMs <= flood.endedMs);
  await real.stop();
  const answers = Object.entries(flood.answers).map(([status, n]) => `${status} × ${n}`);
  const perSecondSent = Math.round(flood.sent / seconds);
  notify(
    `${title}: ${perSecondSent}/s sent, ${Math.round(flood.heldBack / seconds)}/s held back; ${answers.join(', ')}`,
  );
  notify(`  real team alone:  ${describe(alone)}`);
  notify(`  real team beside: ${describe(beside)}`);
  promise('no order of the real team is refused', successOf(beside) === 1);
  const [aloneMs, besideMs] = [alone, beside].map((each) => percentile(each, 0.99));
  promise('the p99 of the real team at most doubles', besideMs! <= 2 * aloneMs!);
  promise(
    'strangers get 401, 403, 429 and 503 alone',
    Object.keys(flood.answers).every((status) => ['401', '403', '429', '503'].includes(status)),
  );
}
promise('the server lives through it, and stops when asked', (await server.stop()) === 0);
await embedded.close();
await rm(folder, { recursive: true });
process.exitCode = broken > 0 ? 1 : 0;
