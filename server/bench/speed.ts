import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../src/embedded/openEmbedded.js';
import { type Candidate, orderLoad, startCandidate } from './candidate.js';
import { measureConsole } from './console.js';
import { type Costs, inTurn, median, withCosts } from './inTurn.js';
import { type Load, measure, measurePgbench, pgbench, requireWrk } from './load.js';
import { makeFolder } from './makeFolder.js';
import type { BenchOptions } from './options.js';
import { type Listening, startAlone, startHundredLines, startServer } from './processes.js';
import { count, ms, notify, ratio, row, us } from './table.js';
import type { Verdict } from './verdict.js';

/** The parts that are measured by default. */
const usual = ['orders', 'lookups', 'enrollments', 'starts'];

/** A product with 64 variants. */
const product = {
  title: 'T-shirt',
  slug: 't-shirt',
  type: 'PHYSICAL',
  price: 24.95,
  skus: Array.from({ length: 64 }, (_, n) => ({
    sku: `TEE-${n}`,
    inventory: n,
    options: [
      { group: 'Size', value: `Size ${n % 8}` },
      { group: 'Colour', value: `Colour ${n >> 3}` },
    ],
  })),
};

/** Candidates, measuring functions and options of the parts. */
interface Bench {
  options: BenchOptions & { seconds: number };
  verdict: Verdict;
  folder: string;
  ours: Candidate;
  /** The other checkout; null if none was named. */
  against: Candidate | null;
  /** A server with only Hono. */
  alone: Listening;
  /** Servers of a hundred lines. `batch` commits waiting orders together, `each` one by one. */
  peers: Record<'batch' | 'each', Listening>;
  ofPeer(commits: 'batch' | 'each', connections: number): Promise<Costs>;
  productBytes: number;
  teamUuid: string;
  of(candidate: Candidate, load: Load, connections: number): Promise<Costs>;
  ofHono(load: Load, connections: number): Promise<Costs>;
  /** Single inserts of orders by pgbench; NaN if it is not installed. */
  ofPgbench(clients: number): Promise<Costs>;
}

const parts: Record<string, (bench: Bench) => Promise<void>> = {
  orders: measureOrders,
  lookups: measureLookups,
  enrollments: measureEnrollments,
  starts: measureStarts,
  console: ({ ours, teamUuid, options, verdict }) => measureConsole(ours, teamUuid, options.rounds, verdict),
};

/**
 * Measures figures and ratios, each a median of `--rounds` rounds of `--seconds` (3) in which the compared loads take turns.
 * Orders are compared with a server of a hundred lines, look-ups with Hono alone, and enrollments with single inserts by pgbench.
 * Starts are measured, too. If parts are named, only those are measured; one is the `console` of a large shop. The other
 * checkout of `--against` takes turns on another database. Two starts of one build can differ by 5 %.
 */
