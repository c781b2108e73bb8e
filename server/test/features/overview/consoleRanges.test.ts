// @module-tag all
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { sumDays } from '../../../src/features/overview/sumDays.js';
import { textOf, tilesOf, unescaped } from '../../kit/html.js';
import { placeOrders } from '../../kit/placeOrder.js';
import { type Shop, test } from '../../kit/shop.js';

const dayMs = 86_400_000;
const dayOf = (time: Date | number) => new Date(time).toISOString().slice(0, 10);

/** Stores live orders `o-0`, `o-1` and so on at some times, by default of 10 USD. */
const place = (
  { sql, team, domain }: Shop,
  times: readonly (string | Date | { createdAt: Date; [more: string]: unknown })[],
) =>
  placeOrders(
    sql,
    team,
    times.map((time, n) => ({
      ...{ amount: 10, host: domain, orderId: `o-${n}` },
      ...(typeof time === 'object' && 'createdAt' in time ? time : { createdAt: time }),
    })),
  );

/** Opens a shop's console. */
async function openPages(shop: Shop) {
  const { cookie, get } = await shop.console();
  async function page(path: string, { language = 'en-US' } = {}) {
    const answer = await get(path, { cookie, 'accept-language': language });
    return { ...answer, text: answer.text.replace(/[\u00a0\u202f\u2009]/g, ' ') };
  }
  /** Lists the ids of the orders in the file to which a page has a link. */
  async function csvOf(text: string) {
    const link = /href="([^"]*orders\.csv[^"]*)"/.exec(text)![1]!;
    const csv = await page(unescaped(link));
    const rows = parse(csv.text, { bom: true, columns: true }) as { orderId: string }[];
    return { ids: rows.map(({ orderId }) => orderId), name: csv.headers.get('content-disposition') };
  }
  return { page, csvOf };
}

/** Reads the figures of an overview: its tiles, and the rows of its table by their names. */
const figuresOf = (text: string) => ({
  tiles: tilesOf(text),
  rows: [...text.matchAll(/<tr><th scope="row" class="title long">([^<]+)<\/th>(.*?)<\/tr>/g)].map(
    ([, name, cells]) => [name, /([^<>]+)<\/td>$/.exec(cells!)?.[1]],
  ),
});

/** Returns the last month in UTC, and a function that makes a time on one of its days, counted from 1. */
function lastMonth() {
  const now = new Date();
  const time = (day: number, months = -1, hour = 12) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day, hour));
  return { time, last: new Date(time(1, 0, 0).getTime() - 1) };
}

test('the last month has its own orders alone, in tiles, table, list, origins and CSV, each against the month before', async ({
  shop,
}) => {
  const { time, last } = lastMonth();
  const firstTouch = { at: null, path: '/', referrer: null, source: 'news' };
  await place(shop, [
    { createdAt: time(2, -2), amount: 7 },
    time(1, -1, 0),
    { createdAt: time(15), currency: 'EUR', firstTouch },
    last,
    time(1, 0, 0),
  ]);
  const { page, csvOf } = await openPages(shop);
  const { text } = await page('/console?range=last-month');
  const { tiles, rows } = figuresOf(text);
  expect(tiles).toMatchObject({
    Orders: ['3', '1 before', '↑ 200%'],
    Gross: ['$20.00', '+ €10.00', '↑ 186%'],
    'Average order': ['$10.00', '$7.00 before', '↑ 43%'],
  });
  expect(rows.filter(([, sum]) => sum !== '0').map(([, sum]) => sum)).toEqual(['1', '1', '1']);
  const origins = text.match(/<h2 id="origins">.*?<tbody>(.*?)<\/tbody>/s)![1]!.replace(/<[^>]+>/g, ' ');
  expect(origins.replace(/\s+/g, ' ')).toBe(' news 1 €10.00 Unknown no visit seen 2 $20.00 ');

  const orders = await page('/console/orders?range=last-month');
  const csv = await csvOf(orders.text);
  expect(csv.ids).toEqual(['o-3', 'o-2', 'o-1']);
  expect(csv.name).toContain(`orders-${dayOf(time(1))}-to-${dayOf(last)}.csv`);
  expect([...orders.text.matchAll(/<bdi>(o-\d)</g)].map(([, id]) => id)).toEqual(['o-3', 'o-2', 'o-1']);

  // The command selects the same orders for the same days.
  const days = ['--since', dayOf(time(1)), '--until', dayOf(time(1, 0))];
  const listed = JSON.parse((await shop.command('order', 'list', '--json', ...days)).stdout);
  expect(listed.map(({ orderId }: { orderId: string }) => orderId)).toEqual(csv.ids);
});

