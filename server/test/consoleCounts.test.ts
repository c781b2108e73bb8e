import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeBuckets, type Range, ranges } from '../src/console/buckets.js';
import { createKeepCounting } from '../src/console/keepCounting.js';
import { addExactly, together } from '../src/console/overviewFigures.js';
import { countOrders } from '../src/console/sql/countOrders.js';
import { keepCounts } from '../src/console/sql/keepCounts.js';
import { listOrderHosts } from '../src/console/sql/listOrderHosts.js';
import { groupCommitBounds } from '../src/database/batch/groupCommitBounds.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { markRecount } from '../src/orders/sql/markRecount.js';
import { createStoreReport } from '../src/orders/storeReport.js';
import { newUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './process.js';
import { startServerForTest } from './server.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function start() {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { sql } = server;
  const ask = <Result>(statement: (asked: typeof sql) => PromiseLike<Result>) =>
    Promise.resolve(statement(sql));
  const keepCounting = createKeepCounting(ask);

  /** Stores an order as if it had been reported so long ago, past the counting. */
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
        id: newUuid(),
        order_number: orderId,
        order_id: orderId,
        person_id: person,
        source: 'OTHER',
        created_at: new Date(Date.now() - agoMs),
      })}`;
  }

  /** Asks as pages do, which wait no longer than 0.1 s for counting, until everything since then is counted. */
  async function keepCountingAll(since: Date) {
    for (;;) {
      const counted = await keepCounting(uuid, since);
      if (counted.from <= since) return counted;
    }
  }

  /** All that the overview adds up for 30 days, once everything is counted. */
  async function count(isTest = false) {
    const now = new Date();
    const buckets = makeBuckets('30d', 'UTC', now);
    const counted = await keepCountingAll(new Date(now.getTime() - 32 * dayMs));
    return countOrders(sql, uuid, { buckets, isTest, counted });
  }

  const kept = async () =>
    (await sql<[{ n: number }]>`select coalesce(sum(orders), 0)::int as n from order_count`)[0].n;
  return { ...server, uuid, teamId, place, count, kept, keepCounting, keepCountingAll };
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
    // Twice: the second time most of them are kept counted.
    for (let look = 0; look < 2; look++) {
      const buckets = makeBuckets('30d', 'UTC', new Date());
      const expected = await sql`
        select date_trunc('day', created_at, 'UTC') as day, currency, reported_by as "reportedBy",
          count(*)::float as orders, sum(amount)::text as amount
        from placed_order where team_id = ${uuid} and is_test = ${isTest} and created_at >= ${buckets[0]!.from}
        group by 1, 2, 3 order by 1, 2, 3`;
      const found = (await count(isTest)).map(({ bucket, ...row }) => ({
        day: buckets[bucket]!.from,
        ...row,
      }));
      expect(found.length).toBeGreaterThan(50);
      expect(found).toEqual([...expected]);
    }
  }
  expect(await kept()).toBeGreaterThan(200);
});

it('an order that a backend changes hours later is counted anew, and its old hour too where it moves', async () => {
  const { place, count, kept, addKey, uuid, teamId, reportByKey } = await start();
  await place('same-buyer', 5 * hourMs);
  await place('other-buyer', 6 * hourMs);
  // Added over the days: at some hours of a day the two orders lie on either side of midnight.
  const sums = async () => {
    const figures = await count();
    return [...new Set(figures.map(({ reportedBy }) => reportedBy))].sort().map((reportedBy) => {
      const own = together(figures.filter((figure) => figure.reportedBy === reportedBy));
      return [reportedBy, own.orders, own.amount];
    });
  };
  expect(await sums()).toEqual([['browser', 2, '20']]);
  expect(await kept()).toBe(2);
  const key = await addKey(uuid);
  await reportByKey(key, { teamId, email: 'bob@buyer.example', amount: 7, orderId: 'other-buyer' });
  expect(await sums()).toEqual([
    ['browser', 1, '10'],
    ['key', 1, '7'],
  ]);
  expect(await kept()).toBe(1);
});

it('an order that is stored long after it was made is counted where it was made', async () => {
  const { count, kept, sql, uuid, place } = await start();
  await place('known', 3 * dayMs);
  await count();
  const createdAt = new Date(Date.now() - 3 * dayMs - hourMs);
  const { storeReport } = createStoreReport({ main: sql, known: sql }, groupCommitBounds);
  const order = await storeReport(uuid, {
    id: newUuid(),
    orderNumber: 'ORD-LATE',
    personId: newUuid(),
    email: 'ann@buyer.example',
    name: null,
    orderId: 'late',
    reportId: null,
    idempotencyKey: null,
    amount: 3,
    currency: 'USD',
    source: 'OTHER',
    items: null,
    visitorId: null,
    host: 'shop.example',
    createdAt: createdAt.toISOString(),
    keyHash: null,
    domainEntries: ['shop.example'],
  });
  expect(order).toMatchObject({ isNew: true, orderNumber: 'ORD-LATE' });
  expect((await count()).reduce((sum, { orders }) => sum + orders, 0)).toBe(2);
  expect(await kept()).toBe(2);
});

it.each([
  ['before the first', 1],
  ['before the second', 2],
  ['before the third', 3],
  ['after the last', 4],
])('a change that commits amid the counting of its hour, %s statement, is not missed', async (_, at) => {
  const { place, count, sql, uuid } = await start();
  await place('o-1', 5 * hourMs);
  expect((await count())[0]!.amount).toBe('10');
  const [{ created_at: createdAt }] = await sql<[{ created_at: Date }]>`select created_at from placed_order`;
  const change = await sql.reserve();
  await change`begin`;
  await change`update placed_order set amount = 99`;
  await markRecount(change, uuid, [createdAt]);

  const span = { from: new Date(createdAt.getTime() - hourMs), to: new Date(createdAt.getTime() + hourMs) };
  await inTransaction(sql, async (tx) => {
    let statement = 0;
    const commitAmid = new Proxy(tx, {
      async apply(target, self, given) {
        if (++statement === at) await change`commit`;
        return Reflect.apply(target, self, given);
      },
    });
    await keepCounts(commitAmid, uuid, span);
    if (at > statement) await change`commit`;
  });
  change.release();
  expect((await count())[0]!.amount).toBe('99');
});

it('four pages at once on two servers count every order once', async () => {
  const { place, count, sql, uuid, keepCounting } = await start();
  for (let n = 0; n < 40; n++) await place(`o-${n}`, n * 17 * hourMs);
  const other = createKeepCounting((statement) => Promise.resolve(statement(sql)));
  const since = new Date(Date.now() - 32 * dayMs);
  await Promise.all([keepCounting, other, keepCounting, other].map((count) => count(uuid, since)));
  expect((await count()).reduce((sum, { orders }) => sum + orders, 0)).toBe(40);
  const doubled = await sql`
    select from order_count c join placed_order o on o.team_id = c.team_id and date_bin('15 minutes', o.created_at, '2000-01-01Z') = c.quarter
    group by c.team_id, c.quarter having max(c.orders) <> count(o.id)`;
  expect(doubled).toEqual([]);
});

it('a discarded order leaves the figures', async () => {
  const { place, count, env, teamId, sql } = await start();
  await place('o-1', 5 * hourMs);
  expect(await count()).toHaveLength(1);
  await sql`update placed_order set order_number = 'ORD-0000000001'`;
  const { code } = await runOrderbeacon(['order', 'discard', '--team', teamId, 'ORD-0000000001'], env);
  expect(code).toBe(0);
  expect(await count()).toEqual([]);
});

it('a console that nobody has opened for months begins to count anew', async () => {
  const { place, count, sql, kept } = await start();
  await place('o-1', 2 * hourMs);
  await count();
  // The whole row anew: Citus adds nothing to a time in an update.
  await sql`
    with old as materialized (delete from order_count_range returning *)
    insert into order_count_range select team_id, from_at - interval '90 days', to_at - interval '90 days' from old`;
  await sql`
    with old as materialized (delete from order_count returning *)
    insert into order_count select team_id, quarter - interval '90 days', is_test, currency, reported_by, host, orders,
      amount, last_order_at from old`;
  expect((await count()).map(({ orders }) => orders)).toEqual([1]);
  expect(await kept()).toBe(2);
});

it('each host has its last order and its rate, orders without a page apart', async () => {
  const { place, sql, uuid, keepCountingAll } = await start();
  await place('old', 3 * hourMs);
  await place('new', 1000);
  await place('key', 2 * hourMs, { host: null, reported_by: 'key' });
  await place('test', 0, { is_test: true });
  const since = new Date(Date.now() - 7 * dayMs);
  const counted = await keepCountingAll(since);
  const hosts = await listOrderHosts(sql, uuid, { since, isTest: false, counted });
  expect(hosts.map(({ host, orders }) => [host, orders])).toEqual([
    ['shop.example', 2],
    ['', 1],
  ]);
  const [newest] = await sql`select created_at from placed_order where order_id = 'new'`;
  expect(hosts[0]!.lastOrderAt).toEqual(newest!.created_at);
});

describe('the buckets of a range', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Pacific/Apia',
    'America/Santiago',
    'Africa/Cairo',
  ];

  it('follow each other without gaps up to now, and each begins with an hour or a day of the zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...(Object.keys(ranges) as Range[])),
        fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
        (zone, range, now) => {
          const buckets = makeBuckets(range, zone, now);
          expect(buckets).toHaveLength(ranges[range].count);
          expect(buckets.at(-1)!.from <= now && now < buckets.at(-1)!.to).toBe(true);
          const format = new Intl.DateTimeFormat('en-GB', {
            timeZone: zone,
            day: 'numeric',
            hour: '2-digit',
            minute: '2-digit',
            hourCycle: 'h23',
          });
          const part = (time: Date, type: string) =>
            format.formatToParts(time).find((each) => each.type === type)!.value;
          for (const [at, { from, to }] of buckets.entries()) {
            if (at > 0) expect(from).toEqual(buckets[at - 1]!.to);
            expect(from.getTime() % (15 * 60_000)).toBe(0);
            expect(part(from, 'minute')).toBe('00');
            // Where clocks are set back an hour comes twice, so its name does not tell it from the one before.
            if (ranges[range].by === 'hour') {
              expect(to.getTime() - from.getTime()).toBe(60 * 60_000);
            } else {
              expect(part(new Date(to.getTime() - 1), 'day')).toBe(part(from, 'day'));
              expect(part(new Date(from.getTime() - 1), 'day')).not.toBe(part(from, 'day'));
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

it('amounts are added without rounding', () => {
  expect(addExactly(['0.1', '0.2', '10', '99999999999999999.99'])).toBe('100000000000000010.29');
  expect(addExactly(['5', '7'])).toBe('12');
  expect(addExactly(['0.001', '0'])).toBe('0.001');
});
