import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeepSums } from '../src/console/keepSums.js';
import { arrangeFigures } from '../src/console/overviewFigures.js';
import { makeBuckets, makeRange } from '../src/console/range.js';
import { reporters } from '../src/console/reporterWords.js';
import { resetDays, sumDays } from '../src/console/sql/daySums.js';
import { listOrderHosts, readOrderFigures } from '../src/console/sql/orderFigures.js';
import { findSumRange, resum, takeChanges } from '../src/console/sql/orderSums.js';
import { queueBounds } from '../src/database/batch/groupCommit.js';
import type { Sql } from '../src/database/connection/connect.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { markRecount } from '../src/orders/sql/placedOrder.js';
import { createStoreReport } from '../src/orders/storeReport.js';
import { firstUuid, newUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { type Explained, explainAll } from './explained.js';
import { startServerForTest } from './server.js';

const hourMs = 3_600_000;
/** A page goes on after 0.1 s, while sums are being made. These tests wait until they are made. */
const untilSummedMs = 10 * 60_000;
const dayMs = 24 * hourMs;

async function start() {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { sql } = server;
  const ask = <Result>(_team: string, statement: (asked: typeof sql) => PromiseLike<Result>) =>
    Promise.resolve(statement(sql));
  const keepSums = createKeepSums(ask, untilSummedMs);

  /** Stores an order as if it had been reported so long ago. */
  async function place(orderId: string, agoMs: number, more: Record<string, unknown> = {}) {
    const row = {
      currency: 'USD',
      amount: 10,
      is_test: false,
      reported_by: 'browser',
      host: 'shop.example',
      ...more,
    };
    const person = newUuid();
    await sql`insert into person (team_id, id, email) values (${uuid}, ${person}, 'ann@buyer.example')`;
    await sql`
      insert into placed_order ${sql({
        ...row,
        team_id: uuid,
        id: newUuid(Date.now() - agoMs),
        order_number: orderId,
        order_id: orderId,
        person_id: person,
        source: 'OTHER',
        created_at: new Date(Date.now() - agoMs),
      })}`;
  }

  /** The figures of the overview for 30 days, once everything is summed. */
  async function count(isTest = false, currency = 'USD') {
    const here = { now: new Date(), zone: 'UTC' };
    const buckets = makeBuckets(makeRange('30d', here), here);
    await keepSums(uuid, new Date(here.now.getTime() - 32 * dayMs));
    return arrangeFigures(buckets, await readOrderFigures(sql, uuid, { buckets, isTest, currency }));
  }

  const ordersOf = async () => (await count()).orders;
  const amounts = async () => (await count()).money.map(({ amount }) => amount);

  const kept = async () =>
    (await sql<[{ n: number }]>`select coalesce(sum(orders), 0)::int as n from order_sum`)[0].n;
  return { ...server, uuid, teamId, place, count, ordersOf, amounts, kept, keepSums };
}

it('the figures are those of the orders, whatever their age, currency, mode and reporter', async () => {
  const { place, count, kept, sql, uuid } = await start();
  const random = fc.sample(
    fc.record({
      agoMs: fc.integer({ min: 0, max: 31 * dayMs }),
      currency: fc.constantFrom('USD', 'EUR', 'USDC'),
      amount: fc.constantFrom('0', '0.1', '12.345', '99999999.99'),
      is_test: fc.boolean(),
      reported_by: fc.constantFrom('browser', 'key', 'both'),
    }),
    300,
  );
  for (const [n, { agoMs, ...row }] of random.entries()) await place(`o-${n}`, agoMs, row);
  for (const isTest of [false, true]) {
    for (const currency of ['USD', 'USDC']) {
      const { money, buckets, byReporter, orders } = await count(isTest, currency);
      const placed = sql`
        from placed_order where team_id = ${uuid} and is_test = ${isTest} and created_at >= ${buckets[0]!.from}`;
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
      expect(days.length).toBeGreaterThan(50);
      for (const { from, figures, together } of buckets) {
        const found = [...figures, together].map(({ orders, amount }) => ({ orders, amount }));
        const names = [...reporters.map(({ reportedBy }) => reportedBy), null];
        expect(found).toEqual(names.map((name) => expected(from, name)));
      }
      const all = await sql`
        select count(*)::float as orders ${placed}
        group by reported_by order by array_position(array['browser', 'key', 'both'], reported_by)`;
      expect(byReporter).toEqual(all.map(({ orders }) => orders));
      expect(orders).toBe(byReporter.reduce((sum, orders) => sum + orders, 0));
    }
  }
  expect(await kept()).toBeGreaterThan(200);
});

it('an order that a backend changes hours later is counted anew, and its old hour too where it moves', async () => {
  const { place, count, kept, addKey, uuid, teamId, reportByKey } = await start();
  await place('same-buyer', 5 * hourMs);
  await place('other-buyer', 6 * hourMs);
  const sums = async () => {
    const { byReporter, money } = await count();
    return [byReporter, money.map(({ amount }) => amount)];
  };
  expect(await sums()).toEqual([[2, 0, 0], ['20']]);
  expect(await kept()).toBe(2);
  const key = await addKey(uuid);
  await reportByKey(key, { teamId, email: 'bob@buyer.example', amount: 7, orderId: 'other-buyer' });
  expect(await sums()).toEqual([[1, 1, 0], ['17']]);
  expect(await kept()).toBe(1);
});

it('an order that is stored long after it was made is counted where it was made, once', async () => {
  const { count, ordersOf, kept, sql, uuid, place } = await start();
  await place('known', 3 * dayMs);
  await count();
  const { storeReport } = createStoreReport({ orders: sql, work: sql }, queueBounds);
  const createdAt = new Date(Date.now() - 3 * dayMs - hourMs);
  const store = (orderId: string, storedAgoMs: number) =>
    storeReport(uuid, {
      id: newUuid(Date.now() - storedAgoMs),
      orderNumber: orderId,
      personId: newUuid(),
      email: 'ann@buyer.example',
      name: null,
      orderId,
      reportId: null,
      idempotencyKey: null,
      amount: 3,
      currency: 'USD',
      source: 'OTHER',
      items: null,
      visitorId: null,
      touches: null,
      extra: null,
      host: 'shop.example',
      createdAt: createdAt.toISOString(),
      keyHash: null,
      domainEntries: ['shop.example'],
    });
  expect(await store('just-now', 0)).toMatchObject({ isNew: true, orderNumber: 'just-now' });
  expect([await ordersOf(), await kept()]).toEqual([2, 1]);
  // As if nobody had looked for an hour.
  await sql`update order_sum_range set to_id = ${firstUuid(Date.now() - hourMs)}`;
  await store('meanwhile', hourMs * 0.75);
  expect([await ordersOf(), await kept()]).toEqual([3, 2]);
  const days = await sql`select quarter::date::text as day from order_sum group by 1`;
  expect(days.map(({ day }) => day)).toContain(createdAt.toISOString().slice(0, 10));
});

it.each([5 * hourMs, 70 * dayMs])(
  'an order that a backend gives another buyer, %i ms after a page, is counted at its new time alone',
  async (agoMs) => {
    const { place, count, kept, addKey, uuid, teamId, reportByKey, sql, keepSums } = await start();
    await place('guessed', agoMs);
    await place('other', 3 * hourMs, { amount: 5 });
    await count();
    const key = await addKey(uuid);
    await reportByKey(key, { teamId, email: 'bob@buyer.example', amount: 7, orderId: 'guessed' });
    const sums = async () => {
      const { byReporter, money } = await count();
      return [byReporter, money];
    };
    const expected = [[1, 1, 0], [{ currency: 'USD', orders: 2, amount: '12' }]];
    expect(await sums()).toEqual(expected);
    // Days later, and after everything was summed anew.
    await sql`update placed_order set created_at = now() - interval '2 days', merged_at = now() - interval '2 days' where reported_by = 'key'`;
    expect(await sums()).toEqual(expected);
    await sql`delete from order_sum`;
    await sql`delete from order_sum_range`;
    expect(await sums()).toEqual(expected);
    expect(await kept()).toBe(1);
    const since = new Date(Date.now() - 7 * dayMs);
    await keepSums(uuid, since);
    expect(await listOrderHosts(sql, uuid, { since, isTest: false })).toHaveLength(2);
  },
);

it('neither storing an order late nor changing one writes anything for the console', async () => {
  const { place, addKey, uuid, teamId, reportByKey, sql } = await start();
  await place('o-1', 5 * hourMs);
  const key = await addKey(uuid);
  await reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 7, orderId: 'o-1' });
  expect(await sql`select from placed_order where merged_at is not null`).toHaveLength(1);
  expect(await sql`select from order_sum_stale`).toEqual([]);
});

