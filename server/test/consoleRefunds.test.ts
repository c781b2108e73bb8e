import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { subtractDecimals } from '../src/values/decimal.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

async function start() {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const { get } = await signIn(server, teamId);
  const order = async (orderId: string, amount: number, more: object = {}) => {
    const report = { teamId, email: 'ann@buyer.example', amount, orderId, ...more };
    return (await server.reportByKey(key, report)).body.data as { id: string };
  };
  const refund = async (orderId: string, refundId: string, more: object = {}) => {
    const { status } = await server.send('POST', '/svc-api/v1/orders/refunds', {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ orderId, refundId, ...more }),
    });
    expect(status).toBe(200);
  };
  const read = async (path: string) => (await get(path)).text.replace(/[\u00a0\u202f]/g, ' ');
  const tiles = async (query = '') =>
    Object.fromEntries(
      [...(await read(`/console${query}`)).matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)<\/dd>/g)].map(
        ([, name, figure]) => [name, figure],
      ),
    );
  const marks = async (query = '') =>
    [
      ...(await read(`/console/orders${query}`)).matchAll(
        /<bdi>(o-\d)<.*?<td class="number[^"]*">(.*?)<\/td>/gs,
      ),
    ].map(([, id, cell]) => `${id} ${cell!.replace(/<[^>]+>/g, '').trim()}`);
  return { ...server, uuid, teamId, key, get, order, refund, read, tiles, marks };
}

it('a team without refunds sees no word of them, on no page', async () => {
  const { order, read } = await start();
  const { id } = await order('o-1', 50);
  for (const path of ['/console', '/console/orders', `/console/orders/${id}`])
    expect([
      path,
      /refund|gross|\bnet\b/i.test((await read(path)).replace(/\/console\/refused/g, '')),
    ]).toEqual([path, false]);
});

it('gross never falls, and refunded and net count refunds on their own day, per currency', async () => {
  const { order, refund, tiles, sql } = await start();
  await order('o-1', 50.1);
  await order('o-2', 7, { currency: 'EUR' });
  await order('o-3', 30);
  await refund('o-1', 'r-1', { amount: 20.3 });
  await refund('o-3', 'r-2');
  expect(await tiles()).toMatchObject({
    Orders: '3',
    'USD gross': '$80.10',
    'USD refunded': '$50.30',
    'USD net': '$29.80',
    EUR: '€7.00',
  });
  // The order of ten days ago was refunded now: today has the refund, and not the order.
  await sql`update placed_order set created_at = now() - interval '10 days' where currency = 'USD'`;
  await sql`delete from order_sum_range`;
  expect(await tiles()).toMatchObject({
    Orders: '1',
    'USD gross': '$0.00',
    'USD net': '-$50.30',
    EUR: '€7.00',
  });
  await sql`update refund set created_at = now() - interval '9 days'`;
  expect(await tiles()).toEqual(expect.not.objectContaining({ 'USD refunded': expect.anything() }));
  expect(await tiles('?mode=test')).toEqual({});
  await sql`delete from placed_order where currency = 'EUR'`;
  await sql`update refund set created_at = now()`;
  await sql`delete from order_sum_range`;
  expect(await tiles()).toEqual({
    Orders: '0',
    'USD gross': '$0.00',
    'USD refunded': '$50.30',
    'USD net': '-$50.30',
  });
});

it('refunds together count no more than their order, the earlier ones first, also those of before the range', async () => {
  const { report, order, refund, tiles, sql, teamId } = await start();
  await report({ teamId, email: 'ann@buyer.example', amount: 50, orderId: 'o-1' });
  await refund('o-1', 'first', { amount: 40 });
  await sql`update refund set created_at = now() - interval '60 days'`;
  await refund('o-1', 'second');
  expect(await tiles()).toMatchObject({ 'USD refunded': '$10.00', 'USD net': '$40.00' });
  // A backend says later that the order was of 45.
  await order('o-1', 45);
  expect(await tiles()).toMatchObject({
    'USD gross': '$45.00',
    'USD refunded': '$5.00',
    'USD net': '$40.00',
  });
});

it('lists mark what was refunded, and the file has it, also where the refund came before its order', async () => {
  const { order, refund, marks, get } = await start();
  await refund('o-3', 'early');
  await order('o-1', 50);
  await order('o-2', 50);
  await order('o-3', 50);
  await refund('o-2', 'part', { amount: 0.5 });
  expect(await marks()).toEqual(['o-3 $50.00 refunded', 'o-2 $50.00 partly refunded', 'o-1 $50.00']);
  const { text } = await get('/console/orders.csv?range=24h');
  const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.map((row) => [row.orderId, row.paymentStatus, row.refundedAmount])).toEqual([
    ['o-3', 'REFUNDED', '50'],
    ['o-2', 'PARTIALLY_REFUNDED', '0.5'],
    ['o-1', 'PAID', '0'],
  ]);
});

it('an order’s page shows its refunds as text, what is left, and how a key reports one, but refunds nothing itself', async () => {
  const { order, refund, read } = await start();
  const { id } = await order('o-1', 50);
  const other = await order('o-2', 10);
  await refund('o-1', '<b>r-1', { amount: 20, reason: '<script>late</script>' });
  const text = await read(`/console/orders/${id}`);
  for (const part of [
    'partly refunded',
    '$20.00',
    '$30.00',
    '&lt;b&gt;r-1',
    '&lt;script&gt;late',
    `${id}&quot;`,
  ])
    expect(text).toContain(part);
  expect(text).toContain('/svc-api/v1/orders/refunds');
  expect(text).toContain('Bearer ob_live_…');
  // Signing out is the only form.
  expect(text.match(/<form/g)).toHaveLength(1);
  expect(await read(`/console/orders/${other.id}`)).toContain('None of this order');
  await refund('o-1', 'r-2');
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

it('beside more currencies than have tiles, none is said to have no orders', async () => {
  const { order, refund, read, tiles, sql } = await start();
  const currencies = ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'USD', 'SEK'];
  for (const [n, currency] of currencies.entries()) {
    await order(`a-${n}`, 100, { currency });
    if (currency !== 'SEK') await order(`b-${n}`, 100, { currency });
  }
  await refund('a-10', 'r-1', { amount: 40 });
  const refundedAlone = await tiles();
  expect(refundedAlone).toMatchObject({ 'SEK refunded': 'SEK 40.00', '1 other currency': '1 order' });
  expect(Object.keys(refundedAlone)).not.toEqual(expect.arrayContaining(['SEK gross']));
  expect(Object.keys(refundedAlone)).not.toEqual(expect.arrayContaining(['SEK net']));
  // In the period before, Swedish money was among the others.
  await sql`update placed_order set created_at = now() - interval '8 days'`;
  await sql`delete from order_sum_range`;
  await order('c-1', 100, { currency: 'SEK' });
  await order('c-2', 100, { currency: 'EUR' });
  const page = await read('/console?range=7d');
  expect(page).toContain('<dd>SEK 100.00</dd></div>');
  expect(page).not.toContain('none before');
});
