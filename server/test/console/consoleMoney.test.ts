import { expect } from 'vitest';
import { encodeId } from '../../src/values/ids.js';
import { tilesOf } from '../kit/html.js';
import { placeOrders } from '../kit/placeOrder.js';
import { test } from '../kit/shop.js';

test.for([
  ['BHD', [1.234, 0.001], 'BHD 1.235'],
  ['USDC', [0.000125, 0.1, 0.2], '0.300125 USDC'],
  ['USD', [0.1, 0.2, 1e12], '$1,000,000,000,000.30'],
] as const)(
  'the money in %s is to the digit that of its orders, in all and by time',
  async ([currency, amounts, sum], { shop }) => {
    for (const amount of amounts) await shop.report({ amount, currency });
    const text = await (await shop.console()).read(`/console?show=gross&currency=${currency}`);
    // The sum is in the tiles of gross and net, in the chart's bar, in the table's row of pages of that day, and in its total.
    expect(text.split(sum)).toHaveLength(6);
  },
);

test('a long figure has smaller letters, so that it stays in the one line of its tile', async ({ shop }) => {
  await shop.report({ amount: 12_345_678.9, currency: 'IDR' });
  const { text } = await (await shop.console()).get('/console?show=gross');
  expect(text).toMatch(/<strong class="s">IDR\s12,345,678\.90?<\/strong>/);
  expect(text).toMatch(/<strong>1<\/strong>/);
});

test('a chosen currency has its money beside ten that more orders have, and refunds of others count once', async ({
  shop,
}) => {
  const codes = [...'ABCDEFGHIJK'].map((letter) => `${letter}${letter}${letter}`);
  const orders = codes.flatMap((currency) => [{ currency }, { currency }]);
  const before = new Date(Date.now() - 40 * 86_400_000);
  await placeOrders(shop.sql, shop.team, [
    ...orders,
    ...orders.map((order) => ({ ...order, createdAt: before })),
    { currency: 'JPY', amount: 300 },
    { currency: 'JPY', amount: 200, createdAt: before },
    { currency: 'LLL', amount: 7, orderId: 'refunded' },
  ]);
  await shop.refund({ orderId: 'refunded', refundId: 'r-1' });
  const { get } = await shop.console();
  const tiles = async (query: string) => tilesOf((await get(`/console?${query}`)).text);
  expect(await tiles('currency=JPY')).toMatchObject({
    Gross: ['¥300', '+ AAA 2.00 and 11 others', '↑ 50%'],
    Net: ['¥300', '+ AAA 2.00 and 11 others', '↑ 50%'],
    'Average order': ['¥300', '¥200 before', '↑ 50%'],
  });
});

test.for(['12345678901234567890', '0.12345678901234567890', '9007199254740993'])(
  'the corrected amount %s, which a number cannot keep to the digit, is refused by name and not rounded',
  async (amount, { shop }) => {
    await shop.report({ amount: 'much' });
    const { submit } = await shop.console();
    const id = encodeId('ref', (await shop.refused())[0]!.id);
    const refused = await submit('/console/refused/correct', { id, amount });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/amount.*15 significant digits/s),
    ]);
    expect(refused.text).toContain(`value="${amount}"`);
    expect(await shop.stored()).toEqual([]);
    await submit('/console/refused/correct', { id, amount: '123456789012.345' });
    expect(await shop.stored()).toMatchObject([{ amount: '123456789012.345' }]);
  },
);
