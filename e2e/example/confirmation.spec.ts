import { startOrderbeacon, type TestOrderbeacon } from '@orderbeacon/server/testing';
import { test as base, expect } from 'playwright/test';
import { type ExampleShop, startShop } from './shop.ts';

const test = base.extend<object, { orderbeacon: TestOrderbeacon; shop: ExampleShop }>({
  orderbeacon: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const orderbeacon = await startOrderbeacon();
      await use(orderbeacon);
      await orderbeacon.stop();
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ orderbeacon }, use) => {
      const shop = await startShop(orderbeacon.scriptHtml);
      await use(shop);
      shop.close();
    },
    { scope: 'worker' },
  ],
});

test('the confirmation page reports the order', async ({ page, shop, orderbeacon }) => {
  await page.goto(`${shop.url}/thanks?order=1001`);
  const order = await orderbeacon.expectOrder(page, { orderId: '1001' });
  expect(order).toMatchObject({ email: 'ann@buyer.example', amount: 49.9, currency: 'EUR' });
});

test('a page of another order does not', async ({ page, shop, orderbeacon }) => {
  await page.goto(`${shop.url}/thanks?order=1002`);
  await orderbeacon.expectOrder(page, { orderId: '1002' });
  expect(await orderbeacon.findOrder('1003')).toBeNull();
});
