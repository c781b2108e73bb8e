import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Candidate, orderLoad, startCandidate } from './candidate.js';
import { measureCheckpoint } from './checkpoint.js';
import { measureGrowth } from './growth.js';
import { measureHooks } from './hooks.js';
import { type Costs, inTurn, median, withCosts } from './inTurn.js';
import { type Load, measure, measurePgbench, pgbench, wrk } from './load.js';
import { makeFolder } from './makeFolder.js';
import { startAlone, startServer } from './processes.js';
import { count, ms, notify, ratio, row, us } from './table.js';
import { measureWorst } from './worst.js';

/**
 * Prints figures and ratios, each a median of `ROUNDS` (3) rounds in which the compared loads take turns. First
 * orders, look-ups and enrollments against Hono alone and against single inserts by pgbench; then the cost of a large
 * table, of a second process and of a start.
 *
 * `SECONDS` (3) is the length of a measurement, `CONNECTIONS` (1,16,64,256) the numbers of concurrent requests, `ROWS`
 * (1000000,5000000) the sizes of the large table; `ROWS=` skips it. `PARTS` (orders,lookups,enrollments,growth,
 * processes,starts) are the tables to print, or name them as arguments. Three more are printed only where they are named:
 * `worst` of bodies that cost the most for their size, `hooks` of orders with and without a hook, `checkpoint` of orders
 * beside PostgreSQL's own work. `--against DIR` measures the orders and look-ups of another built checkout in the
 * same rounds, on a database of its own. Two starts of one build can differ by 5 %.
 */
const { values: options, positionals } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
});
const listed = (name: string, otherwise: string) =>
  (process.env[name] ?? otherwise).split(',').filter(Boolean);
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 3);
const sizes = listed('ROWS', '1000000,5000000').map(Number);
const connectionCounts = listed('CONNECTIONS', '1,16,64,256').map(Number);
const named = listed('PARTS', 'orders,lookups,enrollments,growth,processes,starts');
const parts = new Set(positionals.length > 0 ? positionals : named);

const folder = await makeFolder('bench');
const ours = await startCandidate(join(folder, 'data'));
const against = options.against
  ? await startCandidate(join(folder, 'against'), resolve(process.env.INIT_CWD ?? '.', options.against))
  : null;
const { sql, server, teamId } = ours;
const candidates: Record<string, Candidate> = {
  'this checkout': ours,
  ...(against && { [options.against!]: against }),
};

const variants = Array.from({ length: 64 }, (_, n) => ({
  sku: `TEE-${n}`,
  inventory: n,
  options: [
    { group: 'Size', value: `Size ${n % 8}` },
    { group: 'Colour', value: `Colour ${n >> 3}` },
  ],
}));
const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95, skus: variants };
for (const { run, teamId } of Object.values(candidates))
  await run(['product', 'import', '--team', teamId, '-'], JSON.stringify([product]));
const [{ body: productBody, team_id: teamUuid }] =
  (await sql`select body, team_id from product`) as never as [Record<string, string>];
const [{ id: personUuid }] =
  (await sql`insert into person (team_id, id, email) values (${teamUuid!}, gen_random_uuid(), 'pgbench@mail.example') returning id`) as never as [
    { id: string },
  ];
const alone = await startAlone(productBody!);

const ofHono = (load: Load, connections: number) =>
  withCosts(() => measure(load, connections, seconds), alone.cpuMs);
const of = (candidate: Candidate, load: Load, connections: number) =>
  withCosts(() => measure(load, connections, seconds), candidate.server.cpuMs, candidate.databaseCpuMs);
const insertOrder = `insert into placed_order (team_id, id, order_number, person_id, order_id, report_id, amount, currency, source, name, items, visitor_id, is_test, reported_by, created_at)
  values ('${teamUuid}', gen_random_uuid(), 'ORD-' || substr(gen_random_uuid()::text, 25), '${personUuid}', gen_random_uuid()::text, null, 69.85, 'EUR', 'STRIPE', 'Ann Buyer',
  '${JSON.stringify(JSON.parse(ours.orders.body!).items)}', 'mfx3k9q0zs8v1w7c5t2y4r6p', false, 'browser', now())`;