test('days are those of the shop’s zone, summed or not, and a day of 25 hours has all its orders', {
  tags: ['slow'],
}, async ({ shop }) => {
  await place(shop, [
    '2025-10-25T21:59:59Z',
    '2025-10-25T22:00:00Z',
    '2025-10-26T00:30:00Z',
    '2025-10-26T01:30:00Z',
    '2025-10-26T22:59:59Z',
    '2025-10-26T23:00:00Z',
  ]);
  const { page, csvOf } = await openPages(shop);
  const path = '/console?range=custom&from=2025-10-26&to=2025-10-26';
  const orders = async () => figuresOf((await page(path)).text).tiles.Orders;
  const summed = () => shop.sql<{ n: number }[]>`
    select sum(orders)::int as n from order_day where team_id = ${shop.team} and day = '2025-10-26'`;
  expect(await orders()).toEqual(['4', '2 before', '↑ 100%']);
  await sumDays(shop.sql, shop.team);
  await shop.command('team', 'edit', '--zone', 'Europe/Berlin');
  expect(await summed()).toEqual([{ n: 4 }]);
  expect(await orders()).toEqual(['4', '1 before', '↑ 300%']);
  expect((await page(path)).text).toContain('26 Oct 2025');
  const { text: list } = await page(path.replace('/console', '/console/orders'));
  expect((await csvOf(list)).ids).toEqual(['o-4', 'o-3', 'o-2', 'o-1']);
});

test('a day that is summed has its orders at their hours, in the chart and its numbers', async ({ shop }) => {
  await place(shop, ['2025-11-03T09:10:00Z', '2025-11-03T09:50:00Z', '2025-11-04T17:00:00Z']);
  const { page } = await openPages(shop);
  const hoursOf = async (query: string) =>
    figuresOf((await page(`/console?${query}`)).text)
      .rows.filter(([, orders]) => Number(orders) > 0)
      .map(([hour, orders]) => [hour, orders]);
  const ranges = ['from=2025-11-03&to=2025-11-03', 'from=2025-11-03&to=2025-11-04'];
  const before = await Promise.all(ranges.map(hoursOf));
  await sumDays(shop.sql, shop.team);
  expect(await Promise.all(ranges.map(hoursOf))).toEqual(before);
  expect(before[1]).toEqual([
    [expect.stringContaining('17:00'), '1'],
    [expect.stringContaining('09:00'), '2'],
  ]);
});

test('a range that is none is named on both pages, which keep it, and gives no file', async ({ shop }) => {
  await shop.report();
  const { page } = await openPages(shop);
  const query = 'from=2026-11-02&to=2026-11-01';
  for (const path of ['/console', '/console/orders']) {
    const { status, text } = await page(`${path}?${query}`);
    expect([path, status]).toEqual([path, 200]);
    expect(textOf(/role="alert">(.*?)<\/div>/s.exec(text)![1]!)).toContain('after the last');
  }
  const csv = await page(`/console/orders.csv?${query}`);
  expect([csv.status, csv.text]).toEqual([400, expect.stringContaining('after the last')]);
});

test('a day that the shop’s zone left out is named on both pages, and gives no file', async ({ shop }) => {
  await shop.report();
  await shop.sql`update team set zone = 'Pacific/Apia' where id = ${shop.team}`;
  const { page } = await openPages(shop);
  const statuses = { '/console': 200, '/console/orders': 200, '/console/orders.csv': 400 };
  for (const [path, status] of Object.entries(statuses)) {
    const answer = await page(`${path}?from=2011-12-30&to=2011-12-30`);
    expect([path, answer.status, answer.text]).toEqual([
      path,
      status,
      expect.stringContaining('Pacific/Apia left out the day 2011-12-30.'),
    ]);
  }
});

test('a page keeps its range in every link, and a list follows what arrives where its range has not ended', async ({
  shop,
}) => {
  await place(shop, [new Date(), new Date(Date.now() - 2 * dayMs)]);
  const { page } = await openPages(shop);
  for (const [range, orders] of [
    ['today', '1'],
    ['7d', '2'],
  ] as const) {
    const { text } = await page(`/console?range=${range}&show=gross`);
    expect(figuresOf(text).tiles.Orders![0]).toBe(orders);
    const links = [...text.matchAll(/href="([^"]*(?:touch=last|show=average)[^"]*)"/g)].map(
      ([, link]) => link,
    );
    expect(links).toHaveLength(2);
    for (const link of links) expect(link).toContain(`range=${range}`);
  }
  expect((await page('/console/orders?range=today')).text).toContain('<body data-live="');
  expect((await page('/console/orders?range=last-month')).text).not.toContain('<body data-live="');
});
