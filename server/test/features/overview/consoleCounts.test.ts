import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, vi } from 'vitest';
import { makeBuckets } from '../../../src/console/parts/buckets.js';
import { makeRange } from '../../../src/console/parts/range.js';
import { removeOrders } from '../../../src/core/orders/merge/sql/writeOrders.js';
import { type Sql, statementBounds } from '../../../src/database/connection/connect.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { arrangeFigures } from '../../../src/features/overview/overviewFigures.js';
import { readOrderFigures } from '../../../src/features/overview/sql/readFigures.js';
import { markRecount } from '../../../src/features/overview/sql/summedDay.js';
import { sumDays, sumRound } from '../../../src/features/overview/sumDays.js';
import { newUuid, type Uuid } from '../../../src/values/ids.js';
import { fewAndMany } from '../../kit/fewAndMany.js';
import { placeOrder, placeOrders } from '../../kit/placeOrder.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { addTestSource } from '../sources/kit/sources.js';
import { wooOrder } from '../sources/kit/wooCommerceSamples.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const ago = (ms: number) => new Date(Date.now() - ms);

/** Reads the figures of the overview, after everything is summed. */
async function count(
  { sql, team }: Shop,
  { isTest = false, currency = 'USD', name = '30d' as '30d' | '7d' } = {},
) {
  const here = { now: new Date(), zone: 'UTC' };
  const range = makeRange(name, here);
  await sumDays(sql, team);
  const buckets = makeBuckets(range, here);
  return arrangeFigures(buckets, await readOrderFigures(sql, team, { buckets, isTest, currency }));
}

const amounts = async (shop: Shop, name: '30d' | '7d' = '30d') =>
  (await count(shop, { name })).money.map(({ amount }) => amount);

/** Asserts that the figures are those of the stored orders. */
async function expectTrueFigures(shop: Shop, isTest: boolean, currency: string) {
  const { sql, team } = shop;
  const { money, buckets, confirmed, orders } = await count(shop, { isTest, currency });
  const placed = sql`
    from placed_order where team_id = ${team} and is_test = ${isTest} and created_at >= ${buckets[0]!.from}`;
  expect(money).toEqual([
    ...(await sql`
      select currency, count(*)::float as orders, sum(amount)::text as amount ${placed} group by 1 order by count(*) desc, 1`),
  ]);
  const days = await sql<{ day: Date; isConfirmed: boolean | null; orders: number; amount: string }[]>`
    select date_trunc('day', created_at, 'UTC') as day, reported_by <> 'browser' as "isConfirmed", count(*)::float as orders,
      coalesce(sum(amount) filter (where currency = ${currency}), 0)::text as amount
    ${placed} group by grouping sets ((1, 2), (1))`;
  const expected = (from: Date, isConfirmed: boolean | null) => {
    const row = days.find((row) => +row.day === +from && row.isConfirmed === isConfirmed);
    return { orders: row?.orders ?? 0, amount: row?.amount ?? '0' };
  };
  for (const { from, confirmed, browser, together } of buckets) {
    const found = [confirmed, browser, together].map(({ orders, amount }) => ({ orders, amount }));
    expect(found).toEqual([true, false, null].map((isConfirmed) => expected(from, isConfirmed)));
  }
  const [all] =
    await sql`select count(*)::int as orders, count(*) filter (where reported_by <> 'browser')::int as confirmed ${placed}`;
  expect({ orders, confirmed }).toEqual(all);
}

/** Runs the first round of a day. */
async function sumAtNight(sql: Sql, team: Uuid) {
  await sql`delete from summed_day where team_id = ${team} and day >= ${ago(dayMs)}::date`;
  await sumRound(sql, team);
}

const anyOrder = fc.record({
  agoMs: fc.integer({ min: 0, max: 34 * dayMs }),
  currency: fc.constantFrom('USD', 'EUR', 'USDC'),
  amount: fc.constantFrom('0', '0.1', '12.345', '99999999999999999.99'),
  isTest: fc.boolean(),
  reportedBy: fc.constantFrom('browser', 'key', 'both'),
});
/** A change between two reads of the figures. `of` chooses an order. */
const anyStep = fc.oneof(
  fc.record({ kind: fc.constantFrom('confirm' as const, 'move' as const, 'discard' as const), of: fc.nat() }),
  anyOrder.map((late) => ({ kind: 'late' as const, ...late })),
  anyOrder.map((late) => ({ kind: 'killed' as const, ...late })),
);

type Order = typeof anyOrder extends fc.Arbitrary<infer Value> ? Value : never;
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

async function take(shop: Shop, step: Step, n: number) {
  const { sql, team } = shop;
  if (step.kind === 'late' || step.kind === 'killed') {
    // It was made long before it is stored.
    const { agoMs, kind, ...late } = step;
    const createdAt = ago(agoMs);
    await placeOrder(sql, team, { ...late, id: newUuid(), createdAt });
    // A server that is killed after the commit marks nothing. Another server has the next night.
    if (kind === 'late') await markRecount(sql, team, [createdAt]);
    else await sumAtNight(sql, team);
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
    // Another backend's report of the same order may be refused; then nothing changes.
    await shop.reportByKey({ orderId, email, currency, amount: n }, { key });
  }
}

