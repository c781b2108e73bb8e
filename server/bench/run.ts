import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/database/connect.js';
import { openEmbedded } from '../src/embedded/open.js';
import { type Load, type Measured, measure, measurePgbench, pgbench, wrk } from './load.js';
import { type Listening, runCommand, startAlone, startServer } from './processes.js';

/**
 * Prints figures and ratios, each a median of `ROUNDS` (3) rounds in which the compared loads take turns. First
 * orders and look-ups against Hono alone and against single inserts by pgbench, over several numbers of
 * connections; then the cost of a large table, of a second process and of a start. `SECONDS` (3) is the length of
 * a measurement, `ROWS` (1000000,5000000) the sizes of the large table; `ROWS=` skips it.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 3);
const sizes = (process.env.ROWS ?? '1000000,5000000').split(',').filter(Boolean).map(Number);
const connectionCounts = [1, 16, 64, 256];

const notify = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
const formatCount = (n: number) => Math.round(n).toLocaleString('en');
const ratio = (a: number, b: number) => (a / b).toFixed(2);
const row = (...cells: (string | number)[]) =>
  notify(cells.map((cell, at) => (at === 0 ? `${cell}`.padEnd(34) : `${cell}`.padStart(12))).join(''));

const folder = await mkdtemp(join(tmpdir(), 'orderbeacon-bench-'));
const firstStarts: number[] = [];
const laterStarts: number[] = [];
for (let n = 0; n < rounds; n++) {
  const env = { ORDERBEACON_DATA_DIR: join(folder, `start${n}`) };
  for (const starts of [firstStarts, laterStarts]) {
    const server = await startServer(env);
    starts.push(server.startMs);
    await server.stop();
  }
}

const embedded = await openEmbedded(join(folder, 'data'), () => {});
const env = { DATABASE_URL: embedded.url };
const { username: user, pathname, searchParams } = new URL(embedded.url);
const place = { socketFolder: searchParams.get('host')!, user, database: pathname.slice(1) };
await runCommand(env, ['migrate']);
const team = await runCommand<{ id: string }>(env, [
  'team',
  'create',
  '--name',
  'Bench',
  '--storefront-url',
  'https://shop.example',
]);
const { key } = await runCommand<{ key: string }>(env, ['key', 'create', '--team', team.id]);
const sequence = await runCommand<{ id: string }>(env, [
  'sequence',
  'create',
  '--team',
  team.id,
  '--name',
  'Bench',
]);
const variants = Array.from({ length: 64 }, (_, n) => ({
  sku: `TEE-${n}`,
  inventory: n,
  options: [
    { group: 'Size', value: `Size ${n % 8}` },
    { group: 'Colour', value: `Colour ${n >> 3}` },
  ],
}));
const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95, skus: variants };
await runCommand(env, ['product', 'import', '--team', team.id, '-'], JSON.stringify([product]));
const sql = connect(env.DATABASE_URL, 4);
const [{ body: productBody, team_id: teamUuid }] =
  (await sql`select body, team_id from product`) as never as [Record<string, string>];

const [server, alone] = await Promise.all([startServer(env), startAlone(productBody!)]);
const json = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
const orderBody = `{"teamId":"${team.id}","email":"buyer-{n}@mail.example","amount":49.9,"orderId":"{n}","currency":"USD","source":"STRIPE","name":"Ann Buyer","items":[{"sku":"TEE-1","name":"T-shirt","quantity":2,"price":24.95}],"visitorId":"v-0123456789abcdef"}`;
const loads = {
  aloneOrder: { url: `${alone.url}/order`, method: 'POST', headers: json, body: orderBody },
  order: { url: `${server.url}/svc-api/v1/orders`, method: 'POST', headers: json, body: orderBody },
  aloneProduct: { url: `${alone.url}/product`, method: 'GET', headers: {} },
  product: {
    url: `${server.url}/svc-api/v1/products/t-shirt`,
    method: 'GET',
    headers: { Authorization: json.Authorization },
  },
} satisfies Record<string, Load>;

const [{ id: personUuid }] =
  (await sql`insert into person (team_id, id, email) values (${teamUuid!}, gen_random_uuid(), 'pgbench@mail.example') returning id`) as never as [
    { id: string },
  ];
const insertOrder = `insert into placed_order (team_id, id, order_number, person_id, order_id, report_id, amount, currency, source, name, items, visitor_id, is_test, reported_by, created_at)
  values ('${teamUuid}', gen_random_uuid(), 'ORD-' || substr(gen_random_uuid()::text, 25), '${personUuid}', gen_random_uuid()::text, null, 49.9, 'USD', 'STRIPE', 'Ann Buyer',
  '[{"sku":"TEE-1","name":"T-shirt","quantity":2,"price":24.95}]', 'v-0123456789abcdef', false, 'key', now())`;

/** Measures the loads in turn, round after round, so that a busy minute of the machine slows them all alike. */
async function inTurn<K extends string>(
  what: Record<K, () => Promise<Measured>>,
): Promise<Record<K, Measured>> {
  const all = Object.fromEntries(Object.keys(what).map((name) => [name, []])) as unknown as Record<
    K,
    Measured[]
  >;
  for (let n = 0; n < rounds; n++) for (const name in what) all[name].push(await what[name]());
  const middle = (list: Measured[]): Measured => ({
    perSecond: median(list.map(({ perSecond }) => perSecond)),
    p50Ms: median(list.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(list.map(({ p99Ms }) => p99Ms)),
  });
  return Object.fromEntries(
    Object.entries<Measured[]>(all).map(([name, list]) => [name, middle(list)]),
  ) as Record<K, Measured>;
}
const inserts = async (connections: number): Promise<Measured> => ({
  perSecond: pgbench ? await measurePgbench(pgbench, insertOrder, place, connections, seconds) : Number.NaN,
  p50Ms: 0,
  p99Ms: 0,
});

notify(
  `Medians of ${rounds} rounds of ${seconds} s, load by ${wrk ? 'wrk' : 'autocannon'}, on the same cores as the server and PostgreSQL.\n`,
);
await measure(loads.order, 64, 2);
await measure(loads.product, 64, 1);

row('orders', 'orders/s', 'Hono+zod/s', 'ratio', 'pgbench/s', 'ratio', 'p50 ms', 'p99 ms', 'p99/p50');
for (const connections of connectionCounts) {
  const { ours, hono, pg } = await inTurn({
    hono: () => measure(loads.aloneOrder, connections, seconds),
    ours: () => measure(loads.order, connections, seconds),
    pg: () => inserts(connections > 64 ? 64 : connections),
  });
  row(
    `${connections} connections`,
    formatCount(ours.perSecond),
    formatCount(hono.perSecond),
    ratio(ours.perSecond, hono.perSecond),
    formatCount(pg.perSecond),
    ratio(ours.perSecond, pg.perSecond),
    ours.p50Ms.toFixed(2),
    ours.p99Ms.toFixed(2),
    ratio(ours.p99Ms, ours.p50Ms),
  );
}
notify(`server memory after that: ${Math.round(server.residentBytes() / 1e6)} MB\n`);

row(`look-ups of ${productBody!.length} bytes`, 'look-ups/s', 'memory/s', 'ratio', 'p50 ms', 'p99 ms');
for (const connections of connectionCounts) {
  const { ours, hono } = await inTurn({
    hono: () => measure(loads.aloneProduct, connections, seconds),
    ours: () => measure(loads.product, connections, seconds),
  });
  row(
    `${connections} connections`,
    formatCount(ours.perSecond),
    formatCount(hono.perSecond),
    ratio(ours.perSecond, hono.perSecond),
    ours.p50Ms.toFixed(2),
    ours.p99Ms.toFixed(2),
  );
}

await runCommand(env, ['person', 'add', '--team', team.id, '--email', 'enrolled@mail.example']);
const enrollment: Load = {
  url: `${server.url}/svc-api/v1/sequences/enroll`,
  method: 'POST',
  headers: json,
  body: `{"email":"enrolled@mail.example","sequenceId":"${sequence.id}"}`,
};
notify('');
row('enrollments', 'enrolled/s', 'pgbench/s', 'ratio');
{
  const { ours, pg } = await inTurn({ ours: () => measure(enrollment, 64, seconds), pg: () => inserts(64) });
  row(
    '64 connections, known person',
    formatCount(ours.perSecond),
    formatCount(pg.perSecond),
    ratio(ours.perSecond, pg.perSecond),
  );
}

notify('');
row('stored orders', 'orders/s', 'of the first');
const measureAfterVacuum = async () => {
  await sql`vacuum analyze placed_order`;
  await sql`checkpoint`;
  return (await inTurn({ ours: () => measure(loads.order, 64, seconds) })).ours.perSecond;
};
let stored = 0;
await sql`truncate placed_order`;
const empty = await measureAfterVacuum();
row('0', formatCount(empty), '1.00');
for (const size of sizes) {
  await sql`insert into placed_order (team_id, id, order_number, person_id, order_id, report_id, amount, currency, source, visitor_id, is_test, reported_by, created_at)
    select ${teamUuid!}, uuidv7(interval '-1 day'), 'ORD-' || upper(substr(md5(n::text), 1, 12)), ${personUuid}, 'stored-' || n, null, 10, 'USD', 'OTHER', 'v', false, 'key', now()
    from generate_series(${stored + 1}::int, ${size}::int) n`;
  stored = size;
  const perSecond = await measureAfterVacuum();
  row(formatCount(size), formatCount(perSecond), ratio(perSecond, empty));
}

const second = await startServer(env);
notify('');
row('two processes, one database', 'orders/s', 'of one');
{
  const both = async (): Promise<Measured> => {
    const results = await Promise.all(
      [server, second].map(({ url }: Listening) =>
        measure({ ...loads.order, url: `${url}/svc-api/v1/orders` }, 32, seconds),
      ),
    );
    return { perSecond: results[0]!.perSecond + results[1]!.perSecond, p50Ms: 0, p99Ms: 0 };
  };
  const { one, two } = await inTurn({ one: () => measure(loads.order, 64, seconds), two: both });
  row('2 × 32 connections', formatCount(two.perSecond), ratio(two.perSecond, one.perSecond));
}

notify(
  `\nfirst start, with initdb: ${Math.round(median(firstStarts))} ms; later: ${Math.round(median(laterStarts))} ms`,
);
await Promise.all([second.stop(), server.stop(), alone.stop()]);
await sql.end();
await embedded.close();
await rm(folder, { recursive: true });
