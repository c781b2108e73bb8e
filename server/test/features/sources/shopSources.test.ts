import { describe, expect } from 'vitest';
import { tilesOf } from '../../kit/html.js';
import { type Shop, test } from '../../kit/shop.js';
import { replay } from '../refused/kit/refused.js';
import { paidOrder, refundOf, returned } from './kit/shopifySamples.js';
import { addTestSource, type TestSource } from './kit/sources.js';
import { meta, wooOrder } from './kit/wooCommerceSamples.js';

/** Sends an event. Resolves with its outcomes. */
async function say(source: TestSource, topic: string, payload: unknown): Promise<string[]> {
  const { status, body } = await source.say(payload, topic);
  expect([topic, status]).toEqual([topic, 200]);
  return body.data.outcomes;
}

const shopifyOf = ({ server, team }: Shop) => addTestSource(server, team, { kind: 'shopify' });
const wooOf = ({ server, team }: Shop) => addTestSource(server, team, { kind: 'woocommerce' });

/** Reads a stored live order, as a backend does. */
const readOrder = async (shop: Shop, orderId: number | string) =>
  (await shop.read(String(orderId))).body.data;

const noEmail = { email: null, contact_email: null, customer: null };

describe('Shopify', () => {
  test('stores a paid order once, with every field, whatever it repeats', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    const outcomes = [
      await say(shopify, 'orders/create', paidOrder(1001, { financial_status: 'pending' })),
      await say(shopify, 'orders/paid', paidOrder(1001)),
      await say(shopify, 'orders/paid', paidOrder(1001)),
      await say(shopify, 'orders/updated', paidOrder(1001)),
    ];
    expect(outcomes.flat()).toEqual(['ignored', 'new', 'known', 'known']);
    expect(await shop.stored()).toHaveLength(1);
    expect(await readOrder(shop, 1001)).toMatchObject({
      isTest: false,
      amount: 49.9,
      currency: 'EUR',
      email: 'ann@shop.example',
      reportedBy: 'key',
      extra: { tax: 7.97, shipping: 5, discount: 5, coupons: ['SPRING'], shopOrder: '#1001' },
      items: [{ productId: 7, sku: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 }],
      createdAt: '2026-03-01T09:00:00.000Z',
    });
  });

  test('stores an order without an email as one of nobody, until a report names the buyer', async ({
    shop,
  }) => {
    const shopify = await shopifyOf(shop);
    expect(await say(shopify, 'orders/paid', paidOrder(1007, noEmail))).toEqual(['new']);
    expect(await shop.stored()).toMatchObject([{ email: 'shopify-order-1007@no-email.invalid' }]);
    const { stdout } = await shop.command('order', 'export', '--format', 'csv');
    expect(stdout).not.toContain('no-email.invalid');
    const sequenceId = JSON.parse(
      (await shop.command('sequence', 'create', '--name', 'S', '--json')).stdout,
    ).id;
    const enrolled = await shop.enroll({ email: 'shopify-order-1007@no-email.invalid', sequenceId });
    expect([enrolled.status, enrolled.body.error?.code]).toEqual([404, 'person_not_found']);
    await shop.reportByKey({ orderId: '1007', email: 'ann@shop.example', currency: 'EUR' });
    expect(await say(shopify, 'orders/updated', paidOrder(1007, noEmail))).toEqual(['known']);
    expect(await shop.stored()).toMatchObject([{ email: 'ann@shop.example' }]);
    expect(await shop.refused()).toEqual([]);
  });

  test('keeps a refund whose amount cannot be read for somebody to report it', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    await say(shopify, 'orders/paid', paidOrder(1001));
    const refund = refundOf(1001, 1, [returned(11, '10,00')]);
    expect(await say(shopify, 'refunds/create', refund)).toEqual(['kept']);
    const [kept] = await shop.refused();
    expect(kept).toMatchObject({ reason: 'refund_not_stored', field: 'amount', amount: null });
    expect(JSON.parse(kept!.body)).toMatchObject({ orderId: '1001', refunds: [{ amount: '10,00' }] });
    // Corrected like an order, a refund would become an order.
    const changes = { email: 'ann@shop.example', amount: 10, orderId: '1002' };
    const replayed = await replay(shop.sql, shop.team, { ids: [kept!.id] }, { changes });
    expect([...replayed]).toMatchObject([{ outcome: { kind: 'refused', code: 'refund_not_stored' } }]);
    expect(await shop.stored()).toMatchObject([{ orderId: '1001' }]);
  });

  test.for<[string, object]>([
    ['a reason with NUL and half a surrogate pair', { note: 'a\0b\ud83d' }],
    ['a reason of 10,000 characters', { note: 'x'.repeat(10_000) }],
    [
      'a refund id of 10,000 characters',
      { transactions: [returned(11, '1.00', { id: 'x'.repeat(10_000) })] },
    ],
    ['an order id of 10,000 characters', { order_id: 'x'.repeat(10_000) }],
    ['an order id with NUL', { order_id: 'a\0b' }],
    ['no money', { transactions: [returned(11, '0.00')] }],
    ['negative money', { transactions: [returned(11, '-1.00')] }],
    ['money beyond every bound', { transactions: [returned(11, '1', { amount: 1e300 })] }],
    ['a time that is none', { transactions: [returned(11, '1.00', { processed_at: 'soon' })] }],
    [
      'a time before the common era',
      { transactions: [returned(11, '1', { processed_at: '-000044-03-15' })] },
    ],
  ])('answers a refund with %s with 200', async ([_, more], { shop }) => {
    const shopify = await shopifyOf(shop);
    await say(shopify, 'orders/paid', paidOrder(1001));
    const refund = { ...refundOf(1001, 1, [returned(11, '1.00')]), ...more };
    expect(await say(shopify, 'refunds/create', refund)).toHaveLength(1);
  });
});

