import { expect } from 'vitest';
import { sendTo, startServerForTest } from '../kit/server.js';
import { type Shop, test } from '../kit/shop.js';

/** Reports one order, and one that is refused. */
async function reportTwo(shop: Shop) {
  await shop.report();
  await shop.report({}, { origin: 'https://other.example' });
}

test.for(['0', '253402300800000', '999999999999999'])(
  'a list that goes on at %s ms since 1970 is a page, whatever PostgreSQL can read',
  async (ms, { shop }) => {
    await reportTwo(shop);
    const { get } = await shop.console();
    const place = (prefix: string) => `before=${ms}.${shop.teamId.replace('team', prefix)}`;
    for (const path of [
      `/console/orders?${place('ord')}`,
      `/console/orders?mode=test&${place('ord')}`,
      `/console/orders.csv?${place('ord')}`,
      `/console/refused?reason=domain_not_allowed&host=other.example&field=&${place('ref')}`,
    ])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  },
);

test('discarding up to a time that no page names is refused and discards nothing', async ({ shop }) => {
  await reportTwo(shop);
  const { submit } = await shop.console();
  const kind = { reason: 'domain_not_allowed', host: 'other.example', field: '' };
  for (const until of [
    '+275760-09-13T00:00:00.000Z',
    '-000001-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59-12:00',
    '0',
  ]) {
    const { status } = await submit('/console/refused/discard', { ...kind, until });
    expect([until, status]).toEqual([until, 400]);
  }
  expect(await shop.refused()).toHaveLength(1);
});

test('a page of a team that somebody types with a slash behind it leads to the page', async ({ shop }) => {
  const { get, home } = await shop.console();
  for (const path of ['', '/orders', '/setup/keys']) {
    const { status, headers } = await get(`${home}${path}/?mode=test`);
    expect([status, headers.get('location')]).toEqual([303, `${home}${path}?mode=test`]);
  }
  expect((await get(`${home}/nowhere`)).status).toBe(404);
});

test('an address that somebody types with a slash behind it leads to its page, also behind a proxy that adds a path', async () => {
  const { bindUrl } = await startServerForTest({ env: { PUBLIC_URL: 'https://shop.example/orders' } });
  for (const path of ['/console', '/docs', '/demo']) {
    const { status, headers } = await sendTo(new URL(`${path}/?range=7d`, bindUrl), 'GET');
    expect([status, headers.get('location')]).toEqual([303, `/orders${path}?range=7d`]);
  }
});