export async function measureSpeed(options: BenchOptions, verdict: Verdict): Promise<void> {
  requireWrk();
  const { seconds = 3 } = options;
  const folder = await makeFolder('bench');
  const ours = await startCandidate(join(folder, 'data'));
  const against = options.against ? await startCandidate(join(folder, 'against'), options.against) : null;
  for (const { run, teamId } of against ? [ours, against] : [ours])
    await run(['product', 'import', '--team', teamId, '-'], JSON.stringify([product]));
  const [{ body, teamUuid }] = await ours.sql<[{ body: string; teamUuid: string }]>`
    select body, team_id as "teamUuid" from product`;
  const [{ personUuid }] = await ours.sql<[{ personUuid: string }]>`
    insert into person (team_id, id, email) values (${teamUuid}, gen_random_uuid(), 'pgbench@mail.example')
    returning id as "personUuid"`;
  const alone = await startAlone(body);
  const ofPeers = await openEmbedded(join(folder, 'peers'), () => {});
  const peers = {
    batch: await startHundredLines(ofPeers.url, 'batch'),
    each: await startHundredLines(ofPeers.url, 'each'),
  };
  const insertOrder = `insert into placed_order (team_id, id, order_number, person_id, order_id, report_id, amount, currency, source, name, items, visitor_id, is_test, reported_by, created_at)
    values ('${teamUuid}', gen_random_uuid(), 'ORD-' || substr(gen_random_uuid()::text, 25), '${personUuid}', gen_random_uuid()::text, null, 69.85, 'EUR', 'STRIPE', 'Ann Buyer',
    '${JSON.stringify(JSON.parse(ours.orders.body!).items)}', 'mfx3k9q0zs8v1w7c5t2y4r6p', false, 'browser', now())`;
  const bench: Bench = {
    options: { ...options, seconds },
    verdict,
    folder,
    ours,
    against,
    alone,
    peers,
    ofPeer: (commits, connections) =>
      withCosts(
        () =>
          measure(orderLoad(`${peers[commits].url}/svc-api/v1/orders`, ours.teamId), connections, seconds),
        peers[commits].cpuMs,
      ),
    productBytes: body.length,
    teamUuid,
    of: (candidate, load, connections) =>
      withCosts(() => measure(load, connections, seconds), candidate.server.cpuMs, candidate.databaseCpuMs),
    ofHono: (load, connections) => withCosts(() => measure(load, connections, seconds), alone.cpuMs),
    async ofPgbench(clients) {
      const nothing = { requests: 0, p50Ms: 0, p99Ms: 0, nodeUs: null, databaseUs: null };
      if (!pgbench) return { ...nothing, perSecond: Number.NaN };
      const perSecond = await measurePgbench(pgbench, insertOrder, ours.place, clients, seconds);
      return { ...nothing, perSecond };
    },
  };
  notify(
    `Medians of ${options.rounds} rounds of ${seconds} s on Node ${process.version}, load by wrk, on the same cores as the server and PostgreSQL. CPU in µs per request, the least of the rounds.\n`,
  );
  for (const part of options.parts.length > 0 ? options.parts : usual) {
    await parts[part]!(bench);
    notify('');
  }
  await Promise.all([alone, peers.batch, peers.each, ours, against].map((each) => each?.stop()));
  await ofPeers.close();
  await rm(folder, { recursive: true });
}

async function measureOrders(bench: Bench): Promise<void> {
  const { ours, against, alone, options, verdict } = bench;
  const candidates = { 'this checkout': ours, ...(against && { 'the other checkout': against }) };
  const loads: Record<string, (connections: number) => Promise<Costs>> = {
    'hundred lines, commit by commit': (connections) => bench.ofPeer('each', connections),
    'hundred lines, batched': (connections) => bench.ofPeer('batch', connections),
    'Hono+zod, stores nothing': (connections) =>
      bench.ofHono(orderLoad(`${alone.url}/order`, ours.teamId), connections),
  };
  for (const [name, candidate] of Object.entries(candidates))
    loads[name] = (connections) => bench.of(candidate, candidate.orders, connections);
  // The code is compiled, and the database has the statistics of one that has run for a while.
  for (const load of Object.values(loads)) await load(64);
  for (const { sql } of Object.values(candidates)) await sql`vacuum analyze`;
  row(
    'orders',
    'orders/s',
    'of batched',
    'Node CPU',
    'of batched',
    'PostgreSQL',
    'p50 ms',
    'p99 ms',
    'p99/p50',
  );
  for (const connections of options.connections) {
    const turns = Object.entries(loads).map(([name, load]) => [name, () => load(connections)]);
    const { pgbench, ...measured } = await inTurn<string>(options.rounds, {
      ...Object.fromEntries(turns),
      pgbench: () => bench.ofPgbench(Math.min(connections, 64)),
    });
    notify(`${connections} connections (pgbench ${count(pgbench!.perSecond)}/s)`);
    const anchor = measured['hundred lines, batched']!;
    for (const [name, { perSecond, nodeUs, databaseUs, p50Ms, p99Ms }] of Object.entries(measured))
      row(
        `  ${name}`,
        count(perSecond),
        ratio(perSecond, anchor.perSecond),
        us(nodeUs),
        nodeUs === null ? '-' : ratio(nodeUs, anchor.nodeUs!),
        us(databaseUs),
        ms(p50Ms),
        ms(p99Ms),
        ratio(p99Ms, p50Ms),
      );
    tell(verdict, `orders/s, ${connections} connections`, measured);
  }
  for (const [name, { server }] of Object.entries(candidates)) {
    const [now, peak] = [server.residentBytes(), server.peakResidentBytes()].map((n) => Math.round(n / 1e6));
    notify(`memory after that, ${name}: ${now} MB, at most ${peak} MB`);
  }
}