it('after a clock was ahead while orders were summed, none is missed', async () => {
  const { place, count, ordersOf, sql } = await start();
  await place('o-1', 5 * hourMs);
  await count();
  await sql`update order_sum_range set to_id = ${firstUuid(Date.now() + hourMs)}`;
  await place('o-2', 0);
  expect(await ordersOf()).toBe(2);
});

it('more changes than are worth looking up are summed with everything else', async () => {
  const { place, count, amounts, sql, uuid } = await start();
  await place('o-1', 5 * hourMs);
  await count();
  await sql`
    insert into order_sum_stale select ${uuid}, now() - n * interval '15 minutes' from generate_series(1, 401) n`;
  await sql`update placed_order set amount = 99`;
  expect(await amounts()).toEqual(['99']);
});

const changes = {
  merge: (tx: Sql) => tx`update placed_order set amount = 99, merged_at = now()`,
  async discard(tx: Sql) {
    const [order] = await tx<{ team_id: string; created_at: Date }[]>`select * from placed_order`;
    await markRecount(tx, order!.team_id, order!.created_at);
    await tx`delete from placed_order`;
  },
};

it.each([
  ['merge', 'takeMarks'],
  ['merge', 'findChanges'],
  ['merge', 'noteCheck'],
  ['merge', 'removeSumsOf'],
  ['merge', 'addSums'],
  ['merge', 'commit'],
  ['discard', 'takeMarks'],
  ['discard', 'findChanges'],
  ['discard', 'removeSumsOf'],
  ['discard', 'addSums'],
  ['discard', 'commit'],
] as const)('a %s that commits amid the counting of its hour, before %s, is not missed', async (kind, at) => {
  const { place, amounts, sql, uuid } = await start();
  await place('o-1', 5 * hourMs);
  expect(await amounts()).toEqual(['10']);
  const change = await sql.reserve();
  await change`begin`;
  await changes[kind](change);

  const range = (await findSumRange(sql, uuid))!;
  const quarters = await sql<{ quarter: Date }[]>`select quarter from order_sum`;
  const names: string[] = [];
  await inTransaction(sql, async (tx) => {
    const commitAmid = new Proxy(tx, {
      apply(target, self, given) {
        const name = /^\/\* (\w+)/.exec(given[0][0])?.[1];
        if (name) names.push(name);
        const run = () => Reflect.apply(target, self, given);
        return name === at ? change`commit`.then(run) : run();
      },
    });
    await takeChanges(commitAmid, uuid, range, 100);
    await resum(
      commitAmid,
      uuid,
      range,
      quarters.map(({ quarter }) => quarter),
    );
    // In the first hours of a day the order belongs to a past day, whose sums the caller makes anew, too.
    await resetDays(tx, uuid);
    if (at === 'commit') await change`commit`;
  });
  change.release();
  expect([...names, 'commit']).toContain(at);
  expect(await amounts()).toEqual(kind === 'merge' ? ['99'] : []);
});