const ofPgbench = async (clients: number): Promise<Costs> => {
  const nothing = { requests: 0, p50Ms: 0, p99Ms: 0, nodeUs: null, databaseUs: null };
  if (!pgbench) return { ...nothing, perSecond: Number.NaN };
  return { ...nothing, perSecond: await measurePgbench(pgbench, insertOrder, ours.place, clients, seconds) };
};

notify(
  `Medians of ${rounds} rounds of ${seconds} s on Node ${process.version}, load by ${wrk ? 'wrk' : 'autocannon'}, on the same cores as the server and PostgreSQL. CPU in µs per request, the least of the rounds.\n`,
);

if (parts.has('orders')) {
  const orders = {
    hono: (connections: number) => ofHono(orderLoad(`${alone.url}/order`, teamId), connections),
    ours: (connections: number) => of(ours, ours.orders, connections),
    ...(against && { against: (connections: number) => of(against, against.orders, connections) }),
  };
  const names = { hono: 'Hono+zod, stores nothing', ours: 'this checkout', against: `${options.against}` };
  // Compiled, and with the statistics of a database that has run for a while.
  for (const load of Object.values(orders)) await load(64);
  for (const { sql } of Object.values(candidates)) await sql`vacuum analyze`;
  row('orders', 'orders/s', 'of Hono', 'Node CPU', 'of Hono', 'PostgreSQL', 'p50 ms', 'p99 ms', 'p99/p50');
  for (const connections of connectionCounts) {
    const measured = await inTurn(rounds, {
      ...(Object.fromEntries(
        Object.entries(orders).map(([name, load]) => [name, () => load(connections)]),
      ) as Record<keyof typeof names, () => Promise<Costs>>),
      pgbench: () => ofPgbench(Math.min(connections, 64)),
    });
    notify(`${connections} connections (pgbench ${count(measured.pgbench.perSecond)}/s)`);
    for (const name of Object.keys(orders) as (keyof typeof names)[]) {
      const { perSecond, nodeUs, databaseUs, p50Ms, p99Ms } = measured[name];
      row(
        `  ${names[name]}`,
        count(perSecond),
        ratio(perSecond, measured.hono.perSecond),
        us(nodeUs),
        nodeUs === null ? '-' : ratio(nodeUs, measured.hono.nodeUs!),
        us(databaseUs),
        ms(p50Ms),
        ms(p99Ms),
        ratio(p99Ms, p50Ms),
      );
    }
  }
  for (const [name, candidate] of Object.entries(candidates)) {
    const { residentBytes, peakResidentBytes } = candidate.server;
    notify(
      `memory after that, ${name}: ${Math.round(residentBytes() / 1e6)} MB, at most ${Math.round(peakResidentBytes() / 1e6)} MB`,
    );
  }
  notify('');
}

if (parts.has('lookups')) {
  const lookUp = ({ server, bearer }: Candidate): Load => ({
    url: `${server.url}/svc-api/v1/products/t-shirt`,
    method: 'GET',
    headers: { Authorization: bearer },
  });
  const fromMemory = { ...lookUp(ours), url: `${alone.url}/product` };
  for (const candidate of Object.values(candidates)) await measure(lookUp(candidate), 64, 1);
  row(
    `look-ups of ${productBody!.length} bytes`,
    'look-ups/s',
    'of memory',
    'Node CPU',
    'PostgreSQL',
    'p50 ms',
    'p99 ms',
  );
  for (const connections of connectionCounts) {
    const { memory, ...found } = await inTurn<string>(rounds, {
      memory: () => ofHono(fromMemory, connections),
      ...Object.fromEntries(
        Object.entries(candidates).map(([name, candidate]) => [
          name,
          () => of(candidate, lookUp(candidate), connections),
        ]),
      ),
    });
    notify(
      `${connections} connections (from memory ${count(memory!.perSecond)}/s, ${us(memory!.nodeUs)} µs of CPU)`,
    );
    for (const [name, { perSecond, nodeUs, databaseUs, p50Ms, p99Ms }] of Object.entries(found)) {
      row(
        `  ${name}`,
        count(perSecond),
        ratio(perSecond, memory!.perSecond),
        us(nodeUs),
        us(databaseUs),
        ms(p50Ms),
        ms(p99Ms),
      );
    }
  }
  notify('');
}