for (const { numRuns, tags } of fewAndMany(4))
  test(`the figures are those of the orders, whatever their age, and whatever happened to them since the last look (${numRuns})`, {
    tags: ['slow', ...tags],
  }, async ({ server }) => {
    const run = async (orders: Order[], steps: Step[]) => {
      const shop = await openShop(server);
      const rows = orders.map(({ agoMs, ...row }, n) => ({
        ...row,
        orderId: `o-${n}`,
        createdAt: ago(agoMs),
      }));
      await placeOrders(shop.sql, shop.team, rows);
      for (const [n, step] of [undefined, ...steps].entries()) {
        if (step) await take(shop, step, n);
        if (n % 2 === 0) await expectTrueFigures(shop, n % 4 === 0, n % 3 === 0 ? 'USDC' : 'USD');
      }
      for (const isTest of [false, true]) await expectTrueFigures(shop, isTest, 'USD');
    };
    const anyOrders = fc.array(anyOrder, { minLength: 20, maxLength: 60 });
    const anySteps = fc.array(anyStep, { minLength: 5, maxLength: 10 });
    await fc.assert(fc.asyncProperty(anyOrders, anySteps, run), { numRuns });
  });

test('an order that a shop system dates days back is counted on its day', async ({ shop, server }) => {
  const { sql, team } = shop;
  await placeOrder(sql, team, { createdAt: ago(3 * dayMs), amount: 1 });
  expect(await amounts(shop)).toEqual(['1']);
  const source = await addTestSource(server, team, { kind: 'woocommerce' });
  const paidAt = ago(3 * dayMs)
    .toISOString()
    .slice(0, 19);
  await source.say(
    wooOrder(723, { currency: 'USD', total: '41.00', date_paid_gmt: paidAt }),
    'order.updated',
  );
  await expect.poll(() => amounts(shop)).toEqual(['42']);
});

