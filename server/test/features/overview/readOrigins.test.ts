import { describe, expect } from 'vitest';
import { erasePerson } from '../../../src/commands/eraseBuyer.js';
import type { OriginPart, TouchChoice } from '../../../src/console/sql/origin.js';
import { readOrigins } from '../../../src/features/overview/sql/readOrigins.js';
import { markRecount } from '../../../src/features/overview/sql/summedDay.js';
import { sumDays } from '../../../src/features/overview/sumDays.js';
import { encodeId } from '../../../src/values/ids.js';
import { listenersOf } from '../../kit/listeners.js';
import { placeOrder, placeOrders } from '../../kit/placeOrder.js';
import { type Shop, test } from '../../kit/shop.js';

const hourMs = 3_600_000;
/** Returns functions that store orders of a shop and read their origins. */
function originsOf({ sql, team }: Shop) {
  const since = new Date(Date.now() - 30 * 24 * hourMs);
  return {
    /** Stores an order of 10 USD that is this old, without a report. */
    place: (agoMs: number, more: object = {}) =>
      placeOrder(sql, team, { amount: 10, createdAt: new Date(Date.now() - agoMs), ...more }),
    /** Reads the origins of 30 days as the console shows them, after everything is summed: kind, name, orders and money. */
    async origins(touch: TouchChoice, by: OriginPart = 'source', isTest = false) {
      await sumDays(sql, team);
      const span = { from: since, to: new Date(Date.now() + hourMs) };
      return short(await readOrigins(sql, team, { span, isTest, touch, by }));
    },
  };
}

type PrintedOrigin = {
  kind: string;
  name: string;
  orders: number;
  money: { currency: string; amount: string }[];
};
const short = (rows: readonly PrintedOrigin[]) =>
  rows.map(({ kind, name, orders, money }) => [
    kind,
    name,
    orders,
    money.map(({ currency, amount }) => `${amount} ${currency}`).join(' + '),
  ]);

const touch = (more: Record<string, unknown> = {}) => ({ at: null, path: '/', referrer: null, ...more });
const newsletter = touch({ source: 'Newsletter', medium: 'email', campaign: 'Spring' });
const google = touch({ source: 'google', medium: 'cpc', campaign: 'shoes' });

/** Stores one order of each kind, old enough to be summed, and a new one. */
async function placeEach(shop: Shop) {
  const ways = originsOf(shop);
  const { place } = ways;
  await place(50 * hourMs, { firstTouch: newsletter, lastTouch: google, amount: 20 });
  await place(50 * hourMs, { firstTouch: touch({ source: 'NEWSLETTER' }), currency: 'EUR' });
  await place(70 * hourMs, { firstTouch: newsletter });
  await place(3 * hourMs, { firstTouch: touch({ referrer: 'blog.example' }) });
  await place(3 * hourMs, { firstTouch: touch() });
  await place(3 * hourMs);
  await place(3 * hourMs, { firstTouch: google, isTest: true });
  await place(0, { firstTouch: newsletter });
  return ways;
}

const first = [
  ['named', 'newsletter', 4, '40 USD + 10 EUR'],
  ['named', 'blog.example', 1, '10 USD'],
  ['direct', '', 1, '10 USD'],
  ['unknown', '', 1, '10 USD'],
];
const last = [
  ['named', 'newsletter', 3, '20 USD + 10 EUR'],
  ['named', 'blog.example', 1, '10 USD'],
  ['named', 'google', 1, '20 USD'],
  ['direct', '', 1, '10 USD'],
  ['unknown', '', 1, '10 USD'],
];

