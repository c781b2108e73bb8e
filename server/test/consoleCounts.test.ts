import fc from 'fast-check';
import { expect } from 'vitest';
import { reporters } from '../src/console/orders/reporterWords.js';
import { createKeepSums } from '../src/console/overview/keepSums.js';
import { arrangeFigures } from '../src/console/overview/overviewFigures.js';
import { makeBuckets, makeRange } from '../src/console/overview/range.js';
import { readOrderFigures } from '../src/console/sql/orderFigures.js';
import type { Sql } from '../src/database/connection/connect.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { discardOrder, markRecount } from '../src/orders/sql/placedOrder.js';
import { firstUuid, newUuid, type Uuid } from '../src/values/ids.js';
import { placeOrder, placeOrders } from './placeOrder.js';
import { openShop, type Shop, test } from './shop.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const ago = (ms: number) => new Date(Date.now() - ms);

/** Counts as a page does, which goes on after 0.1 s; here it waits until all sums are made. */
const keepWith = (sql: Sql) =>
  createKeepSums((_team, statement) => Promise.resolve(statement(sql)), 10 * 60_000);

/** The figures of the overview, once everything is summed. */
async function count(
  { sql, team }: Shop,
  { isTest = false, currency = 'USD', name = '30d' as '30d' | '24h' } = {},
) {
  const here = { now: new Date(), zone: 'UTC' };
  const range = makeRange(name, here);
  await keepWith(sql)(team, range.span.from);
  const buckets = makeBuckets(range, here);
  return arrangeFigures(buckets, await readOrderFigures(sql, team, { buckets, isTest, currency }));
}

const amounts = async (shop: Shop, name: '30d' | '24h' = '30d') =>
  (await count(shop, { name })).money.map(({ amount }) => amount);

const kept = async ({ sql, team }: Shop) =>
  (await sql`select coalesce(sum(orders), 0)::int as n from order_sum where team_id = ${team}`)[0]!.n;

/** Asserts that the figures are those of the stored orders. */
async function expectTrueFigures(shop: Shop, isTest: boolean, currency: string) {
  const { sql, team } = shop;
  const { money, buckets, byReporter, orders } = await count(shop, { isTest, currency });
  const placed = sql`
    from placed_order where team_id = ${team} and is_test = ${isTest} and created_at >= ${buckets[0]!.from}`;
  expect(money).toEqual([
    ...(await sql`
      select currency, count(*)::float as orders, sum(amount)::text as amount ${placed} group by 1 order by count(*) desc, 1`),
  ]);
  const days = await sql<{ day: Date; reportedBy: string | null; orders: number; amount: string }[]>`
    select date_trunc('day', created_at, 'UTC') as day, reported_by as "reportedBy", count(*)::float as orders,
      coalesce(sum(amount) filter (where currency = ${currency}), 0)::text as amount
    ${placed} group by grouping sets ((1, 2), (1))`;
  const expected = (from: Date, reportedBy: string | null) => {
    const row = days.find((row) => +row.day === +from && row.reportedBy === reportedBy);
    return { orders: row?.orders ?? 0, amount: row?.amount ?? '0' };
  };
  const names = [...reporters.map(({ reportedBy }) => reportedBy), null];
  for (const { from, figures, together } of buckets) {
    const found = [...figures, together].map(({ orders, amount }) => ({ orders, amount }));
    expect(found).toEqual(names.map((name) => expected(from, name)));
  }
  expect(orders).toBe(byReporter.reduce((sum, orders) => sum + orders, 0));
}

const anyOrder = fc.record({
  agoMs: fc.integer({ min: 0, max: 34 * dayMs }),
  currency: fc.constantFrom('USD', 'EUR', 'USDC'),
  amount: fc.constantFrom('0', '0.1', '12.345', '99999999999999999.99'),
  isTest: fc.boolean(),
  reportedBy: fc.constantFrom('browser', 'key', 'both'),
});
/** What may happen between two looks; `of` chooses an order. */
const anyStep = fc.oneof(
  fc.record({ kind: fc.constantFrom('confirm' as const, 'move' as const, 'discard' as const), of: fc.nat() }),
  anyOrder.map((late) => ({ kind: 'late' as const, ...late })),
);

