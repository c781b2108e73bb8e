import { parse } from 'csv-parse/sync';
import { beforeEach, expect, it } from 'vitest';
import { lookAtMost } from '../src/console/getOrders.js';
import { pageOrders } from '../src/console/sql/shownOrders.js';
import { signIn } from './console.js';
import { type Explained, explainAll } from './explained.js';
import { startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let teamId: string;
let key: string;
let console: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  server = await startServerForTest();
  const team = await server.addTeam('shop.example');
  await server.sql`insert into domain (team_id, entry, is_test) values (${team.uuid}, 'test.example', true)`;
  teamId = team.teamId;
  key = await server.addKey(team.uuid);
  console = await signIn(server, teamId);
});

/** Reports an order and resolves with what is stored. */
async function report(order: object, origin = 'https://shop.example') {
  const { status, body } = await server.report(
    { teamId, email: 'ann@buyer.example', amount: 1, ...order },
    { origin },
  );
  expect(status).toBe(200);
  return body.data as { id: string; orderNumber: string };
}

/** The rows of the download that a page with these parameters offers. */
async function readCsv(query: string) {
  const { text, headers } = await console.get(`/console/orders.csv?${query}`);
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/);
  expect(text.startsWith('\ufeff')).toBe(true);
  return parse(text, { bom: true, columns: true }) as Record<string, string>[];
}

/** The ids of the orders that a page lists, from its top. */
const listed = (text: string) => [...text.matchAll(/<tr id="(ord_\w+)"/g)].map(([, id]) => id!);

const linkTo = (text: string, words: string) =>
  new RegExp(`<a href="([^"]+)"(?: id="older")?>${words}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&');

it('lists every order exactly once over its pages, newest first, also when orders come in between', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 120; n++) ids.unshift((await report({ orderId: `o-${n}` })).id);
  // Equal times must not make a page skip or repeat an order.
  await server.sql`update placed_order set created_at = now() - interval '1 d' where order_id between 'o-30' and 'o-80'`;
  const expected = await server.sql`select id from placed_order order by created_at desc, id desc`;

  const seen: string[] = [];
  let path: string | undefined = '/console/orders';
  for (let page = 0; path !== undefined; page++) {
    const { text } = await console.get(path);
    seen.push(...listed(text));
    await report({ orderId: `late-${page}` });
    path = linkTo(text, 'Older');
  }
  expect(seen).toHaveLength(120);
  expect(new Set(seen)).toEqual(new Set(ids));
  expect(seen.length).toBe(expected.length);
});

it('finds an order by any part of its order id, order number, email or name in any case, or by its id, and no other', async () => {
  const ann = await report({ orderId: 'o-1', email: 'ann@buyer.example', name: 'Änne 50%_\\ Muster' });
  const bob = await report({ orderId: 'O-2', email: 'bob@buyer.example' });
  const find = async (q: string) =>
    listed((await console.get(`/console/orders?${new URLSearchParams({ q })}`)).text);
  const number = ann.orderNumber.toLowerCase();
  const ofAnn = ['o-1', ` ${number} `, number.slice(-6), 'ANN@buyer.example', 'nn@Buy', ann.id];
  for (const q of [...ofAnn, 'änne', 'ÄNNE', 'muster', '50%', '0%_', '_\\', '\\', '%_\\ M']) {
    expect([q, await find(q)]).toEqual([q, [ann.id]]);
  }
  expect(await find('bob@buyer.example')).toEqual([bob.id]);
  expect(await find('o-')).toEqual([bob.id, ann.id]);
  for (const q of [
    'o-3',
    '%o',
    'o__',
    'ann@buyer.example bob',
    "' or true --",
    '\ud800',
    'x'.repeat(10_000),
  ]) {
    expect([q.slice(0, 20), await find(q)]).toEqual([q.slice(0, 20), []]);
  }
  for (const q of ['\0', ' ', '\n']) expect([q, await find(q)]).toEqual([q, [bob.id, ann.id]]);
});

it('a search for a number finds it with and without #, at any age', async () => {
  const plain = await report({ orderId: '1001' });
  const marked = await report({ orderId: '#1002' });
  await server.sql`
    insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at)
    select team_id, gen_random_uuid(), 'N' || translate(n::text, '0123456789', 'ABCDEFGHJK'), person_id, 1, 'USD', 'OTHER', false, 'browser', created_at + n * interval '1 ms'
    from placed_order, generate_series(1, 20500) n where order_id = '#1002'`;
  for (const [q, id] of [
    ['#1001', plain.id],
    ['1001', plain.id],
    ['#1002', marked.id],
    ['1002', marked.id],
    [`#${marked.orderNumber}`, marked.id],
  ])
    expect([
      q,
      listed((await console.get(`/console/orders?${new URLSearchParams({ q: q! })}`)).text),
    ]).toEqual([q, [id]]);
  expect(listed((await console.get('/console/orders?q=%23')).text)).toEqual([]);
});

