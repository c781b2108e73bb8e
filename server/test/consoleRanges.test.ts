import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import { firstUuid, newUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { signIn } from './console.js';
import { patient, startServerForTest } from './server.js';

const dayMs = 86_400_000;
const berlin = 'orderbeacon_zone=Europe%2FBerlin';

/** A team with a live order at each of some times, of 10 USD unless it says otherwise. */
async function start(
  times: readonly (string | Date | readonly [Date, object])[],
  sumsPatienceMs = patient.sumsMs,
) {
  const server = await startServerForTest({ sumsPatienceMs });
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { sql } = server;
  const person = newUuid();
  await sql`insert into person (team_id, id, email) values (${uuid}, ${person}, 'ann@buyer.example')`;
  for (const [n, time] of times.entries()) {
    const [at, more] = Array.isArray(time) ? time : [time, {}];
    await sql`
      insert into placed_order ${sql({
        amount: 10,
        currency: 'USD',
        is_test: false,
        reported_by: 'browser',
        host: 'shop.example',
        ...more,
        team_id: uuid,
        id: newUuid(new Date(at).getTime()),
        order_number: `ORD-${n}`,
        order_id: `o-${n}`,
        person_id: person,
        source: 'OTHER',
        created_at: new Date(at),
      })}`;
  }
  const { cookie, get } = await signIn(server, teamId);
  /** Reads a page in a time zone, once everything is counted. */
  async function read(path: string, zone = 'orderbeacon_zone=UTC', headers: Record<string, string> = {}) {
    const page = () => get(path, { ...headers, cookie: `${cookie}; ${zone}` });
    let answer = await page();
    while (answer.text.includes('still being counted')) answer = await page();
    return { ...answer, text: answer.text.replace(/[\u00a0\u202f\u2009]/g, ' ') };
  }
  /** Ids of the orders in the file that a page's link to it gives. */
  async function csvOf(text: string, zone?: string) {
    const link = /href="([^"]*orders\.csv[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    const { text: csv, headers } = await read(link, zone);
    const rows = parse(csv, { bom: true, columns: true }) as { orderId: string }[];
    return { ids: rows.map(({ orderId }) => orderId), name: headers.get('content-disposition') };
  }
  return { ...server, uuid, teamId, read, csvOf };
}

/** Figures of an overview: orders and money with what was before, and the rows of its table by their names. */
const figuresOf = (text: string) => ({
  tiles: [...text.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>(?:<dd class="before">([^<]+)<\/dd>)?/g)].map(
    ([, ...cells]) => cells.filter(Boolean),
  ),
  rows: [...text.matchAll(/<tr><th scope="row">([^<]+)<\/th>(.*?)<\/tr>/g)].map(([, name, cells]) => [
    name,
    /([^<>]+)<\/td>$/.exec(cells!)?.[1],
  ]),
});

/** The last month in UTC, and a time on its days: the 1st is 1. */
function lastMonth() {
  const now = new Date();
  const time = (day: number, months = -1, hour = 12) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day, hour));
  return { time, last: new Date(time(1, 0, 0).getTime() - 1) };
}