if (parts.has('enrollments')) {
  // More than a server can enroll: an unknown person would be a failure.
  const people = Array.from({ length: seconds * 40_000 }, (_, n) => `enrolled-${n + 1}@mail.example`);
  await ours.run(['person', 'import', '--team', teamId, '-'], ['email', ...people].join('\n'));
  const enroll = (person: string): Load => ({
    url: `${server.url}/svc-api/v1/sequences/enroll`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: ours.bearer },
    body: JSON.stringify({ email: `enrolled-${person}@mail.example`, sequenceId: ours.sequenceId }),
  });
  const { known, fresh, single } = await inTurn(rounds, {
    known: () => of(ours, enroll('1'), 64),
    fresh: async () => {
      await sql`truncate subscription`;
      return of(ours, enroll('{count}'), 64);
    },
    single: () => ofPgbench(64),
  });
  row('enrollments, 64 connections', 'enrolled/s', 'of pgbench', 'Node CPU', 'PostgreSQL');
  for (const [name, { perSecond, nodeUs, databaseUs }] of Object.entries({ known, new: fresh })) {
    row(
      `${name} subscriptions`,
      count(perSecond),
      ratio(perSecond, single.perSecond),
      us(nodeUs),
      us(databaseUs),
    );
  }
  notify('');
}

if (parts.has('growth')) {
  const empty = await startCandidate(join(folder, 'empty'));
  const both = () =>
    inTurn(rounds, {
      grown: () => of(ours, ours.orders, 64),
      empty: () => of(empty, empty.orders, 64),
    });
  const warmUp = () => Promise.all([ours, empty].map(({ orders }) => measure(orders, 64, 30)));
  await measureGrowth(sizes, { grown: ours, empty }, personUuid, warmUp, both);
  await empty.stop();
}

if (parts.has('processes')) {
  const second = await ours.startAnother();
  const both = async () => {
    const [one, other] = await Promise.all([
      of(ours, ours.orders, 32),
      measure({ ...ours.orders, url: `${second.url}/svc-api/v1/orders` }, 32, seconds),
    ]);
    return { ...one, perSecond: one.perSecond + other.perSecond };
  };
  const { one, two } = await inTurn(rounds, { one: () => of(ours, ours.orders, 64), two: both });
  row('two processes, one database', 'orders/s', 'of one');
  row('2 × 32 connections', count(two.perSecond), ratio(two.perSecond, one.perSecond));
  notify('');
  await second.stop();
}

if (parts.has('starts')) {
  const starts: Record<'first' | 'later', number[]> = { first: [], later: [] };
  for (let n = 0; n < rounds; n++) {
    for (const list of [starts.first, starts.later]) {
      const started = await startServer({ ORDERBEACON_DATA_DIR: join(folder, `start${n}`) });
      list.push(started.startMs);
      await started.stop();
    }
  }
  notify(
    `first start, with initdb: ${Math.round(median(starts.first))} ms; later: ${Math.round(median(starts.later))} ms`,
  );
}

if (parts.has('hooks')) await measureHooks(ours, teamUuid!, rounds, () => of(ours, ours.orders, 64));
if (parts.has('checkpoint')) await measureCheckpoint(ours, personUuid, rounds, seconds);
if (parts.has('worst')) await measureWorst(ours, seconds * rounds);

await Promise.all([alone.stop(), ours.stop(), against?.stop()]);
await rm(folder, { recursive: true });