it('a search reads a bounded number of orders and says so, finds whole ids of any age, and searches on by a link', async () => {
  const old = await report({ orderId: 'old-1', email: 'old@buyer.example' });
  await report({ orderId: 'new-1', email: 'new@buyer.example' });
  await server.sql`update placed_order set created_at = now() - interval '20 d' where order_id = 'old-1'`;
  await server.sql`
    insert into placed_order (team_id, id, order_number, order_id, person_id, amount, currency, source, is_test, reported_by, created_at)
    select team_id, gen_random_uuid(), 'N' || n, 'f-' || n, person_id, 1, 'USD', 'OTHER', false, 'browser', now() - interval '2 h' - n * interval '1 s'
    from placed_order, generate_series(1, 20500) n where order_id = 'new-1'`;
  const search = (query: string) => console.get(`/console/orders?${query}`);
  for (const q of ['old-1', 'old@buyer.example', old.orderNumber, old.id]) {
    expect([q, listed((await search(`q=${q}`)).text)]).toEqual([q, [old.id]]);
  }
  const first = await search('q=old');
  expect(listed(first.text)).toEqual([]);
  expect(first.text).toContain('Searched the newest 20,000 orders, back to');
  const second = await search(
    new URL(linkTo(first.text, 'Search older orders')!, server.url).search.slice(1),
  );
  expect(listed(second.text)).toEqual([old.id]);
  expect(second.text).not.toContain('Search older orders');
  const ofRange = await search('q=old&range=30d');
  expect(ofRange.text).toContain('Searched the newest 20,000 orders of this range, back to');
  expect((await readCsv('q=old')).map(({ orderId }) => orderId)).toEqual(['old-1']);
  expect((await readCsv('q=OLD@')).map(({ orderId }) => orderId)).toEqual(['old-1']);
});

it('a search looks up no more orders and buyers than it may read, whatever the tables hold', async () => {
  const { uuid } = await server.addTeam();
  await server.sql`
    insert into person (team_id, id, email)
    select ${uuid}, lpad(to_hex(n), 32, '0')::uuid, 'b' || n || '@buyer.example' from generate_series(1, 60000) n`;
  await server.sql`
    insert into placed_order (team_id, id, order_number, order_id, person_id, amount, currency, source, is_test, reported_by, created_at)
    select ${uuid}, lpad(to_hex(n), 32, '0')::uuid, 'N' || n, 'o-' || n, lpad(to_hex(n), 32, '0')::uuid, 1, 'USD', 'OTHER', false, 'browser', now() - n * interval '1 s'
    from generate_series(1, 60000) n`;
  await server.sql`analyze person, placed_order`;
  const plans: Explained[] = [];
  const explained = explainAll(server.sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
  const search = { text: 'nobody', personId: null, id: null };
  const orders = await pageOrders(explained, uuid, { search }, { before: null, limit: 51, lookAtMost });
  expect([orders.length, plans.length]).toEqual([0, 1]);
  const reads = [...plans[0]!.plan.matchAll(/Scan.*actual rows=([\d.]+) loops=(\d+)/g)];
  expect(reads.length).toBeGreaterThanOrEqual(2);
  for (const [line, rows, loops] of reads) {
    expect([line, Number(rows) * Number(loops) <= lookAtMost]).toEqual([line, true]);
  }
});

it('shows live or test orders, and those of one kind of reporter, alone', async () => {
  const page = await report({ orderId: 'page' });
  const test = await report({ orderId: 'test' }, 'https://test.example');
  const both = await report({ orderId: 'both' });
  await server.reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 1, orderId: 'both' });
  const byKey = (
    await server.reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 1, orderId: 'key' })
  ).body.data;
  const show = async (query: string) => listed((await console.get(`/console/orders?${query}`)).text);
  expect(await show('')).toEqual([byKey.id, both.id, test.id, page.id]);
  expect(await show('mode=live')).toEqual([byKey.id, both.id, page.id]);
  expect(await show('mode=test')).toEqual([test.id]);
  expect(await show('by=browser')).toEqual([test.id, page.id]);
  expect(await show('by=key')).toEqual([byKey.id]);
  expect(await show('mode=live&by=both')).toEqual([both.id]);
  expect(await show('mode=nonsense&by=nobody&before=garbage')).toHaveLength(4);
});

it('where hardly any order matches, a page says how far it has looked and looks further on demand', async () => {
  const rare = await report({ orderId: 'rare' }, 'https://test.example');
  await server.sql`
    insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at)
    select team_id, gen_random_uuid(), 'N' || n, person_id, 1, 'USD', 'OTHER', false, 'browser', created_at + n * interval '1 ms'
    from placed_order, generate_series(1, 20500) n`;
  const first = await console.get('/console/orders?mode=test');
  expect(listed(first.text)).toEqual([]);
  expect(first.text).toContain('Looked at 20,000 orders');
  const second = await console.get(linkTo(first.text, 'Look further back')!);
  expect(listed(second.text)).toEqual([rare.id]);
  const csv = await readCsv('mode=test');
  expect(csv.map(({ orderId }) => orderId)).toEqual(['rare']);
});