it('four concurrent pages on two servers count every order once', async () => {
  const { place, ordersOf, sql, uuid, keepSums } = await start();
  for (let n = 0; n < 40; n++) await place(`o-${n}`, n * 17 * hourMs);
  const other = createKeepSums((_team, statement) => Promise.resolve(statement(sql)), untilSummedMs);
  const since = new Date(Date.now() - 32 * dayMs);
  await Promise.all([keepSums, other, keepSums, other].map((keep) => keep(uuid, since)));
  expect(await ordersOf()).toBe(40);
  const doubled = await sql`
    select from order_sum s join placed_order o on o.team_id = s.team_id and date_bin('15 minutes', o.created_at, '2000-01-01Z') = s.quarter
    group by s.team_id, s.quarter having max(s.orders) <> count(o.id)`;
  expect(doubled).toEqual([]);
});

it('a database that takes long for anything, but no longer for more, sums a year in few pieces', async () => {
  const { sql, uuid, place } = await start();
  for (let n = 0; n < 20; n++) await place(`o-${n}`, n * 18 * dayMs);
  let asked = 0;
  const keepSums = createKeepSums(async (_team, statement) => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return statement(sql);
  }, untilSummedMs);
  const since = new Date(Date.now() - 366 * dayMs);
  await keepSums(uuid, since);
  expect(asked).toBeLessThan(300);
});

