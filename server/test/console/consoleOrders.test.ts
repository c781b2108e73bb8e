import { parse } from 'csv-parse/sync';
import { describe, expect } from 'vitest';
import { lookAtMost } from '../../src/console/orders/loadOrders.js';
import { findWholeMatches, pageOrders } from '../../src/console/sql/shownOrders.js';
import { sumFound, sumOrders } from '../../src/console/sql/sumOrders.js';
import { decodeId, encodeId } from '../../src/values/ids.js';
import { addTestSource } from '../features/sources/kit/sources.js';
import { session, stripeEvent } from '../features/sources/kit/stripeSamples.js';
import { type Explained, explainAll } from '../kit/explained.js';
import { unescaped } from '../kit/html.js';
import { placeOrders } from '../kit/placeOrder.js';
import type { TestServer } from '../kit/server.js';
import { openShop, type Shop, test } from '../kit/shop.js';

/** Lists the ids of a page's orders, from its top. */
const listed = (text: string) => [...text.matchAll(/<tr id="(ord_\w+)"/g)].map(([, id]) => id!);

/** Finds the path that a link of a page leads to. */
function linkTo(text: string, words: string) {
  const [, path] = new RegExp(`<a href="([^"]+)">${words}</a>`).exec(text) ?? [];
  return path && unescaped(path);
}

/** Opens the list of orders of a shop, as its merchant reads it. */
async function openList(shop: Shop) {
  const { get, read } = await shop.console();
  const show = async (query = '') => listed((await get(`/console/orders?${query}`)).text);
  const find = (q: string) => show(String(new URLSearchParams({ q })));
  /** Reads the rows of the download that a page with these parameters offers. */
  async function readCsv(query: string) {
    const { text, headers } = await get(`/console/orders.csv?${query}`);
    const idPrefix = query.includes('mode=test') ? 'test-' : '';
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${idPrefix}orders-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    );
    expect(text.startsWith('\ufeff')).toBe(true);
    return parse(text, { bom: true, columns: true }) as Record<string, string>[];
  }
  return { get, read, show, find, readCsv };
}

test('lists every order exactly once over its pages, newest first, also when orders come in between', async ({
  shop,
}) => {
  const { sql, team } = shop;
  // Equal times must not make a page skip or repeat an order.
  const yesterday = new Date(Date.now() - 86_400_000);
  const rows = Array.from({ length: 120 }, (_, n) => (n > 30 && n < 80 ? { createdAt: yesterday } : {}));
  await placeOrders(sql, team, rows);
  const expected =
    await sql`select id from placed_order where team_id = ${team} order by created_at desc, id desc`;
  const { get } = await openList(shop);
  const seen: string[] = [];
  for (let path: string | undefined = '/console/orders'; path !== undefined; ) {
    const { text } = await get(path);
    seen.push(...listed(text));
    await shop.report();
    path = linkTo(text, 'Older');
  }
  expect(seen).toHaveLength(120);
  expect(new Set(seen).size).toBe(expected.length);
});

test('finds an order by any part of its order id, order number, email or name in any case, or by its id, and no other', async ({
  shop,
}) => {
  const report = async (order: Record<string, unknown>) => (await shop.report(order)).body.data;
  const ann = await report({ orderId: 'o-1', name: 'Änne 50%_\\ Muster' });
  const bob = await report({ orderId: 'O-2', email: 'bob@buyer.example' });
  const { find } = await openList(shop);
  const number = ann.orderNumber.toLowerCase();
  const ofAnn = [
    'o-1',
    '#o-1',
    ` ${number} `,
    number.slice(-6),
    `#${number}`,
    'ANN@buyer.example',
    'nn@Buy',
    ann.id,
  ];
  for (const q of [...ofAnn, 'änne', 'ÄNNE', 'muster', '50%', '0%_', '_\\', '\\', '%_\\ M'])
    expect([q, await find(q)]).toEqual([q, [ann.id]]);
  expect(await find('bob@buyer.example')).toEqual([bob.id]);
  for (const q of [
    'o-3',
    '%o',
    'o__',
    'ann@buyer.example bob',
    "' or true --",
    '\ud800',
    '#',
    'x'.repeat(10_000),
  ])
    expect([q.slice(0, 20), await find(q)]).toEqual([q.slice(0, 20), []]);
  for (const q of ['o-', '\0', ' ', '\n']) expect([q, await find(q)]).toEqual([q, [bob.id, ann.id]]);
});