test('a late order whose day is locked is answered without waiting, and counted as soon as it can be marked', async () => {
  const slow = await startServerForTest({ bounds: { ...statementBounds, lockMs: 500 } });
  const shop = await openShop(slow);
  const { sql, team } = shop;
  const createdAt = ago(3 * dayMs);
  await placeOrder(sql, team, { createdAt });
  await sumDays(sql, team);
  const answers = await sql.begin(async (tx) => {
    await tx`select from summed_day where team_id = ${team} for update`;
    return Promise.all([
      shop.reportByKey({ amount: 41, currency: 'USD', createdAt }),
      shop.report(),
      shop.reportByKey({ currency: 'EUR' }),
    ]);
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await expect
    .poll(async () => (await count(shop)).money)
    .toContainEqual({
      currency: 'USD',
      orders: 3,
      amount: '91.9',
    });
});

test('a change of an order waits for no summing of its day that reads the orders', async ({ shop }) => {
  const { sql, team } = shop;
  const createdAt = ago(3 * dayMs);
  const id = await placeOrder(sql, team, { createdAt });
  await sumDays(sql, team);
  // The day is not summed, so that summing it comes first.
  await merge(sql, team, { id, createdAt }, 5);
  // The first three of its statements find the day, and two read its orders.
  for (const at of [1, 2, 3, 4, 5]) {
    const counting = interrupt(sql, at, () =>
      inTransaction(sql, async (tx) => {
        await tx`set local lock_timeout = 1`;
        await merge(tx, team, { id, createdAt }, at);
      }),
    );
    await sumDays(counting.sql, team);
    expect(await amounts(shop)).toEqual([String(at)]);
    await merge(sql, team, { id, createdAt }, at);
  }
});

test('a day is marked by the clock of the database, whatever that of the server says', async ({ shop }) => {
  const { sql, team } = shop;
  const createdAt = ago(3 * dayMs);
  const id = await placeOrder(sql, team, { createdAt });
  await sumDays(sql, team);
  const clock = vi.spyOn(Date, 'now').mockReturnValue(ago(9 * dayMs).getTime());
  onTestFinished(() => clock.mockRestore());
  await merge(sql, team, { id, createdAt });
  clock.mockRestore();
  expect(await amounts(shop)).toEqual(['99']);
});

test('an order of a day that has not ended marks none', async ({ shop }) => {
  await markRecount(shop.sql, shop.team, [new Date(), new Date(Date.now() + dayMs)]);
  expect(await shop.sql`select from summed_day where team_id = ${shop.team}`).toEqual([]);
});

test('days without orders cost a statement together, those before the first order none', async ({ shop }) => {
  const { sql, team } = shop;
  const sum = async () => {
    const counting = interrupt(sql, -1, async () => {});
    return { days: await sumDays(counting.sql, team), asked: counting.asked() };
  };
  expect(await sum()).toEqual({ days: 0, asked: 1 });
  await placeOrder(sql, team, { createdAt: ago(2000 * dayMs), amount: 1 });
  await placeOrder(sql, team, { createdAt: ago(2 * dayMs), id: newUuid(), amount: 41 });
  const { days, asked } = await sum();
  expect(days).toBeGreaterThan(1990);
  expect(asked).toBeLessThan(30);
  expect(await sum()).toEqual({ days: 0, asked: 1 });
  const summed = await sql`
    select count(*) filter (where is_summed)::int as summed, (
      select sum(amount)::text from order_day where team_id = ${team}
    ) as amount from summed_day where team_id = ${team}`;
  expect(summed).toEqual([{ summed: days, amount: '42' }]);
  // A late order of a day that was empty.
  const createdAt = ago(1000 * dayMs);
  await placeOrder(sql, team, { createdAt, id: newUuid(), amount: 5 });
  await markRecount(sql, team, [createdAt]);
  expect((await sum()).days).toBe(1);
});

test('a change by hand is right after a recount', async ({ shop }) => {
  const { sql, team } = shop;
  await placeOrder(sql, team, { createdAt: ago(3 * dayMs) });
  await count(shop);
  await sql`update placed_order set amount = 99 where team_id = ${team}`;
  expect(await amounts(shop)).toEqual(['1']);
  // Days without orders and sums need no counting.
  expect((await shop.command('team', 'recount')).stdout).toBe('Counted 1 day.\n');
  expect(await amounts(shop)).toEqual(['99']);
});

test('a page of the console writes no sums, and reads none of days that are not summed', async ({ shop }) => {
  const { sql, team } = shop;
  await placeOrder(sql, team, { createdAt: ago(3 * dayMs) });
  const { read } = await shop.console();
  expect(await read('/console?range=7d')).toContain('Orders 1');
  expect(await sql`select from summed_day where team_id = ${team}`).toEqual([]);
});

test('a thousand made-up currencies of a day are few rows, and a key’s has its own', async ({ shop }) => {
  const { sql, team } = shop;
  const code = (n: number) =>
    [n / 676, n / 26, n].map((digit) => String.fromCharCode(65 + (digit % 26))).join('');
  const rows = Array.from({ length: 1_000 }, (_, n) => ({
    createdAt: ago(3 * dayMs),
    currency: `${code(n)}X`,
  }));
  await placeOrders(sql, team, [...rows, { createdAt: ago(3 * dayMs), currency: 'EUR', reportedBy: 'key' }]);
  const { money, others, orders } = await count(shop);
  expect([orders, money.length, others.orders]).toEqual([1_001, 10, 991]);
  expect(money.map(({ currency }) => currency)).toContain('EUR');
  expect(await sql`select from order_day where team_id = ${team}`).toHaveLength(11);
});

/** Makes a pool that acts before its statement, or commit, of this number. Counts its statements. */
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
  await markRecount(tx, team, [createdAt]);
  await removeOrders(tx, team, [id]);
}

/** Gives an order another amount, as a backend's report does. */
async function merge(tx: Sql, team: Uuid, { id, createdAt }: { id: Uuid; createdAt: Date }, amount = 99) {
  await markRecount(tx, team, [createdAt]);
  await tx`update placed_order set amount = ${amount} where team_id = ${team} and id = ${id}`;
}

test.for([
  ['merge', merge, '104'],
  ['discard', discard, '5'],
] as const)(
  'a %s that commits amid the summing of its day, before any of its statements, is not missed',
  { tags: ['all'] },
  async ([, change, sum], { server }) => {
    for (let at = 0, asked = 1; at < asked; at++) {
      const shop = await openShop(server);
      const { sql, team } = shop;
      const createdAt = ago(50 * hourMs);
      const [id, other] = await placeOrders(sql, team, [{ createdAt }, { createdAt }]);
      expect(await amounts(shop, '7d')).toEqual(['2']);
      // This makes the day be summed again.
      await merge(sql, team, { id: other!, createdAt }, 5);
      const open = await sql.reserve();
      await open`begin`;
      const counting = interrupt(sql, at, async () => {
        // While the day is being summed, the change waits for the end of that.
        const changed = change(open, team, { id: id!, createdAt }).then(() => open`commit`);
        await Promise.race([changed, delay(100)]);
        return undefined;
      });
      await sumDays(counting.sql, team);
      asked = counting.asked();
      await expect.poll(() => amounts(shop, '7d')).toEqual([sum]);
      open.release();
    }
  },
);

test('two servers that sum concurrently count every order once', { tags: ['all'] }, async ({ shop }) => {
  const { sql, team } = shop;
  const times = Array.from({ length: 40 }, (_, n) => ({ createdAt: ago(n * 17 * hourMs) }));
  await placeOrders(sql, team, times);
  await Promise.all(Array.from({ length: 4 }, () => sumDays(sql, team)));
  expect((await count(shop)).orders).toBe(40);
});