describe('WooCommerce', () => {
  test('stores a paid order once, by the number that its page has, with the way of its visitor', async ({
    shop,
  }) => {
    const woo = await wooOf(shop);
    const landings = Buffer.from('1772000000000 news.example ?utm_source=letter /').toString('base64');
    const numbered = { number: 'W-723', meta_data: [meta('_orderbeacon_landings', landings)] };
    const unpaid = { status: 'on-hold', date_paid: null, date_paid_gmt: null, payment_method: 'bacs' };
    const outcomes = [
      await say(woo, 'order.created', wooOrder(723, { ...numbered, ...unpaid })),
      await say(woo, 'order.updated', wooOrder(723, numbered)),
      await say(woo, 'order.updated', wooOrder(723, { ...numbered, status: 'completed' })),
      await say(woo, 'order.deleted', { id: 723 }),
    ];
    expect(outcomes.flat()).toEqual(['ignored', 'new', 'known', 'ignored']);
    await shop.report({ orderId: 'W-723', email: 'ann@shop.example', currency: 'EUR', visitorId: 'v' });
    expect(await shop.stored()).toHaveLength(1);
    expect(await readOrder(shop, 'W-723')).toMatchObject({
      amount: 49.9,
      source: 'STRIPE',
      reportedBy: 'both',
      visitorId: 'v',
      firstTouch: { source: 'letter', referrer: 'news.example' },
      extra: { tax: 7.97, shipping: 4.2, discount: 4.2, coupons: ['spring'] },
      items: [{ productId: 71, sku: 'TEE-M', name: 'T-shirt - M', quantity: 2, price: 24.95 }],
      createdAt: '2026-03-01T10:00:04.000Z',
    });
  });

  test('stores an order whose refund is less than a millionth of its currency', async ({ shop }) => {
    const refunds = [{ id: 9, reason: '', total: '-0.00000050' }];
    const sent = wooOrder(2, { currency: 'BTC', total: '0.00100000', refunds });
    expect(await say(await wooOf(shop), 'order.updated', sent)).toEqual(['new', 'refund']);
    expect(await readOrder(shop, 2)).toMatchObject({ amount: 0.001, refundedAmount: 0.0000005 });
  });
});

test.for<[string, object]>([
  ['a number with NUL', { number: 'a\0b' }],
  ['an id with NUL', { id: 'a\0b' }],
  ['a refund whose id has NUL', { refunds: [{ id: 'a\0b', total: '-1.00' }] }],
])('answers an order of WooCommerce with %s with 200', async ([_, more], { shop }) => {
  const woo = await wooOf(shop);
  expect(await say(woo, 'order.updated', wooOrder(723, more))).toBeDefined();
});

test('a source knows its order again that a person has stored corrected, and takes its later amounts', async ({
  shop,
}) => {
  const source = await wooOf(shop);
  const outcomes: unknown[] = [];
  for (const total of ['49.90', '60.00']) {
    await say(source, 'order.updated', wooOrder(723, { total, billing: { email: 'ann' } }));
    const [kept] = await shop.refused();
    const changes = { email: 'ann@shop.example' };
    const [replayed] = await replay(shop.sql, shop.team, { ids: [kept!.id] }, { changes });
    outcomes.push(replayed?.outcome);
  }
  expect(outcomes).toMatchObject([{ kind: 'new' }, { kind: 'known' }]);
  const created = { createdAt: '2026-03-01T10:00:04.000Z' };
  expect(await readOrder(shop, 723)).toMatchObject({ ...created, amount: 60 });
  const later = { total: '70.00', date_modified_gmt: '2026-03-02T10:00:00' };
  await say(source, 'order.updated', wooOrder(723, later));
  expect(await readOrder(shop, 723)).toMatchObject({ ...created, amount: 70 });
});