test('finds an order by each whole id that it has or had: of its payment, a former number, or a page’s order that it took in', async ({
  shop,
}) => {
  const stripe = await addTestSource(shop.server, shop.team, { kind: 'stripe' });
  const { id: sessionId, payment_intent: paymentId } = session();
  await shop.report({ orderId: sessionId, email: 'ann@shop.example' });
  await stripe.say(stripeEvent('checkout.session.completed', session({ metadata: { orderId: 'RE-7' } })));
  const [order] = await shop.stored();
  const { find, readCsv } = await openList(shop);
  await shop.report({ orderId: 'o-2' });
  for (const q of ['RE-7', sessionId, paymentId]) {
    expect([q, await find(q)]).toEqual([q, [encodeId('ord', order!.id)]]);
    expect((await readCsv(`q=${q}`)).map(({ orderId }) => orderId)).toEqual(['RE-7']);
  }
  expect(await find(paymentId.slice(0, -1))).toEqual([]);
});

test('shows live or test orders, and those of one kind of reporter, alone', async ({ shop }) => {
  await shop.addDomain('test.example', { isTest: true });
  const page = (await shop.report()).body.data;
  const test = (await shop.report({}, { origin: 'https://test.example' })).body.data;
  const both = (await shop.report({ orderId: 'both' })).body.data;
  await shop.reportByKey({ orderId: 'both' });
  const byKey = (await shop.reportByKey()).body.data;
  const { show } = await openList(shop);
  expect(await show()).toEqual([byKey.id, both.id, page.id]);
  expect(await show('mode=test')).toEqual([test.id]);
  expect(await show('by=browser')).toEqual([page.id]);
  expect(await show('by=key')).toEqual([byKey.id]);
  expect(await show('mode=live&by=both')).toEqual([both.id]);
  expect(await show('mode=nonsense&by=nobody&before=garbage')).toHaveLength(3);
});

test('says above the list how many orders a selection has and their money, and finds those without an id and with refunds', async ({
  shop,
}) => {
  await shop.report({ orderId: 'o-1', amount: 10 });
  await shop.report({ orderId: undefined, amount: 5 });
  await shop.reportByKey({ orderId: 'o-3', amount: 7, currency: 'EUR' });
  await shop.refund({ orderId: 'o-3', refundId: 'r-1', amount: 2 });
  const { show, read } = await openList(shop);
  const sums = async (query = '') =>
    / Orders (\d+ orders?(?:, \S+)*) Compare/.exec(await read(`/console/orders?${query}`))?.[1];
  expect(await sums()).toBe('3 orders, $15.00, €7.00');
  expect([await sums('id=none'), (await show('id=none')).length]).toEqual(['1 order, $5.00', 1]);
  expect([await sums('paid=refunded'), (await show('paid=refunded')).length]).toEqual(['1 order, €7.00', 1]);
  expect(await read('/console')).toContain('1 order has no order id.');
  expect(await read('/console/orders')).toContain('No id');
});