it('the CSV holds the very orders of the selection, all of them, and no formula that a spreadsheet runs', async () => {
  for (let n = 0; n < 60; n++) await report({ orderId: `o-${n}` });
  const formulas = ['=HYPERLINK("https://evil.example")', '+1', '-1+1', '@SUM(A1)', 'Ann\t=1', 'Ann\r=1'];
  for (const [n, name] of formulas.entries())
    await report({ orderId: `=${n}`, name, items: [{ name }] }, 'https://test.example');

  expect(await readCsv('mode=live')).toHaveLength(60);
  expect((await readCsv('q=o-7')).map(({ orderId }) => orderId)).toEqual(['o-7']);
  const hostile = await readCsv('mode=test');
  expect(hostile).toHaveLength(formulas.length);
  for (const row of hostile) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  // After a tab or a line break there is a formula too, for a program that splits cells there.
  const inert = formulas.map((name) => name.replace(/^(Ann[\t\r])?/, "$&'"));
  expect(hostile.map(({ name }) => name).sort()).toEqual(inert.sort());
});

it('the CSV keeps negative numbers, commas, quotes and line breaks of texts', async () => {
  const names = ['-12', '-0.5', 'Ann, Bob', 'Ann; Bob', 'the "best" Ann', '"', 'Ann\r\nBob', 'Ann\nBob'];
  for (const [n, name] of names.entries())
    await report({
      orderId: `-${n + 11}`,
      email: `p${n}@buyer.example`,
      name,
      items: [{ name, price: -1.5 }],
    });
  const rows = (await readCsv('mode=live')).sort((one, other) => Number(other.orderId) - Number(one.orderId));
  expect(rows.map(({ orderId }) => orderId)).toEqual(names.map((_, n) => `-${n + 11}`));
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect(rows.map(({ items }) => JSON.parse(items!))).toEqual(names.map((name) => [{ name, price: -1.5 }]));
});

it('an order’s page shows all that is stored, who reported it, and when', async () => {
  const item = { sku: 'TEE', name: 'T-shirt', quantity: 2, price: 24.95, gift: true };
  const order = await report({
    orderId: 'o-1',
    name: 'Ann',
    amount: 49.9,
    currency: 'EUR',
    visitorId: 'v-1',
    items: [item],
  });
  const before = (await console.get(`/console/orders/${order.id}`)).text;
  expect(before).toContain('by a page of shop.example');
  expect(before).not.toContain('Reported again');
  await server.reportByKey(key, {
    teamId,
    email: 'ann@buyer.example',
    amount: 50,
    currency: 'EUR',
    orderId: 'o-1',
  });
  const { text } = await console.get(`/console/orders/${order.id}`);
  const expected = [
    '€50.00',
    'o-1',
    'ann@buyer.example',
    'Ann',
    'v-1',
    'TEE',
    'T-shirt',
    '24.95',
    '{&quot;gift&quot;:true}',
  ];
  for (const word of [...expected, 'Reported again', 'and by a backend with an API key', order.orderNumber]) {
    expect(text).toContain(word);
  }
});

it('a key that names another buyer leaves nothing of the page that reported first, its host neither', async () => {
  const order = await report({ orderId: 'o-1', email: 'eve@stranger.example' });
  await server.reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 5, orderId: 'o-1' });
  const [row] = await server.sql`select reported_by, host from placed_order where order_id = 'o-1'`;
  expect(row).toEqual({ reported_by: 'key', host: null });
  expect((await console.get(`/console/orders/${order.id}`)).text).toContain('by a backend with an API key');
  await report({ orderId: 'o-2' });
  await server.reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 5, orderId: 'o-3' });
  await report({ orderId: 'o-3' });
  const hosts = await server.sql`select order_id, host from placed_order order by 1`;
  expect(hosts.map(({ host }) => host)).toEqual([null, 'shop.example', 'shop.example']);
});

it('no text of an order is anything but text in any page', async () => {
  const evil = '"\'><script>alert(1)</script><img src=x onerror=alert(1)>\u202e&amp;';
  const order = await report({
    orderId: evil,
    name: evil.slice(0, 200),
    visitorId: evil,
    items: [{ sku: evil, name: evil, variant: evil, category: evil, [evil]: evil }],
  });
  const pages = [
    '/console/orders',
    `/console/orders/${order.id}`,
    `/console/orders?q=${encodeURIComponent(evil)}`,
    '/console/setup',
    '/console',
  ];
  for (const path of pages) {
    const { text, status } = await console.get(path);
    expect([path, status, text.match(/<img|<script>|onerror=alert\(1\)>(?!&)/)]).toEqual([path, 200, null]);
  }
  expect((await console.get(`/console/orders/${order.id}`)).text).toContain(
    '&lt;script&gt;alert(1)&lt;/script&gt;',
  );
});

it('the setup page shows for each domain the last order of its pages', async () => {
  await report({ orderId: 'o-1' }, 'https://www.shop.example');
  const { text } = await console.get('/console/setup');
  const row = (domain: string) =>
    new RegExp(`<th scope="row" class="long">${domain}</th>.*?</tr>`, 's').exec(text)![0];
  expect(row('shop.example')).toMatch(/(Today|Yesterday) \d\d:\d\d/);
  expect(row('test.example')).toContain('none');
});