describe('where orders come from', () => {
  test('is told by first and last touch, with direct and unknown apart, and test orders apart', async ({
    shop,
  }) => {
    const { origins } = await placeEach(shop);
    expect(await origins('first')).toEqual(first);
    expect(await origins('last')).toEqual(last);
    expect(await origins('last', 'campaign')).toEqual([
      ['named', '', 2, '10 EUR + 10 USD'],
      ['named', 'spring', 2, '20 USD'],
      ['named', 'shoes', 1, '20 USD'],
      ['direct', '', 1, '10 USD'],
      ['unknown', '', 1, '10 USD'],
    ]);
    expect(await origins('first', 'medium', true)).toEqual([['named', 'cpc', 1, '10 USD']]);
  });

  test('is not called direct where a link names a campaign or medium, but no source', async ({ shop }) => {
    const { place, origins } = originsOf(shop);
    const mail = touch({ medium: 'email', campaign: 'Spring' });
    await place(50 * hourMs, { firstTouch: google, lastTouch: mail });
    await place(0, { firstTouch: touch({ campaign: 'spring' }) });
    expect(await origins('last')).toEqual([['named', '', 2, '20 USD']]);
    expect(await origins('last', 'campaign')).toEqual([['named', 'spring', 2, '20 USD']]);
    expect(await origins('last', 'medium')).toEqual([
      ['named', '', 1, '10 USD'],
      ['named', 'email', 1, '10 USD'],
    ]);
  });

  test('stays right when a summed order changes, moves, is discarded, or its buyer is erased', async ({
    shop,
  }) => {
    const { origins, place } = originsOf(shop);
    const { sql, team } = shop;
    const ids = [];
    for (const order of [1, 2, 3])
      ids.push(await place(order * 50 * hourMs, { firstTouch: newsletter, orderId: `o-${order}` }));
    await place(40 * hourMs, { firstTouch: google });
    expect((await origins('first')).map(([, name, orders]) => [name, orders])).toEqual([
      ['newsletter', 3],
      ['google', 1],
    ]);

    await sql`update placed_order set first_touch = ${JSON.stringify(google)}::text::json
      where team_id = ${team} and id = ${ids[0]!}`;
    await markRecount(sql, team, [new Date(Date.now() - 50 * hourMs)]);
    await shop.discard(encodeId('ord', ids[1]!));
    const createdAt = new Date(Date.now() - 150 * hourMs).toISOString();
    await shop.reportByKey({ email: 'bob@buyer.example', amount: 7, orderId: 'o-3', createdAt });
    expect(await origins('first')).toEqual([
      ['named', 'google', 2, '20 USD'],
      ['unknown', '', 1, '7 USD'],
    ]);

    const buyer = (await shop.stored()).find(({ email }) => email === 'ann@buyer.example')!;
    await erasePerson(sql, team, buyer.personId, listenersOf(sql));
    expect(await origins('first')).toEqual([['unknown', '', 3, '27 USD']]);
  });

  test('is a short page of few rows, whose sums are right, with 6,000 made-up campaigns', {
    tags: ['all'],
  }, async ({ shop }) => {
    const { place, origins } = originsOf(shop);
    const { sql, team } = shop;
    for (const minute of [1, 2])
      await place(50 * hourMs + minute * 60_000, { firstTouch: google, reportedBy: 'both' });
    await placeOrders(
      sql,
      team,
      Array.from({ length: 6_000 }, (_, n) => ({
        createdAt: new Date(Date.now() - 50 * hourMs),
        firstTouch: { source: `s${n}`, campaign: `${n}`.repeat(50) },
      })),
    );
    const rows = await origins('first');
    expect(rows).toHaveLength(11);
    expect(rows[0]).toEqual(['named', 'google', 2, '20 USD']);
    expect(rows.at(-1)).toEqual(['others', '', 5_991, '5991 USD']);
    expect(rows.reduce((sum, [, , orders]) => sum + Number(orders), 0)).toBe(6_002);
    const kept = await sql`select from order_origin_day where team_id = ${team}`;
    expect(kept.length).toBeLessThan(320);

    const { text } = await (await shop.console()).get('/console?range=30d&by=campaign');
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('Others');
  });
});

test('the console says what to do where no order has a landing', async ({ shop }) => {
  await shop.report();
  expect(await (await shop.console()).read('/console')).toContain('Put the script on every page');
});