test('the CSV holds the very orders of the selection, all of them, with every sign of their texts', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await placeOrders(
    sql,
    team,
    Array.from({ length: 60 }, (_, n) => ({ orderId: `o-${n}` })),
  );
  const names = ['Ann, Bob', 'the "best" Ann', 'Ann\r\nBob', '-12', '=1+1'];
  await placeOrders(
    sql,
    team,
    names.map((name, n) => ({ isTest: true, orderId: `t-${n}`, items: [{ name, price: -1.5 }] })),
  );
  const { get, readCsv } = await openList(shop);
  expect(await readCsv('mode=live')).toHaveLength(60);
  const older = await get(linkTo((await get('/console/orders')).text, 'Older')!);
  const fromOlder = await get(linkTo(older.text, 'Download CSV')!);
  expect(parse(fromOlder.text, { bom: true, columns: true })).toHaveLength(60);
  expect((await readCsv('q=o-7')).map(({ orderId }) => orderId)).toEqual(['o-7']);
  const rows = (await readCsv('mode=test')).toSorted((one, other) =>
    one.orderId!.localeCompare(other.orderId!),
  );
  expect(rows.map(({ items }) => JSON.parse(items!))).toEqual(names.map((name) => [{ name, price: -1.5 }]));
});

/** Stores orders of two hours ago and before, each of another buyer: more than one page searches. */
async function placeMany({ sql, team }: Shop, prefix: string, count: number) {
  // No digits, so that no number that is searched for is a part of one.
  const code = sql`${prefix} || translate(n::text, '0123456789', 'ABCDEFGHJK')`;
  await sql`
    with made as materialized (select n, gen_random_uuid() as buyer from generate_series(1, ${count}::int) n),
    buyers as (insert into person (team_id, id, email) select ${team}, buyer, ${code} || '@buyer.example' from made)
    insert into placed_order (team_id, id, order_number, order_id, person_id, amount, currency, source, is_test, reported_by, created_at)
    select ${team}, gen_random_uuid(), ${code}, 'f-' || ${code}, buyer, 1, 'USD', 'OTHER', false, 'browser',
      now() - interval '2 h' - n * interval '1 s'
    from made`;
}

/** The only long list of this file, with a backend's order of twenty days ago. */
let long: Promise<{ shop: Shop; old: { id: string; orderNumber: string } }> | undefined;

function openLong(server: TestServer) {
  long ??= (async () => {
    const shop = await openShop(server);
    await placeMany(shop, 'N', lookAtMost + 500);
    const order = { orderId: '#1002', email: 'old@shop.example' };
    const { body } = await shop.reportByKey(order);
    await shop.sql`
      update placed_order set created_at = now() - interval '20 d' where team_id = ${shop.team} and order_id = '#1002'`;
    return { shop, old: body.data };
  })();
  return long;
}

