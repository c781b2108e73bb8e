import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { settleRefunds } from '../src/orders/settleRefunds.js';
import { subtractDecimals } from '../src/values/decimal.js';
import { placeOrders } from './placeOrder.js';
import { type Shop, test } from './shop.js';

/** A shop's console: the names and figures of its tiles, and the orders of its list with their marks. */
async function openFigures(shop: Shop) {
  const { get, read } = await shop.console();
  async function tiles(query = '') {
    const { text } = await get(`/console${query}`);
    const found = text.replace(/[\u00a0\u202f]/g, ' ').matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>/g);
    return Object.fromEntries([...found].map(([, name, figure]) => [name, figure]));
  }
  /** Makes all that a team has of a table so much older. */
  async function age(table: 'placed_order' | 'refund', days: number, currency?: string) {
    const { sql, team } = shop;
    await sql`
      update ${sql(table)} set created_at = now() - ${days} * interval '1 day'
      where team_id = ${team} ${currency ? sql`and currency = ${currency}` : sql``}`;
  }
  return { get, read, tiles, age };
}

test('a team without refunds sees no word of them, on no page', async ({ shop }) => {
  const { body } = await shop.report();
  const { read } = await shop.console();
  for (const path of ['', '/orders', `/orders/${body.data.id}`])
    expect([path, await read(`/console${path}`)]).toEqual([
      path,
      expect.not.stringMatching(/refund|gross|\bnet\b/i),
    ]);
});

test('gross never falls, and refunded and net count refunds on their own day, per currency', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'o-1', amount: 50.1 });
  await shop.reportByKey({ amount: 7, currency: 'EUR' });
  await shop.reportByKey({ orderId: 'o-3', amount: 30 });
  await shop.refund({ orderId: 'o-1', refundId: 'r-1', amount: 20.3 });
  await shop.refund({ orderId: 'o-3', refundId: 'r-2' });
  const { tiles, age } = await openFigures(shop);
  expect(await tiles()).toMatchObject({
    Orders: '3',
    'USD gross': '$80.10',
    'USD refunded': '$50.30',
    'USD net': '$29.80',
    EUR: '€7.00',
  });
  // The order of ten days ago was refunded now: today has the refund, and not the order.
  await age('placed_order', 10, 'USD');
  expect(await tiles()).toMatchObject({
    Orders: '1',
    'USD gross': '$0.00',
    'USD net': '-$50.30',
    EUR: '€7.00',
  });
  await age('placed_order', 10);
  expect(await tiles()).toEqual({
    Orders: '0',
    'USD gross': '$0.00',
    'USD refunded': '$50.30',
    'USD net': '-$50.30',
  });
  await age('refund', 9);
  expect(await tiles()).toEqual(expect.not.objectContaining({ 'USD refunded': expect.anything() }));
});

test('refunds together count no more than their order, the earlier ones first, also those of before the range', async ({
  shop,
}) => {
  await shop.report({ orderId: 'o-1', amount: 50 });
  await shop.refund({ orderId: 'o-1', refundId: 'first', amount: 40 });
  const { tiles, age } = await openFigures(shop);
  await age('refund', 60);
  await shop.refund({ orderId: 'o-1', refundId: 'second' });
  expect(await tiles()).toMatchObject({ 'USD refunded': '$10.00', 'USD net': '$40.00' });
  // A backend says later that the order was of 45.
  await shop.reportByKey({ orderId: 'o-1', amount: 45 });
  expect(await tiles()).toMatchObject({
    'USD gross': '$45.00',
    'USD refunded': '$5.00',
    'USD net': '$40.00',
  });
});

test('lists mark what was refunded, and the file has it, also where the refund came before its order', async ({
  shop,
}) => {
  await shop.refund({ orderId: 'o-3', refundId: 'early' });
  for (const orderId of ['o-1', 'o-2', 'o-3']) await shop.reportByKey({ orderId, amount: 50 });
  await settleRefunds(shop.sql, shop.team);
  await shop.refund({ orderId: 'o-2', refundId: 'part', amount: 0.5 });
  const { get, read } = await openFigures(shop);
  expect(await read('/console/orders')).toMatch(
    /o-3 .*\$50\.00 refunded .*o-2 .*\$50\.00 partly refunded .*o-1 .*\$50\.00 (?!.*refunded)/,
  );
  const { text } = await get('/console/orders.csv?range=24h');
  const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.map((row) => [row.orderId, row.paymentStatus, row.refundedAmount])).toEqual([
    ['o-3', 'REFUNDED', '50'],
    ['o-2', 'PARTIALLY_REFUNDED', '0.5'],
    ['o-1', 'PAID', '0'],
  ]);
});

test('an order’s page shows its refunds, what is left, and how a key reports one, but refunds nothing itself', async ({
  shop,
}) => {
  const { id } = (await shop.reportByKey({ orderId: 'o-1', amount: 50 })).body.data;
  const other = (await shop.reportByKey()).body.data;
  await shop.refund({ orderId: 'o-1', refundId: 'r-1', amount: 20, reason: 'late' });
  const { get, read } = await shop.console();
  const text = await read(`/console/orders/${id}`);
  const words = ['partly refunded', '$20.00', '$30.00', 'r-1', 'late', `${id}"`, 'Bearer ob_live_…'];
  for (const part of [...words, '/svc-api/v1/orders/refunds']) expect(text).toContain(part);
  // Signing out is the only form.
  expect((await get(`/console/orders/${id}`)).text.match(/<form/g)).toHaveLength(1);
  expect(await read(`/console/orders/${other.id}`)).toContain('None of this order');
  await shop.refund({ orderId: 'o-1', refundId: 'r-2' });
  expect(await read(`/console/orders/${id}`)).not.toContain('Report a refund');
});

it.each([
  ['50.1', '20.3', '29.8'],
  ['0', '50.30', '-50.30'],
  ['10', '10', '0'],
  ['0.1', '0.3', '-0.2'],
  ['99999999999999999.99', '0.00000000000000001', '99999999999999999.98999999999999999'],
])('%s less %s is %s, to the digit', (from, amount, left) => {
  expect(subtractDecimals(from, amount)).toBe(left);
});

test('beside more currencies than have tiles, none is said to have no orders', async ({ shop }) => {
  const currencies = ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'USD'];
  const row = (currency: string) => ({ currency, amount: 100, reportedBy: 'key' });
  await placeOrders(shop.sql, shop.team, [...currencies, ...currencies].map(row));
  await shop.reportByKey({ orderId: 'sek', currency: 'SEK', amount: 100 });
  await shop.refund({ orderId: 'sek', refundId: 'r-1', amount: 40 });
  const { tiles, read, age } = await openFigures(shop);
  const refundedAlone = await tiles();
  expect(refundedAlone).toMatchObject({ 'SEK refunded': 'SEK 40.00', '1 other currency': '1 order' });
  for (const name of ['SEK gross', 'SEK net']) expect(refundedAlone).not.toHaveProperty(name);
  // In the period before, Swedish money was among the others.
  await age('placed_order', 8);
  await shop.reportByKey({ currency: 'SEK', amount: 100 });
  await shop.reportByKey({ currency: 'EUR', amount: 100 });
  const page = await read('/console?range=7d');
  expect(page).toContain('SEK 100.00');
  expect(page).not.toContain('none before');
});