it('adding up a day reads the sums of that day alone, also where PostgreSQL knows nothing of the table yet', async () => {
  const { sql, uuid } = await start();
  await sql`
    insert into order_sum (team_id, quarter, is_test, currency, reported_by, host, orders, amount, last_order_at)
    select ${uuid}, quarter, false, 'USD', 'key', 'host-' || n, 1, 10, quarter
    from generate_series('2026-01-01Z'::timestamptz, '2026-04-30Z', '15 minutes') quarter, generate_series(1, 3) n`;
  await sql`
    insert into order_origin_sum (team_id, quarter, is_test, touch, kind, source, medium, campaign, currency, orders, confirmed, amount)
    select team_id, quarter, false, 'first', 'named', host, '', '', 'USD', 1, 1, 10 from order_sum where team_id = ${uuid}`;
  const plans: Explained[] = [];
  await sumDays(explainAll(sql, plans), uuid, [new Date('2026-02-01')]);
  const ofSums = plans.filter(({ name }) => name === 'sumDays' || name === 'insertOriginSums');
  expect(ofSums.map(({ plan }) => /Index Cond: .*quarter >= .*quarter < /.test(plan))).toEqual([true, true]);
  const sums = await sql`
    select orders::int, amount::int from order_day_sum where team_id = ${uuid}
    union all select sum(orders)::int, sum(amount)::int from order_origin_day_sum where team_id = ${uuid}`;
  expect(sums).toEqual([
    { orders: 288, amount: 2880 },
    { orders: 288, amount: 2880 },
  ]);
});

it('a discarded order leaves the figures', async () => {
  const { place, ordersOf, amounts, env, teamId, sql } = await start();
  await place('o-1', 5 * hourMs);
  expect(await ordersOf()).toBe(1);
  await sql`update placed_order set order_number = 'ORD-0000000001'`;
  const { code } = await runOrderbeacon(['order', 'discard', '--team', teamId, 'ORD-0000000001'], env);
  expect(code).toBe(0);
  expect(await ordersOf()).toBe(0);
  expect(await amounts()).toEqual([]);
});

it('a console that nobody has opened for months begins to count anew', async () => {
  const { place, ordersOf, sql, kept } = await start();
  await place('o-1', 2 * hourMs);
  await ordersOf();
  const fromId = firstUuid(Date.now() - 122 * dayMs);
  const toId = firstUuid(Date.now() - 90 * dayMs);
  await sql`update order_sum_range set from_id = ${fromId}, to_id = ${toId}`;
  // The whole rows anew: Citus adds nothing to a time in an update.
  await sql`
    with old as materialized (delete from order_sum returning *)
    insert into order_sum select team_id, quarter - interval '90 days', is_test, currency, reported_by, host, orders,
      amount, last_order_at from old`;
  expect(await ordersOf()).toBe(1);
  expect(await kept()).toBe(1);
});

it('each host has its last order and its rate, orders without a page apart', async () => {
  const { place, sql, uuid, keepSums } = await start();
  await place('old', 3 * hourMs);
  await place('new', 1000);
  await place('key', 2 * hourMs, { host: null, reported_by: 'key' });
  await place('test', 0, { is_test: true });
  const since = new Date(Date.now() - 7 * dayMs);
  await keepSums(uuid, since);
  const hosts = await listOrderHosts(sql, uuid, { since, isTest: false });
  expect(hosts.map(({ host, orders }) => [host, orders])).toEqual([
    ['shop.example', 2],
    ['', 1],
  ]);
  const [newest] = await sql`select created_at from placed_order where order_id = 'new'`;
  expect(hosts[0]!.lastOrderAt).toEqual(newest!.created_at);
});

it.each([
  [['0.1', '0.2', '10', '99999999999999999.99'], '100000000000000010.29'],
  [['5', '7'], '12'],
  [['0.001', '0'], '0.001'],
])('amounts are added without rounding: %j', async (placed, sum) => {
  const { place, count } = await start();
  // Some of them summed before, some not.
  for (const [n, amount] of placed.entries()) await place(`o-${n}`, n * hourMs, { amount });
  expect((await count()).money).toEqual([{ currency: 'USD', orders: placed.length, amount: sum }]);
});