describe('where more orders are than a page looks at', { tags: ['all'] }, () => {
  test('whole ids are found at any age, a number with and without #', async ({ server }) => {
    const { shop, old } = await openLong(server);
    const { find } = await openList(shop);
    const key = { team_id: shop.team, key: 'pi_old', kind: 'provider', object: 'pi_old', is_test: false };
    await shop.sql`insert into order_key ${shop.sql({ ...key, placed_order_id: decodeId('ord', old.id) })}`;
    const ids = [old.orderNumber, `#${old.orderNumber}`, old.id, 'pi_old'];
    for (const q of ['#1002', '1002', 'old@shop.example', ...ids])
      expect([q, await find(q)]).toEqual([q, [old.id]]);
  });

  test('a part of a text is found among the newest 20,000, which the page says, and in a range; the file has all', async ({
    server,
  }) => {
    const { shop, old } = await openLong(server);
    const { get, read, readCsv } = await openList(shop);
    const dayOf = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString().slice(0, 10);
    const range = `&range=custom&from=${dayOf(22)}&to=${dayOf(18)}`;
    for (const [q, older] of [
      ['q=old', 'older ones are found by their whole id, number or email, or in a range.'],
      ['by=key', 'choose a range for older ones.'],
    ] as const) {
      expect(listed((await get(`/console/orders?${q}`)).text)).toEqual([]);
      const text = await read(`/console/orders?${q}`);
      expect(text).toMatch(new RegExp(`Looked through 20,000 orders, back to [^.]+: ${older}`));
      expect(listed((await get(`/console/orders?${q}${range}`)).text)).toEqual([old.id]);
      expect(await read(`/console/orders?${q}&range=30d`)).toContain('20,000 orders of this range, back to');
      expect((await readCsv(q)).map(({ orderId }) => orderId)).toEqual(['#1002']);
    }
  });

  test('all old orders of a whole email are found, over pages, and counted', async ({ server }) => {
    const { shop } = await openLong(server);
    const { sql, team } = shop;
    const email = 'many@shop.example';
    await shop.reportByKey({ orderId: 'many-0', email });
    await sql`
      insert into placed_order (team_id, id, order_number, order_id, person_id, amount, currency, source, is_test, reported_by, created_at)
      select ${team}, gen_random_uuid(), 'X-' || n, 'many-' || n, person_id, 1, 'USD', 'OTHER', false, 'browser',
        now() - interval '21 d' - n * interval '1 s'
      from placed_order, generate_series(1, 119) n where team_id = ${team} and order_id = 'many-0'`;
    const { get, read } = await openList(shop);
    const seen: string[] = [];
    for (let path: string | undefined = `/console/orders?q=${email}`; path; ) {
      const { text } = await get(path);
      seen.push(...listed(text));
      path = linkTo(text, 'Older');
    }
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
    expect(await read('/console/orders?q=many-119')).toContain('More than 1 order ');
    await sql`delete from placed_order where team_id = ${team} and order_id like 'many-%'`;
  });

  test('a search looks up no more orders and buyers than it may read, whatever the tables hold', async ({
    server,
  }) => {
    const { shop } = await openLong(server);
    await placeMany(shop, 'M', 2 * lookAtMost);
    await shop.sql`analyze person, placed_order`;
    const plans: Explained[] = [];
    const explained = explainAll(shop.sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
    const search = { text: 'nobody', personId: null, id: null };
    const orders = await pageOrders(
      explained,
      shop.team,
      { search },
      { before: null, limit: 51, lookAtMost },
    );
    expect([orders.length, plans.length]).toEqual([0, 1]);
    const reads = [...plans[0]!.plan.matchAll(/Scan.*actual rows=([\d.]+) loops=(\d+)/g)];
    expect(reads.length).toBeGreaterThanOrEqual(2);
    for (const [line, rows, loops] of reads)
      expect([line, Number(rows) * Number(loops) <= lookAtMost]).toEqual([line, true]);
  });

  test('whole matches are looked up by indexes, however many orders there are', async ({ server }) => {
    const { shop, old } = await openLong(server);
    await shop.sql`
      insert into order_key (team_id, is_test, kind, key, placed_order_id)
      select team_id, is_test, 'provider', 'pi_' || order_number, id from placed_order where team_id = ${shop.team}`;
    await shop.sql`analyze placed_order, order_key`;
    const plans: Explained[] = [];
    const explained = explainAll(shop.sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
    const search = { text: '1002', personId: null, id: null };
    await findWholeMatches(explained, shop.team, { search }, { before: null, limit: 50 });
    expect(plans[0]!.plan).not.toMatch(/Seq Scan|Rows Removed/);
    expect(
      await findWholeMatches(shop.sql, shop.team, { search }, { before: null, limit: 50 }),
    ).toMatchObject([{ id: decodeId('ord', old.id) }]);
  });
});

test('the sums of a page that shows all it has found are those of all its orders', async ({ shop }) => {
  const { sql, team } = shop;
  const money = ['EUR', 'USD', 'EUR', 'KWD', 'JPY', 'EUR', 'USD'].map((currency, n) => ({
    currency,
    amount: n + 0.125,
  }));
  await placeOrders(sql, team, money);
  const found = await pageOrders(sql, team, {}, { before: null, limit: 50, lookAtMost });
  expect(sumFound(found, false)).toEqual(await sumOrders(sql, team, {}, lookAtMost));
});
