import { expect } from 'vitest';
import { encodeId } from '../../src/values/ids.js';
import { textOf, tilesOf } from '../kit/html.js';
import { placeOrders } from '../kit/placeOrder.js';
import { test } from '../kit/shop.js';

test('the share of orders that a backend confirmed is neither nothing nor all where it is not, and has its average order', async ({
  shop,
}) => {
  const { get } = await shop.console();
  const tiles = async () => tilesOf((await get('/console')).text);
  const share = async () => (await tiles()).Confirmed![0];
  await shop.report({ amount: 5 });
  expect(await share()).toBe('0%');
  await shop.report({ orderId: 'both', amount: 15 });
  await shop.reportByKey({ orderId: 'both', amount: 15 });
  expect(await share()).toBe('50%');
  expect((await tiles())['Average order']![0]).toBe('$10.00');
  await shop.reportByKey();
  expect(await share()).toBe('67%');
  await placeOrders(shop.sql, shop.team, Array(5_000).fill({}));
  expect(await share()).toBe('0.1%');
});

test('pages name the ways of reporting in plain words, the same in list, filter and order', async ({
  shop,
}) => {
  await shop.report();
  await shop.report({ orderId: 'both' });
  await shop.reportByKey({ orderId: 'both' });
  await shop.reportByKey();
  const { read, get } = await shop.console();
  const words = { browser: 'Browser only', key: 'Backend only', both: 'Confirmed' };
  const list = (await get('/console/orders')).text;
  const rows = textOf(/<tbody.*<\/tbody>/s.exec(list)![0]);
  const filter = textOf(/<select[^>]*name="by".*?<\/select>/s.exec(list)![0]);
  const overview = await read('/console');
  for (const { id, reportedBy } of await shop.stored()) {
    const word = words[reportedBy as keyof typeof words];
    const order = await read(`/console/orders/${encodeId('ord', id)}`);
    for (const [place, text] of Object.entries({ overview, rows, filter, order }))
      expect([place, text]).toEqual([place, expect.stringContaining(word)]);
  }
});
