import { expect, it } from 'vitest';
import { formatExactTime, formatSince, formatTime } from '../../src/console/parts/format.js';
import { chooseZone } from '../../src/console/setup/zone.js';
import { listenersOf } from '../kit/listeners.js';
import { test } from '../kit/shop.js';

const now = new Date('2026-03-01T22:30:00Z');

it.each([
  ['en', 'UTC', '2026-03-01T09:53:07Z', 'Today 09:53'],
  ['en-US', 'UTC', '2026-02-28T23:59:59Z', 'Yesterday 23:59'],
  ['en', 'UTC', '2026-02-27T23:59:59Z', '27 Feb, 23:59'],
  ['en', 'UTC', '2025-12-31T23:59:59Z', '31 Dec 2025, 23:59'],
  ['en', 'UTC', '2026-03-02T00:10:00Z', '2 Mar, 00:10'],
  // The day is the viewer's own: it is 2 March in Kiritimati already.
  ['en', 'Pacific/Kiritimati', '2026-03-01T09:53:07Z', 'Yesterday 23:53'],
  ['en', 'America/Los_Angeles', '2026-03-01T09:53:07Z', 'Today 01:53'],
  ['de', 'Europe/Berlin', '2026-03-01T09:53:07Z', 'Today 10:53'],
  ['de', 'Europe/Berlin', '2026-02-03T09:53:07Z', '3 Feb, 10:53'],
])('a reader of %s in %s reads %s as %s', (locale, zone, time, words) => {
  const text = formatTime(new Date(time), { locale, zone, now });
  expect(text.replace(/\s/g, ' ')).toBe(words);
});

it.each([
  ['UTC', '2026-03-01T00:00:00Z', 'today 00:00'],
  ['UTC', '2026-02-28T23:59:59Z', 'yesterday 23:59'],
  ['Pacific/Kiritimati', '2026-03-01T09:53:07Z', 'yesterday 23:53'],
])('a reader in %s reads of what has been so since %s as since %s', (zone, time, words) => {
  const text = formatSince(new Date(time), now, { locale: 'en', zone, now });
  expect(text.replace(/\s/g, ' ').replace(/,| at/, '')).toBe(words);
});

test('each page says the time zone once, and has the exact time of each order to point at', async ({
  shop,
}) => {
  await shop.liveKey();
  const { id, createdAt } = (await shop.report()).body.data;
  await shop.report({ email: 'x' });
  await shop.sql`update team set zone = 'Asia/Tokyo' where id = ${shop.team}`;
  const { read, get } = await shop.console();
  for (const page of ['', '/orders', `/orders/${id}`, '/refused', '/setup/keys', '/compare']) {
    const text = await read(`/console${page}`);
    expect([page, text.match(/Asia\/Tokyo|GMT|UTC|JST/g)]).toEqual([page, ['Asia/Tokyo']]);
  }
  const exact = formatExactTime(new Date(createdAt), { locale: 'en', zone: 'Asia/Tokyo', now });
  expect((await get('/console/orders')).text).toContain(`title="${exact}">`);
});

test('a zone that a browser calls by its former name is taken where PostgreSQL knows the one of today alone', async ({
  shop,
}) => {
  const unknown = Object.assign(new Error('time zone "Asia/Calcutta" not recognized'), { code: '22023' });
  const sql = new Proxy(shop.sql, {
    apply: (target, self, args: unknown[]) =>
      args[1] === 'Asia/Calcutta' ? Promise.reject(unknown) : Reflect.apply(target as never, self, args),
  });
  expect(await chooseZone(sql, shop.team, 'Asia/Calcutta', listenersOf(sql))).toBe('Asia/Kolkata');
  expect(await (await shop.console()).read('/console/orders')).toContain('Times in Asia/Kolkata.');
});

test('a file of orders has the day of the shop in its name', async ({ shop }) => {
  // One of the two has another day than UTC, at any time.
  const timeZone = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  await shop.sql`update team set zone = ${timeZone} where id = ${shop.team}`;
  const { get } = await shop.console();
  const { headers } = await get('/console/orders.csv');
  const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
  expect(headers.get('content-disposition')).toBe(`attachment; filename="orders-${day}.csv"`);
});

test('a team without a time zone of its own takes one by the setup, once, and its days are summed again', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await sql`insert into summed_day (team_id, day, is_summed) values (${team}, '2026-01-01', true)`;
  const { press, get } = await shop.console();
  const zoneOf = async () =>
    (await sql<{ zone: string }[]>`select zone from team where id = ${team}`)[0]!.zone;
  expect((await get('/console/setup/shop')).text).toContain('id="zone" hidden');
  for (const zone of ['', 'Nowhere/At_All', '+02:00', 'x'.repeat(10_000)])
    expect(await press('/console/setup/shop/zone', { zone })).toContain('does not know this time zone');
  expect(await zoneOf()).toBe('UTC');
  await press('/console/setup/shop/zone', { zone: 'Europe/Berlin' });
  expect(await zoneOf()).toBe('Europe/Berlin');
  expect(await sql`select from summed_day where team_id = ${team} and is_summed`).toHaveLength(0);
  expect(await press('/console/setup/shop/zone', { zone: 'Asia/Tokyo' })).toContain(
    'time zone Europe/Berlin.',
  );
  expect(await zoneOf()).toBe('Europe/Berlin');
  expect((await get('/console/setup/shop')).text).not.toContain('id="zone"');
});