it('the last month has its own orders alone, in tiles, table, list, origins and CSV, each against the month before', async () => {
  const { time, last } = lastMonth();
  const { read, csvOf, teamId, env } = await start([
    [time(2, -2), { amount: 7 }],
    time(1, -1, 0),
    [time(15), { currency: 'EUR', first_touch: { at: null, path: '/', referrer: null, source: 'news' } }],
    last,
    time(1, 0, 0),
  ]);
  const { text } = await read('/console?range=last-month');
  const { tiles, rows } = figuresOf(text);
  expect(tiles.slice(0, 3)).toEqual([
    ['Orders', '3', '1 before, +200%'],
    ['USD', '$20.00', '$7.00 before, +186%'],
    ['EUR', '€10.00', 'none before'],
  ]);
  expect(rows.map(([, sum]) => sum).slice(0, 5)).toEqual(['1', 'No orders', '1', 'No orders', '1']);
  const origins = text.match(/<h2 id="origins">.*?<tbody>(.*?)<\/tbody>/s)![1]!.replace(/<[^>]+>/g, ' ');
  expect(origins.replace(/\s+/g, ' ')).toBe(' news 1 €10.00 Unknown: no visit seen 2 $20.00 ');

  const csv = await csvOf(text);
  const month = last.toISOString().slice(0, 7);
  expect(csv.ids).toEqual(['o-3', 'o-2', 'o-1']);
  expect(csv.name).toContain(`orders-${month}-01-to-${last.toISOString().slice(0, 10)}.csv`);
  const orders = await read('/console/orders?range=last-month');
  expect([...orders.text.matchAll(/<bdi>(o-\d)</g)].map(([, id]) => id)).toEqual(['o-3', 'o-2', 'o-1']);
  expect(await csvOf(orders.text)).toEqual(csv);

  // The commands agree, given the same days.
  const days = ['--since', `${month}-01`, '--until', time(1, 0, 0).toISOString().slice(0, 10)];
  const command = async (...args: string[]) =>
    JSON.parse((await runOrderbeacon(['order', ...args, '--team', teamId, '--json', ...days], env)).stdout);
  expect((await command('list')).map(({ orderId }: { orderId: string }) => orderId)).toEqual(csv.ids);
  const money = (await command('sources')).map(({ orders, money }: { orders: number; money: object[] }) => [
    orders,
    money.length,
  ]);
  expect(money).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

it('while sums are being made a team with an order is told so, and one without orders is not', async () => {
  const server = await start([], 100);
  const { get } = await signIn(server, server.teamId);
  const shop = await start([new Date(Date.now() - 400 * dayMs)], 100);
  const browser = await signIn(shop, shop.teamId);
  for (const [read, { sql, uuid }, isTold] of [
    [get, server, false],
    [browser.get, shop, true],
  ] as const) {
    // Sums of the last quarters of an hour are made, so that a page waits for no piece of an earlier page's sums.
    const summed = firstUuid(Date.now() - 30 * 60_000);
    await sql`
      insert into order_sum_range (team_id, from_id, to_id, checked_at) values (${uuid}, ${summed}, ${summed}, now())`;
    const { text } = await inTransaction(sql, async (tx) => {
      // Sums can be read, and none can be added.
      await tx`lock table order_sum in exclusive mode`;
      return read('/console?range=12m');
    });
    expect(text.includes('still being counted')).toBe(isTold);
  }
});

it('days are those of the viewer’s zone, and a day of 25 hours has all its orders', async () => {
  const { read, csvOf } = await start([
    '2025-10-25T21:59:59Z',
    '2025-10-25T22:00:00Z',
    '2025-10-26T00:30:00Z',
    '2025-10-26T01:30:00Z',
    '2025-10-26T22:59:59Z',
    '2025-10-26T23:00:00Z',
  ]);
  const path = '/console?range=custom&from=2025-10-26&to=2025-10-26';
  const { text } = await read(path, berlin);
  expect(figuresOf(text).tiles[0]).toEqual(['Orders', '4', '1 before, +300%']);
  expect((await csvOf(text, berlin)).ids).toEqual(['o-4', 'o-3', 'o-2', 'o-1']);
  expect(text).toContain('Live orders of 26 Oct 2025');
  expect(figuresOf((await read(path)).text).tiles[0]).toEqual(['Orders', '4', '2 before, +100%']);
  const german = await read(path, berlin, { 'accept-language': 'de' });
  expect(german.text).toContain('26. Okt. 2025');
  expect(german.text).toContain('40,00 $');
});

it('twelve months, weeks of a year, and days have the same sums, whether or not their days are added up', async () => {
  const now = Date.now();
  const times = Array.from({ length: 90 }, (_, n) => new Date(now - n * 4 * dayMs - n * 60_000));
  const { read, sql, uuid } = await start(times);
  const [{ from }] = await sql<[{ from: string }]>`
    select to_char(min(created_at) at time zone 'Europe/Berlin', 'YYYY-MM-DD') as from from placed_order`;
  const year = `/console?from=${from}&mode=live`;
  const sumOf = (text: string) =>
    figuresOf(text).rows.reduce((sum, [, orders]) => sum + (Number(orders) || 0), 0);
  const expected = async (text: string) => {
    expect(figuresOf(text).tiles[0]!.slice(0, 2)).toEqual(['Orders', '90']);
    return text;
  };
  const daysSummed = async () => {
    await read(year, berlin);
    return (await sql`select from order_day_sum where team_id = ${uuid}`).length;
  };
  await expect.poll(daysSummed).toBe(89);
  const weeks = await expected((await read(year, berlin)).text);
  expect(weeks).toContain('Orders by week');
  await sql`update order_sum_range set days_from = days_to`;
  expect(figuresOf((await read(year, berlin)).text)).toEqual(figuresOf(weeks));
  expect(sumOf((await read('/console?range=12m', berlin)).text)).toBeGreaterThan(80);
});

it('an order of long ago that is stored now, changed or discarded is right in the figures of a year', async () => {
  const now = Date.now();
  const { read, sql, uuid, teamId, env } = await start([
    new Date(now - 100 * dayMs),
    [new Date(now - 200 * dayMs), { amount: 5 }],
    new Date(now - 200 * dayMs),
  ]);
  const year = `/console?range=custom&from=${new Date(now - 300 * dayMs).toISOString().slice(0, 10)}`;
  const tiles = async () =>
    figuresOf((await read(year)).text)
      .tiles.slice(0, 2)
      .map(([, figure]) => figure);
  expect(await tiles()).toEqual(['3', '$25.00']);
  await sql`update placed_order set amount = 100, merged_at = now() where team_id = ${uuid} and order_id = 'o-0'`;
  expect(await tiles()).toEqual(['3', '$115.00']);
  await sql`update placed_order set order_number = 'ORD-0000000001' where team_id = ${uuid} and order_id = 'o-1'`;
  await runOrderbeacon(['order', 'discard', '--team', teamId, 'ORD-0000000001'], env);
  expect(await tiles()).toEqual(['2', '$110.00']);
  // Stored now, as of long ago: first not summed, then summed.
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at)
    select team_id, ${newUuid(now - 3_600_000)}, 'late', person_id, 1, 'USD', 'OTHER', false, 'key', now() - interval '150 days'
    from placed_order where team_id = ${uuid} and order_id = 'o-0'`;
  await sql`update order_sum_range set to_id = ${newUuid(now - 7_200_000)}`;
  expect(await tiles()).toEqual(['3', '$111.00']);
  expect(await sql`select from order_sum where amount = 1`).toHaveLength(1);
  expect(await sql`select from order_day_sum where amount = 1`).toHaveLength(1);
});

it.each([
  ['from=2026-11-02&to=2026-11-01', 'after the last'],
  ['from=2026-02-31', 'not a day'],
  ['from=9999-01-01', 'future'],
  ['from=0001-01-01&to=9999-12-31', 'before 1970'],
  ['from=2010-01-01&to=2020-01-01', '5 years'],
  ['range=custom&from=&to=', 'first day'],
  ['range=custom', 'first day'],
  [`from=${encodeURIComponent('"><script>\0')}`, 'not a day'],
])('a range that is none, %s, is named on both pages, and gives no file', async (query, words) => {
  const { read } = await start([new Date()]);
  for (const path of ['/console', '/console/orders']) {
    const { status, text } = await read(`${path}?${query}`);
    expect([path, status]).toEqual([path, 200]);
    expect(/role="alert">([^<]*)</.exec(text)?.[1]).toContain(words);
    expect(text).not.toContain('<script>\0');
    expect(text).toMatch(/<option value="custom" selected/);
  }
  const csv = await read(`/console/orders.csv?${query}`);
  expect([csv.status, csv.text]).toEqual([400, expect.stringContaining(words)]);
});

it('a link of before works, keeps its range in every link of its page, and a live list shows orders of its range', async () => {
  const { read } = await start([new Date(), new Date(Date.now() - 2 * dayMs)]);
  for (const [range, words, orders] of [
    ['24h', 'of the last 24 hours', 1],
    ['7d', 'of the last 7 days', 2],
    ['30d', 'of the last 30 days', 2],
  ] as const) {
    const { text } = await read(`/console?range=${range}&show=USD`);
    expect(text).toContain(`Live orders ${words}`);
    expect(figuresOf(text).tiles[0]![1]).toBe(String(orders));
    const links = [...text.matchAll(/href="([^"]*(?:touch=last|orders\.csv)[^"]*)"/g)].map(
      ([, link]) => link,
    );
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toContain(`range=${range}`);
  }
  expect((await read('/console/orders?range=today')).text).toMatch(/data-live="[^"]*range=today/);
  expect((await read('/console/orders?range=last-month')).text).not.toContain('data-live');
});

it('the usual orders an hour of a shop that opened today are those of its own hours', async () => {
  const times = Array.from({ length: 48 }, (_, n) => new Date(Date.now() - n * 1_800_000));
  const { read } = await start(times);
  const hosts = /<h2 id="hosts">.*?<\/table>/s.exec((await read('/console')).text)![0];
  expect(hosts).toMatch(/<td class="number">2<\/td>/);
});
