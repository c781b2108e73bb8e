import type { Sql } from '../src/database/connection/connect.js';
import { type Doing, doingNames } from './doing.js';
import { percentile } from './goodAnswers.js';
import { type GoodAnswer, startGoodClient } from './goodClient.js';
import { addHostileTeam, signIn } from './hostileTeam.js';
import { type Probe, startProbe } from './probe.js';
import { runCommand, startBesideSender, startServer } from './processes.js';
import { count, notify } from './table.js';
import type { Verdict } from './verdict.js';

const goodTeams = 9;
/** Pause between two orders of a good team. Together, these teams send as many orders a second as a shop on a busy day. */
const pauseMs = 200;
const aloneSeconds = 30;
const consoleEveryMs = 1_000;
/** Largest factor by which the p99 of orders may grow, and by which a server's memory may grow until the end. */
const slowerAtMost = 3;
const growthAtMost = 1.25;
const quarters = 4;

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * Measures the orders of nine teams on two servers, and their consoles, with and without a tenth team. The tenth team causes
 * all loads of strangers and teams concurrently.
 */
export async function tryTogether(
  { databaseUrl, sql, seconds = 120 }: { databaseUrl: string; sql: Sql; seconds?: number | undefined },
  verdict: Verdict,
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, ORDERBEACON_TRUST_PROXY: '1' };
  const servers = [await startServer(env), await startServer(env)];
  const urlOf = (at: number) => servers[at % servers.length]!.url;
  const teams: string[] = [];
  const create = ['team', 'create', '--domain', 'shop.example', '--name'];
  for (let n = 0; n < goodTeams; n++)
    teams.push((await runCommand<{ id: string }>(env, [...create, `Good ${n}`])).id);
  const hostile = await addHostileTeam(env, sql, urlOf(0));

  const clients = teams.map((teamId, at) =>
    startGoodClient({ url: urlOf(at), teamId, address: `10.0.0.${at + 2}`, name: `good-${at}` }, pauseMs),
  );
  const consoles: Probe[] = [];
  for (const at of [0, 1]) {
    const page = new URL(`/console/${teams[at]}`, urlOf(at));
    consoles.push(startProbe(page, consoleEveryMs, { cookie: await signIn(env, urlOf(at), teams[at]!) }));
  }
  const take = () => ({
    orders: clients.flatMap((client) => client.take()),
    pages: consoles.flatMap((page) => page.take()),
  });
  await sleep(3);
  take();
  await sleep(aloneSeconds);
  const alone = take();

  const stops = doingNames.map((what, at) => {
    const doing: Doing = { ...hostile, url: urlOf(at), what };
    return startBesideSender(doing);
  });
  const megabytes: number[][] = [];
  for (let quarter = 0; quarter < quarters; quarter++) {
    await sleep(seconds / quarters);
    megabytes.push(servers.map((server) => server.residentBytes() / 1e6));
  }
  const beside = take();
  await Promise.all(stops.map((stop) => stop()));
  for (const page of consoles) page.stop();
  await Promise.all(clients.map((client) => client.stop()));

  notify(
    `\ntogether: ${doingNames.length} kinds of hostility for ${seconds} s beside nine teams on two servers`,
  );
  for (const [name, one, other] of [
    ['orders', alone.orders, beside.orders],
    ['overviews', alone.pages, beside.pages],
  ] as const)
    notify(`  ${name}: ${summary(one)}; beside it ${summary(other)}`);
  notify(
    `  memory in MB by quarters: ${megabytes.map((each) => each.map(Math.round).join(' and ')).join(', ')}`,
  );
  const times = percentile(beside.orders, 0.99) / percentile(alone.orders, 0.99);
  verdict.figure('together, orders, p99 ratio', times);
  verdict.promise('together: all orders of the nine teams are stored', isAnswered(beside.orders));
  verdict.promise(
    `together: the p99 of their orders is at most ${slowerAtMost} times as long: ${times.toFixed(1)}`,
    times <= slowerAtMost,
  );
  verdict.promise('together: each of their overviews is answered', isAnswered(beside.pages));
  const grows = megabytes
    .at(-1)!
    .some((bytes, at) => bytes > growthAtMost * megabytes[quarters / 2 - 1]![at]!);
  verdict.promise('together: memory grows by less than a quarter in the second half', !grows);
  for (const server of servers) await server.stop();
}

const isAnswered = (answers: GoodAnswer[]) => answers.every(({ status }) => status === 200);

function summary(answers: GoodAnswer[]): string {
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(answers, share).toFixed(1));
  const refused = answers.filter(({ status }) => status !== 200).length;
  return `${count(answers.length)} answers, ${refused} not 200, p50 ${p50} ms, p99 ${p99} ms`;
}