describe('WooCommerce', () => {
  const refunded = (...ids: number[]) => ({
    refunds: ids.map((id) => ({ id, reason: '', total: '-10.00' })),
  });
  const at = (time: string) => ({ date_modified_gmt: `2026-03-01T${time}` });

  test('takes back a refund that left the order’s list, and no other one', async ({ shop }) => {
    const woo = await wooOf(shop);
    await say(woo, 'order.updated', wooOrder(723, { ...refunded(1, 2), ...at('11:00:00') }));
    await shop.refund({ orderId: '723', refundId: 'of-a-backend', amount: 1 });
    const without = wooOrder(723, { ...refunded(2), ...at('12:00:00') });
    expect(await say(woo, 'order.updated', without)).toEqual(['known', 'known', 'taken_back']);
    expect(await say(woo, 'order.updated', without)).toEqual(['known', 'known']);
    const { refunds, refundedAmount } = await readOrder(shop, 723);
    expect(refundedAmount).toBe(11);
    expect(refunds.map(({ refundId }: { refundId: string }) => refundId).sort()).toEqual([
      '2',
      'of-a-backend',
    ]);
  });

  test('takes back no refund that is on the list, though the prefix of the source looks like an email', {
    tags: ['all'],
  }, async ({ shop }) => {
    const woo = await addTestSource(shop.server, shop.team, {
      kind: 'woocommerce',
      orderIdPrefix: 'shop@de-',
    });
    for (const time of ['11:00:00', '12:00:00'])
      await say(woo, 'order.updated', wooOrder(723, { ...refunded(1, 2), ...at(time) }));
    expect(await readOrder(shop, 'shop@de-723')).toMatchObject({ refundedAmount: 20 });
  });

  test('of a shop whose clock is a year ahead, keeps a refund when the event before it comes later, and shows no time to come', async ({
    shop,
  }) => {
    const aheadMs = 365 * 86_400_000;
    const woo = await wooOf(shop);
    const event = (beforeMs: number, ...ids: number[]) => {
      const time = new Date(Date.now() + aheadMs - beforeMs).toISOString().slice(0, 23);
      return wooOrder(723, { ...refunded(...ids), date_modified_gmt: time });
    };
    await say(woo, 'order.updated', event(0, 1));
    await say(woo, 'order.updated', event(1_300));
    const { refunds, refundedAmount } = await readOrder(shop, 723);
    expect([refundedAmount, refunds.length]).toEqual([10, 1]);
    expect(Date.parse(refunds[0].createdAt)).toBeLessThanOrEqual(Date.now());
    const tiles = tilesOf((await (await shop.console()).get('/console?range=today')).text);
    expect(Object.values(tiles).flat().join()).toContain('10.00');
  });

  test.for(['a source', 'a key'])(
    'a landing from the shop’s own domain has no referrer, by %s',
    async (by, { shop }) => {
      const landings = Buffer.from(`1772000000000 www.${shop.domain} ?utm_source=letter /`).toString(
        'base64',
      );
      if (by === 'a key') await shop.reportByKey({ orderId: '723', landings });
      else {
        const numbered = { meta_data: [meta('_orderbeacon_landings', landings)] };
        await say(await wooOf(shop), 'order.updated', wooOrder(723, numbered));
      }
      expect(await shop.stored()).toMatchObject([{ firstTouch: { source: 'letter', referrer: null } }]);
    },
  );

  test('two shops of one team that count alike have orders and refunds of their own by a prefix', async ({
    shop,
  }) => {
    const first = await wooOf(shop);
    const second = await addTestSource(shop.server, shop.team, { kind: 'woocommerce', orderIdPrefix: 'B-' });
    const bobs = { total: '70.00', billing: { email: 'bob@shop.example' }, ...refunded(1) };
    expect(await say(first, 'order.updated', wooOrder(501, refunded(1)))).toEqual(['new', 'refund']);
    expect(await say(second, 'order.updated', wooOrder(501, bobs))).toEqual(['new', 'refund']);
    expect(await readOrder(shop, 501)).toMatchObject({ amount: 49.9, refundedAmount: 10 });
    expect(await readOrder(shop, 'B-501')).toMatchObject({ amount: 70, refundedAmount: 10 });
  });
});
