import { expect, it } from 'vitest';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

async function start() {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const { get } = await signIn(server, teamId);
  const order = { teamId, email: 'ann@buyer.example', amount: 10 };
  return {
    get,
    byPage: (orderId: string) => server.report({ ...order, orderId }),
    byKey: (orderId: string) => server.report({ ...order, orderId }, { authorization: `Bearer ${key}` }),
    /** Stores orders that only pages reported, as many as it takes. */
    multiply: (count: number) => server.sql`
      insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at, host)
      select team_id, gen_random_uuid(), 'ORD-' || n, person_id, amount, currency, source, is_test, 'browser', created_at, host
      from (select * from placed_order where reported_by = 'browser' limit 1) o, generate_series(1, ${count}::int) n`,
    async tiles() {
      const { text } = await get('/console');
      return Object.fromEntries(
        [...text.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>/g)].map(([, name, figure]) => [name, figure]),
      );
    },
  };
}

it('the shares of orders that a backend confirmed and of the others add up to 100 %', async () => {
  const { byPage, byKey, tiles } = await start();
  const shares = async () => {
    const { 'Confirmed by your backend': confirmed, 'Browser only': browser } = await tiles();
    return [confirmed, browser];
  };
  expect(await shares()).toEqual([undefined, undefined]);
  await byPage('o-1');
  expect(await shares()).toEqual(['0%', '100%']);
  await byPage('o-2');
  await byKey('o-2');
  expect(await shares()).toEqual(['50%', '50%']);
  await byKey('o-3');
  expect(await shares()).toEqual(['67%', '33%']);
});

it('a share that is not nothing is not shown as nothing', async () => {
  const { byPage, byKey, tiles, multiply } = await start();
  await byPage('o-1');
  await byKey('o-2');
  await multiply(5_000);
  expect(await tiles()).toMatchObject({ 'Confirmed by your backend': '0.1%', 'Browser only': '99.9%' });
});

it('the average order has a tile for each currency', async () => {
  const { byPage, byKey, tiles } = await start();
  expect(await tiles()).toEqual({});
  await byPage('o-1');
  await byKey('o-2');
  expect(await tiles()).toMatchObject({ USD: '$20.00', 'USD average order': '$10.00' });
});

it('pages name the ways of reporting in plain words, the same in tiles, table, filter and list', async () => {
  const { get, byPage, byKey } = await start();
  for (const id of ['o-1', 'o-2']) await byPage(id);
  for (const id of ['o-2', 'o-3']) await byKey(id);
  const words = ['Browser only', 'Backend only', 'Browser and backend'];
  for (const path of ['/console', '/console/orders']) {
    const { text } = await get(path);
    for (const word of words) expect([path, text.includes(word)]).toEqual([path, true]);
    expect(text).not.toMatch(/Only a (page|key)|[Pp]age and key|A (page|key) alone/);
  }
});