type Order = typeof anyOrder extends fc.Arbitrary<infer Value> ? Value : never;
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

async function take(shop: Shop, step: Step, n: number) {
  const { sql, team } = shop;
  if (step.kind === 'late') {
    // It was made long before it is stored.
    const { agoMs, kind, ...late } = step;
    await placeOrder(sql, team, { ...late, id: newUuid(), createdAt: ago(agoMs) });
    return;
  }
  const all = await shop.stored();
  const order = all[step.of % all.length];
  if (!order) return;
  if (step.kind === 'discard')
    await inTransaction(sql, (tx) => discard(tx, team, order as { id: Uuid; createdAt: Date }));
  else {
    const email = step.kind === 'move' ? `buyer${n}@buyer.example` : order.email;
    const key = order.isTest ? await shop.testKey() : await shop.liveKey();
    const { orderId, currency } = order;
    // Another backend's word for the same order may be refused; then nothing changes.
    await shop.reportByKey({ orderId, email, currency, amount: n }, { key });
  }
}

test('the figures are those of the orders, whatever their age, and whatever happened to them since the last look', {
  tags: ['slow'],
}, async ({ server }) => {
  const run = async (orders: Order[], steps: Step[]) => {
    const shop = await openShop(server);
    const rows = orders.map(({ agoMs, ...row }, n) => ({ ...row, orderId: `o-${n}`, createdAt: ago(agoMs) }));
    await placeOrders(shop.sql, shop.team, rows);
    for (const [n, step] of [undefined, ...steps].entries()) {
      if (step) await take(shop, step, n);
      if (n % 2 === 0) await expectTrueFigures(shop, n % 4 === 0, n % 3 === 0 ? 'USDC' : 'USD');
    }
    for (const isTest of [false, true]) await expectTrueFigures(shop, isTest, 'USD');
  };
  const anyOrders = fc.array(anyOrder, { minLength: 20, maxLength: 60 });
  const anySteps = fc.array(anyStep, { minLength: 5, maxLength: 10 });
  await fc.assert(fc.asyncProperty(anyOrders, anySteps, run), { numRuns: 4 });
});

test('an order that is stored long after it was made is counted where it was made, once', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await placeOrder(sql, team, { createdAt: ago(3 * dayMs) });
  await count(shop);
  const createdAt = ago(3 * dayMs + hourMs);
  await placeOrder(sql, team, { createdAt, id: newUuid() });
  expect([(await count(shop)).orders, await kept(shop)]).toEqual([2, 1]);
  // As if nobody had looked for an hour.
  await sql`update order_sum_range set to_id = ${firstUuid(Date.now() - hourMs)} where team_id = ${team}`;
  await placeOrder(sql, team, { createdAt, id: newUuid(Date.now() - hourMs * 0.75) });
  expect([(await count(shop)).orders, await kept(shop)]).toEqual([3, 2]);
});

test('neither storing an order late nor changing one writes anything for the console', async ({ shop }) => {
  const { sql, team } = shop;
  await placeOrder(sql, team, { createdAt: ago(5 * hourMs), orderId: 'o-1' });
  await shop.reportByKey({ orderId: 'o-1', amount: 7 });
  expect(await shop.stored()).toMatchObject([{ mergedAt: expect.any(Date) }]);
  expect(await sql`select from order_sum_stale where team_id = ${team}`).toEqual([]);
});

