import { expect } from 'vitest';
import { placeOrders } from './placeOrder.js';
import { type Shop, test } from './shop.js';

/** The overview of a shop, as text. */
const openOverview = async (shop: Shop) => {
  const { read } = await shop.console();
  return () => read('/console');
};

test('the shares of orders that a backend confirmed and of the others add up to 100 %', async ({ shop }) => {
  const overview = await openOverview(shop);
  const shares = async () => {
    const text = await overview();
    return [/Confirmed by your backend (\S+%)/.exec(text)?.[1], /Browser only (\S+%)/.exec(text)?.[1]];
  };
  expect(await shares()).toEqual([undefined, undefined]);
  await shop.report();
  expect(await shares()).toEqual(['0%', '100%']);
  await shop.report({ orderId: 'both' });
  await shop.reportByKey({ orderId: 'both' });
  expect(await shares()).toEqual(['50%', '50%']);
  await shop.reportByKey();
  expect(await shares()).toEqual(['67%', '33%']);
  // A share that is not nothing is not shown as nothing.
  await placeOrders(shop.sql, shop.team, Array(5_000).fill({}));
  expect(await shares()).toEqual(['0.1%', '99.9%']);
});

test('the average order has a tile for each currency', async ({ shop }) => {
  const overview = await openOverview(shop);
  expect(await overview()).not.toContain('average order');
  await shop.report({ amount: 5 });
  await shop.reportByKey({ amount: 15 });
  const text = await overview();
  expect(text).toContain('USD $20.00');
  expect(text).toContain('USD average order $10.00');
});

test('pages name the ways of reporting in plain words, the same in tiles, table, filter and list', async ({
  shop,
}) => {
  await shop.report();
  await shop.report({ orderId: 'both' });
  await shop.reportByKey({ orderId: 'both' });
  await shop.reportByKey();
  const { read } = await shop.console();
  for (const path of ['/console', '/console/orders']) {
    const text = await read(path);
    for (const word of ['Browser only', 'Backend only', 'Browser and backend']) expect(text).toContain(word);
    expect(text).not.toMatch(/Only a (page|key)|[Pp]age and key|A (page|key) alone/);
  }
});
