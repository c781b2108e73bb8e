import type { Candidate } from './candidate.js';
import { percentile } from './goodAnswers.js';
import { startGoodClient } from './goodClient.js';
import { median } from './inTurn.js';
import { count, ms, notify, ratio, row } from './table.js';
import { worstBodies } from './worstBodies.js';

/** Time of the server's main thread that a body of 64 KiB may take. */
const goalMs = 3;
/** Times that each body is sent alone, and before that, unmeasured. */
const times = 50;
const warmUp = 10;
/** Bodies that are then sent concurrently, and how often. */
const concurrent = 10;
const timesConcurrent = 5;
const perSecond = 50;
const pauseMs = 5;
const shown = 20;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Time that a body of 64 KiB takes `JSON.parse`, in this process: some 0.4 ms on a quiet machine, and more on a busy one. */
function referenceMs(): number {
  const text = `[${'1,'.repeat(32_000)}1]`;
  return median(
    Array.from({ length: 100 }, () => {
      const startedMs = performance.now();
      JSON.parse(text);
      return performance.now() - startedMs;
    }),
  );
}

/**
 * Sends each worst body in each way that a body can come, one after the other, and prints the CPU time that the server's
 * main thread took for it, with the keeping of a refused report: the median, because others share the machine. A body that
 * comes alone to an idle server also pays for cold caches, as the smallest one does; of ten concurrent ones each pays for
 * itself. Then it sends 50 a second of the worst beside the orders of a page that reports one at a time, and prints the p99 of
 * these orders alone and beside. The sender is a process of its own; give it a core of its own.
 */
export async function measureWorst(
  { server, sql, teamId, bearer }: Candidate,
  seconds: number,
): Promise<void> {
  const orders = `${server.url}/svc-api/v1/orders`;
  const json = { 'Content-Type': 'application/json' };
  const ways = {
    page: { url: orders, headers: { ...json, Origin: 'https://shop.example' } },
    'host not allowed': { url: orders, headers: { ...json, Origin: 'https://other.example' } },
    key: { url: orders, headers: { ...json, Authorization: bearer } },
    enrollment: {
      url: `${server.url}/svc-api/v1/sequences/enroll`,
      headers: { ...json, Authorization: bearer },
    },
  };
  const bodies = worstBodies(teamId, 'w00000');
  let sent = 0;
  const send = async (way: keyof typeof ways, name: string) => {
    const body = bodies[name]!.replaceAll('w00000', `w${String(++sent).padStart(5, '0')}`);
    const answer = await fetch(ways[way].url, { method: 'POST', headers: ways[way].headers, body });
    await answer.arrayBuffer();
  };

  const taken = () => {
    const mainMs = server.mainThreadMs();
    if (mainMs === null) throw new Error('CPU times cannot be read on this system.');
    return mainMs;
  };
  /** Median over the rounds of the time of each of some bodies that are sent together. */
  const timeOf = async (way: keyof typeof ways, name: string, together: number, rounds: number) => {
    const tookMs: number[] = [];
    for (let n = 0; n < rounds; n++) {
      const beforeMs = taken();
      await Promise.all(Array.from({ length: together }, () => send(way, name)));
      tookMs.push((taken() - beforeMs) / together);
    }
    return median(tookMs);
  };

  const results: { way: keyof typeof ways; name: string; aloneMs: number; eachMs: number }[] = [];
  // Without this the first bodies would pay for what V8 compiles for all.
  for (const name of Object.keys(bodies))
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) await send(way, name);
  for (const name of Object.keys(bodies)) {
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      // Where a sender has no place left, its refused reports are counted and not kept, which costs less.
      await sql`truncate refused_report`;
      for (let n = 0; n < warmUp; n++) await send(way, name);
      const aloneMs = await timeOf(way, name, 1, times);
      const eachMs = await timeOf(way, name, concurrent, timesConcurrent);
      results.push({ way, name, aloneMs, eachMs });
    }
  }
  results.sort((a, b) => b.aloneMs - a.aloneMs);
  notify(`JSON.parse of 64 KiB of small numbers: ${ms(referenceMs())} ms`);
  row(`the ${shown} worst of ${results.length} bodies`, 'alone', `of ${concurrent}`);
  for (const { way, name, aloneMs, eachMs } of results.slice(0, shown))
    notify(`  ${`${name}, by ${way}`.padEnd(70)}${ms(aloneMs)}  ${ms(eachMs)}`);
  const tellOver = (sent: string, tookMs: number[]) => {
    const over = tookMs.filter((each) => each > goalMs).length;
    notify(`over the goal of ${goalMs} ms, ${sent}: ${over}, the worst ${ms(Math.max(...tookMs))} ms`);
  };
  tellOver(
    'alone',
    results.map(({ aloneMs }) => aloneMs),
  );
  tellOver(
    `of ${concurrent}`,
    results.map(({ eachMs }) => eachMs),
  );

  const worst = results[0]!;
  const good = startGoodClient({ url: server.url, teamId, address: '192.0.2.1', name: 'good' }, pauseMs);
  await sleep(1000);
  good.take();
  await sleep(seconds * 1000);
  const alone = good.take();
  await sql`truncate refused_report`;
  const timer = setInterval(() => void send(worst.way, worst.name), 1000 / perSecond);
  await sleep(seconds * 1000);
  const beside = good.take();
  clearInterval(timer);
  await good.stop();
  const [aloneMs, besideMs] = [alone, beside].map((answers) => percentile(answers, 0.99)) as [number, number];
  row(`beside ${perSecond} a second of the worst`, 'orders', 'p99 ms', 'of alone');
  row('  alone', count(alone.length), ms(aloneMs), ratio(1, 1));
  row('  beside', count(beside.length), ms(besideMs), ratio(besideMs, aloneMs));
  notify('');
}