async function measureLookups(bench: Bench): Promise<void> {
  const { ours, against, alone, options, verdict } = bench;
  const lookUp = ({ server, bearer }: Candidate): Load => ({
    url: `${server.url}/svc-api/v1/products/t-shirt`,
    method: 'GET',
    headers: { Authorization: bearer },
  });
  const candidates = { 'this checkout': ours, ...(against && { 'the other checkout': against }) };
  for (const candidate of Object.values(candidates)) await measure(lookUp(candidate), 64, 1);
  row(
    `look-ups of ${bench.productBytes} bytes`,
    'look-ups/s',
    'of memory',
    'Node CPU',
    'PostgreSQL',
    'p50 ms',
    'p99 ms',
  );
  const turns = Object.entries(candidates).map(([name, candidate]) => [
    name,
    () => bench.of(candidate, lookUp(candidate), 64),
  ]);
  const measured = await inTurn<string>(options.rounds, {
    'from memory': () => bench.ofHono({ ...lookUp(ours), url: `${alone.url}/product` }, 64),
    ...Object.fromEntries(turns),
  });
  for (const [name, { perSecond, nodeUs, databaseUs, p50Ms, p99Ms }] of Object.entries(measured))
    row(
      `  ${name}`,
      count(perSecond),
      ratio(perSecond, measured['from memory']!.perSecond),
      us(nodeUs),
      us(databaseUs),
      ms(p50Ms),
      ms(p99Ms),
    );
  tell(verdict, 'look-ups/s, 64 connections', measured);
}

/** Notes the rate of this checkout, and compares it with that of the other one. */
function tell({ figure, compare }: Verdict, name: string, measured: Record<string, Costs>): void {
  const [own, other] = [measured['this checkout']!, measured['the other checkout']];
  figure(name, own.perSecond);
  if (other) compare(name, own.perSecond, other.perSecond);
}

async function measureEnrollments({ ours, options, of, ofPgbench, verdict }: Bench): Promise<void> {
  const { rounds, seconds } = options;
  // More people than a server can enroll in the time, because an unknown person would be a failure.
  const people = Array.from({ length: seconds * 40_000 }, (_, n) => `enrolled-${n + 1}@mail.example`);
  await ours.run(['person', 'import', '--team', ours.teamId, '-'], ['email', ...people].join('\n'));
  const enroll = (person: string): Load => ({
    url: `${ours.server.url}/svc-api/v1/sequences/enroll`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: ours.bearer },
    body: JSON.stringify({ email: `enrolled-${person}@mail.example`, sequenceId: ours.sequenceId }),
  });
  const { single, ...measured } = await inTurn(rounds, {
    known: () => of(ours, enroll('1'), 64),
    new: async () => {
      await ours.sql`truncate subscription`;
      return of(ours, enroll('{count}'), 64);
    },
    single: () => ofPgbench(64),
  });
  row('enrollments, 64 connections', 'enrolled/s', 'of pgbench', 'Node CPU', 'PostgreSQL');
  for (const [name, { perSecond, nodeUs, databaseUs }] of Object.entries(measured)) {
    const share = ratio(perSecond, single.perSecond);
    row(`  ${name} subscriptions`, count(perSecond), share, us(nodeUs), us(databaseUs));
    verdict.figure(`enrollments/s, ${name}`, perSecond);
  }
}

async function measureStarts({ folder, options, verdict }: Bench): Promise<void> {
  const starts: Record<'first, with initdb' | 'later', number[]> = { 'first, with initdb': [], later: [] };
  for (let n = 0; n < options.rounds; n++) {
    for (const list of Object.values(starts)) {
      const started = await startServer({ ORDERBEACON_DATA_DIR: join(folder, `start${n}`) });
      list.push(started.startMs);
      await started.stop();
    }
  }
  for (const [name, list] of Object.entries(starts)) {
    row(`start, ${name}`, `${Math.round(median(list))} ms`);
    verdict.figure(`start, ${name}, ms`, median(list));
  }
}
