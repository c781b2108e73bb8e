import { expect } from 'vitest';
import { charge } from '../../../features/sources/kit/stripeSamples.js';
import { wooOrder } from '../../../features/sources/kit/wooCommerceSamples.js';
import { shopAt, test } from '../../../kit/shop.js';
import { openShopkeeper } from './shopkeeper.js';

const ann = 'ann@shop.example';
const mallory = 'mallory@strangers.example';

test.for<[string, object]>([
  ['its number', { orderId: '230' }],
  ['the shop’s own id of it', { orderId: 'mine', shopOrderId: '23' }],
  ['the id of its payment', { orderId: 'pi_3MtwBwLkdIwHu7ix28a3tqPa' }],
  ['the key of the shop', { orderId: 'wc_order_k9HZk7Xc2' }],
  ['the name of its object', { orderId: 'backend:230' }],
])(
  'a page that names another buyer’s order by %s learns and changes nothing',
  async ([_, names], { server }) => {
    const shop = await openShopkeeper(server);
    await shop.woo(
      wooOrder(23, {
        number: '230',
        date_paid_gmt: new Date().toISOString().slice(0, 19),
        transaction_id: 'ch_3MtwBwLkdIwHu7ix2FEIVVqK',
      }),
    );
    await shop.stripe('charge.succeeded', charge({ currency: 'eur', metadata: { orderId: '230' } }));
    const before = await shop.stored();
    expect(before).toHaveLength(1);
    const answer = await shop.report({
      email: mallory,
      amount: 1,
      visitorId: 'evil',
      items: [{ sku: 'evil' }],
      ...names,
    });
    if (answer.status === 200) expect(answer.body.data).toMatchObject({ isNew: true, amount: 1 });
    else expect([answer.status, answer.body.error.code]).toEqual([409, 'order_conflict']);
    await shop.settle();
    const after = (await shop.stored()).find(({ id }) => id === before[0]!.id);
    expect(after).toEqual(before[0]);
  },
);

test('names of objects, of every length and with every mark, are ids as others are', async ({ server }) => {
  const shop = await openShopkeeper(server);
  const ids = [
    'page:1001',
    'backend:1001',
    'backend-key:1001',
    'file:1:1001',
    'refund:r',
    'legacy:1',
    'a b',
    '‮x',
    'x'.repeat(255),
    '%',
    "'; --",
    '🛒',
  ];
  for (const orderId of ids) {
    expect((await shop.report({ email: ann, amount: 5, orderId })).status).toBe(200);
    expect(
      (
        await shop.reportByKey(
          { email: ann, amount: 5, orderId, name: 'Ann' },
          { idempotencyKey: `k-${ids.indexOf(orderId)}` },
        )
      ).status,
    ).toBe(200);
    expect((await shop.refund({ orderId, refundId: `r-${ids.indexOf(orderId)}`, amount: 1 })).status).toBe(
      200,
    );
  }
  expect((await shop.report({ email: ann, amount: 5, orderId: 'a\u0000b' })).status).not.toBe(500);
  expect(
    (await shop.counted()).filter(
      ([, email, amount, refunded]) => email === ann && amount === 5 && refunded === 1,
    ),
  ).toHaveLength(ids.length);
});

test('fifty reports at once of one order, and of two crosswise, on two servers end as one and two', async ({
  server,
  beside,
}) => {
  const shop = await openShopkeeper(server);
  const shops = [shop, shopAt(beside, shop)];
  const one = Array.from({ length: 50 }, (_, n) =>
    n % 2 === 0
      ? shops[(n >> 1) % 2]!.report({ email: ann, amount: 5, orderId: 'one', shopOrderId: '1' })
      : shops[(n >> 1) % 2]!.reportByKey(
          { email: ann, amount: 5, orderId: 'one' },
          { idempotencyKey: `one-${n % 8}` },
        ),
  );
  expect(new Set((await Promise.all(one)).map(({ status }) => status))).toEqual(new Set([200]));
  const crosswise = Array.from({ length: 50 }, (_, n) => {
    const [orderId, shopOrderId] = n % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    return shops[(n >> 1) % 2]!.report({ email: `${orderId}@shop.example`, amount: 5, orderId, shopOrderId });
  });
  for (const { status } of await Promise.all(crosswise)) expect([200, 409]).toContain(status);
  const orders = await shop.counted();
  expect(orders.filter(([id]) => id === 'one')).toEqual([['one', ann, 5, 0]]);
});

test('a job that reports an order each night with a new key and the same words adds no statement', async ({
  server,
}) => {
  const shop = await openShopkeeper(server);
  await shop.report({ email: ann, amount: 5, orderId: '1' });
  for (let n = 0; n < 12; n++)
    await shop.reportByKey({ email: ann, amount: 5, orderId: '1' }, { idempotencyKey: `night-${n}` });
  expect(await shop.sql`select from statement where team_id = ${shop.team}`).toHaveLength(2);
});

test('an order of a shop that was numbered 350 times, and has 500 refunds, still takes its next version', {
  tags: ['all', 'slow'],
}, async ({ server }) => {
  const shop = await openShopkeeper(server);
  const at = (n: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, n)).toISOString().slice(0, 19);
  for (let n = 0; n < 350; n++) await shop.woo(wooOrder(23, { number: `N-${n}`, date_modified_gmt: at(n) }));
  const refunds = Array.from({ length: 500 }, (_, n) => ({ id: n + 1, reason: '', total: '-0.01' }));
  await shop.woo(wooOrder(23, { number: 'N-350', date_modified_gmt: at(350), total: '60.00', refunds }));
  const [order] = await shop.counted();
  expect([order![0], order![2], Math.round(100 * (order![3] as number))]).toEqual(['N-350', 60, 500]);
});

test('a refund that is sent again is known, though its number means another order since', async ({
  server,
}) => {
  const shop = await openShopkeeper(server);
  await shop.reportByKey({ email: ann, amount: 50, currency: 'EUR', orderId: '230' });
  const refund = { orderId: '230', refundId: 'r-1', amount: 5 };
  expect((await shop.refund(refund)).status).toBe(200);
  await shop.woo(
    wooOrder(230, { total: '70.00', billing: { email: mallory }, date_paid_gmt: '2026-03-01T10:00:04' }),
  );
  const orders = [
    ['230', ann, 50, 5],
    ['230', mallory, 70, 0],
  ];
  expect(await shop.counted()).toEqual(orders);
  expect((await shop.refund(refund)).body.data).toMatchObject({ isNew: false });
  expect(await shop.counted()).toEqual(orders);
});