test.for<[string, (shop: Shop) => Promise<unknown>]>([
  [
    'a clock that was ahead',
    ({ sql, team }) =>
      sql`update order_sum_range set to_id = ${firstUuid(Date.now() + hourMs)} where team_id = ${team}`,
  ],
  [
    'months in which nobody looked',
    ({ sql, team }) => {
      const [from, to] = [firstUuid(+ago(122 * dayMs)), firstUuid(+ago(90 * dayMs))];
      return sql`update order_sum_range set from_id = ${from}, to_id = ${to} where team_id = ${team}`;
    },
  ],
  [
    'more changes than are worth looking up',
    ({ sql, team }) => sql`
      insert into order_sum_stale select ${team}, now() - n * interval '15 minutes' from generate_series(1, 401) n`,
  ],
])('after %s the figures are those of the orders', async ([, happen], { shop }) => {
  const { sql, team } = shop;
  await placeOrder(sql, team, { createdAt: ago(5 * hourMs) });
  await count(shop);
  await happen(shop);
  await sql`update placed_order set amount = 99 where team_id = ${team}`;
  await placeOrder(sql, team);
  expect(await amounts(shop)).toEqual(['100']);
});

/** A pool that acts before its statement, or commit, of a number. Counts those that it was asked. */
function interrupt(sql: Sql, at: number, act: () => Promise<unknown>) {
  let asked = 0;
  const next = async () => {
    if (asked++ === at) await act();
  };
  const watch = (inner: Sql): Sql =>
    new Proxy(inner, {
      apply(target, self, given) {
        const run = () => Reflect.apply(target, self, given);
        return String(given[0][0]).startsWith('/*') ? next().then(run) : run();
      },
      get: (target, name) =>
        name === 'begin'
          ? (run: (tx: Sql) => Promise<unknown>) =>
              target.begin(async (tx) => [await run(watch(tx as unknown as Sql)), await next()][0])
          : Reflect.get(target, name),
    });
  return { sql: watch(sql), asked: () => asked };
}

/** Discards an order as the command does. */
async function discard(tx: Sql, team: Uuid, { id, createdAt }: { id: Uuid; createdAt: Date }) {
  await markRecount(tx, team, createdAt);
  await discardOrder(tx, team, id);
}

/** Gives an order another amount, as a backend's report does. */
const merge = (tx: Sql, team: Uuid, { id }: { id: Uuid }, amount = 99) =>
  tx`update placed_order set amount = ${amount}, merged_at = now() where team_id = ${team} and id = ${id}`;

test.for([
  ['merge', merge, '104'],
  ['discard', discard, '5'],
] as const)(
  'a %s that commits amid the counting of its hour, before any of its statements, is not missed',
  async ([, change, sum], { server }) => {
    for (let at = 0, asked = 1; at < asked; at++) {
      const shop = await openShop(server);
      const { sql, team } = shop;
      const createdAt = ago(5 * hourMs);
      const [id, other] = await placeOrders(sql, team, [{ createdAt }, { createdAt }]);
      expect(await amounts(shop, '24h')).toEqual(['2']);
      // So that their hour is counted anew.
      await merge(sql, team, { id: other! }, 5);
      const open = await sql.reserve();
      await open`begin`;
      await change(open, team, { id: id!, createdAt });
      const counting = interrupt(sql, at, () => open`commit`);
      await keepWith(counting.sql)(team, ago(6 * hourMs));
      open.release();
      asked = counting.asked();
      expect([at, await amounts(shop, '24h')]).toEqual([at, [sum]]);
    }
  },
);

test('four concurrent pages on two servers count every order once', async ({ shop }) => {
  const { sql, team } = shop;
  await placeOrders(
    sql,
    team,
    Array.from({ length: 40 }, (_, n) => ({ createdAt: ago(n * 17 * hourMs) })),
  );
  const [one, other] = [keepWith(sql), keepWith(sql)];
  await Promise.all([one, other, one, other].map((keep) => keep(team, ago(32 * dayMs))));
  expect((await count(shop)).orders).toBe(40);
  const doubled = await sql`
    select from order_sum s join placed_order o on o.team_id = s.team_id and date_bin('15 minutes', o.created_at, '2000-01-01Z') = s.quarter
    where s.team_id = ${team} group by s.team_id, s.quarter having max(s.orders) <> count(o.id)`;
  expect(doubled).toEqual([]);
});
