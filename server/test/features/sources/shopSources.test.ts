import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { sumRefunds } from '../../../src/core/refunds/sql/listRefunds.js';
import { fewAndMany } from '../../kit/fewAndMany.js';
import { tilesOf } from '../../kit/html.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { replay } from '../refused/kit/refused.js';
import { annsVisitor, paidOrder, refundOf, returned, set } from './kit/shopifySamples.js';
import { addTestSource, type TestSource } from './kit/sources.js';
import { payment, stripeEvent } from './kit/stripeSamples.js';
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

  test('takes the mode of a refund from its order, whatever flag the refund has', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    await say(shopify, 'orders/paid', paidOrder(1001));
    const flagged = refundOf(1001, 1, [returned(11, '20.00', { test: true })]);
    expect(await say(shopify, 'refunds/create', flagged)).toEqual(['refund']);
    expect(await readOrder(shop, 1001)).toMatchObject({ refundedAmount: 20 });
  });

  test('returns the money of a lost dispute, and takes that back when it is won', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    await say(shopify, 'orders/paid', paidOrder(1001));
    const dispute = { id: 5, order_id: 1001, amount: '49.90', currency: 'EUR' };
    expect(await say(shopify, 'disputes/update', { ...dispute, status: 'lost' })).toEqual(['refund']);
    expect((await readOrder(shop, 1001)).refunds).toMatchObject([{ amount: 49.9, reason: 'dispute' }]);
    expect(await say(shopify, 'disputes/update', { ...dispute, status: 'won' })).toEqual(['taken_back']);
    expect(await readOrder(shop, 1001)).toMatchObject({ refundedAmount: 0, paymentStatus: 'PAID' });
  });

  test('a lost dispute stays, though no list of the order’s refunds has it', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    const event = (updated_at: string) =>
      say(shopify, 'orders/updated', paidOrder(1001, { refunds: [], updated_at }));
    await event('2026-03-01T10:00:00Z');
    const lost = { id: 5, order_id: 1001, amount: '10.00', currency: 'EUR', status: 'lost' };
    const at = { finalized_on: '2026-03-10T10:00:00Z' };
    expect(await say(shopify, 'disputes/update', { ...lost, ...at })).toEqual(['refund']);
    expect(await say(shopify, 'disputes/update', { ...lost, ...at })).toEqual(['known']);
    await event('2026-03-11T10:00:00Z');
    expect((await readOrder(shop, 1001)).refundedAmount).toBe(10);
  });

  test('shows a lost dispute in another currency than its order, and counts it as nothing', async ({
    shop,
  }) => {
    const shopify = await shopifyOf(shop);
    await say(shopify, 'orders/paid', paidOrder(1001));
    const lost = { id: 5, order_id: 1001, amount: '55.00', currency: 'USD', status: 'lost' };
    expect(await say(shopify, 'disputes/update', lost)).toEqual(['refund']);
    expect(await readOrder(shop, 1001)).toMatchObject({
      refundedAmount: 0,
      refunds: [{ amount: 55, currency: 'USD', reason: 'dispute' }],
    });
  });

  test('takes back no refund because of a list in which it was still pending', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    const list = (status: string, updated_at: string) =>
      paidOrder(1001, {
        refunds: [refundOf(1001, 1, [returned(11, '20.00', { status })])],
        financial_status: 'partially_refunded',
        updated_at,
      });
    await say(shopify, 'orders/updated', list('success', '2026-03-07T09:00:00+01:00'));
    await say(shopify, 'orders/updated', list('pending', '2026-03-06T09:00:00+01:00'));
    await say(shopify, 'orders/updated', list('success', '2026-03-08T09:00:00+01:00'));
    expect(await readOrder(shop, 1001)).toMatchObject({ refundedAmount: 20 });
  });

  test('counts a refund again that left the order’s list and is on a later one', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    const refunds = [refundOf(1001, 1, [returned(11, '20.00')])];
    const list = (updated_at: string, more: object = { refunds }) =>
      say(shopify, 'orders/updated', paidOrder(1001, { updated_at, ...more }));
    await list('2026-03-06T09:00:00+01:00');
    expect(await list('2026-03-07T09:00:00+01:00', { refunds: [] })).toContain('taken_back');
    expect(await list('2026-03-06T10:00:00+01:00')).not.toContain('refund');
    expect(await list('2026-03-08T09:00:00+01:00')).toContain('refund');
    const counted = [{ amount: 20, reason: 'Too small', createdAt: '2026-03-05T08:00:00.000Z' }];
    expect(await readOrder(shop, 1001)).toMatchObject({ refundedAmount: 20, refunds: counted });
  });

  test('refunds as much as it said of an order that only a page has reported, with less', async ({
    shop,
  }) => {
    const shopify = await shopifyOf(shop);
    await shop.report({ orderId: '1001', email: 'ann@shop.example', amount: 5, currency: 'EUR' });
    const refund = refundOf(1001, 1, [returned(11, '20.00'), returned(12, '40.00')]);
    await say(shopify, 'refunds/create', refund);
    const refunds = [{ amount: 20 }, { amount: 40 }];
    expect(await readOrder(shop, 1001)).toMatchObject({ refundedAmount: 5, refunds });
    await say(shopify, 'orders/paid', paidOrder(1001));
    expect(await readOrder(shop, 1001)).toMatchObject({ refundedAmount: 49.9, refunds });
  });

  test('stores one order and one refund of the same events at the same time', async ({ shop }) => {
    const shopify = await shopifyOf(shop);
    const refunds = [refundOf(1001, 1, [returned(11, '20.00')])];
    const event = paidOrder(1001, { refunds, financial_status: 'partially_refunded' });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => say(shopify, 'orders/updated', event)),
    );
    expect(outcomes.filter(([order]) => order === 'new')).toHaveLength(1);
    expect(outcomes.filter(([, refund]) => refund === 'refund')).toHaveLength(1);
    expect(await readOrder(shop, 1001)).toMatchObject({ amount: 49.9, refunds: [{ amount: 20 }] });
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

  test('stores each refund once, however often the order is told', async ({ shop }) => {
    const woo = await wooOf(shop);
    const refunds = [{ id: 1, reason: 'Too small', total: '-10.00' }];
    expect(await say(woo, 'order.updated', wooOrder(723, { refunds }))).toEqual(['new', 'refund']);
    expect(await say(woo, 'order.updated', wooOrder(723, { refunds }))).toEqual(['known', 'known']);
    refunds.unshift({ id: 2, reason: '', total: '-39.90' });
    const whole = wooOrder(723, { refunds, status: 'refunded' });
    expect(await say(woo, 'order.updated', whole)).toEqual(['known', 'refund', 'known']);
    expect((await readOrder(shop, 723)).refunds).toMatchObject([
      { refundId: '1', amount: 10, reason: 'Too small' },
      { refundId: '2', amount: 39.9, reason: null },
    ]);
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

describe('a source knows its order again', () => {
  const corrected = 'anna@shop.example';
  const shopify = {
    updated_at: '2026-03-02T10:00:00Z',
    email: corrected,
    total_price_set: set('60.00'),
    current_total_price: '60.00',
  };
  const woo = { date_modified_gmt: '2026-03-02T10:00:00', total: '60.00', billing: { email: corrected } };
  const histories: [string, (shop: Shop) => Promise<(() => Promise<unknown>)[]>][] = [
    [
      'Shopify',
      async (shop) => {
        const source = await shopifyOf(shop);
        return [{}, shopify].map((more) => () => say(source, 'orders/updated', paidOrder(1001, more)));
      },
    ],
    [
      'WooCommerce',
      async (shop) => {
        const source = await wooOf(shop);
        return [{}, woo].map((more) => () => say(source, 'order.updated', wooOrder(1001, more)));
      },
    ],
  ];

  test.for(histories)(
    'whose email and amount were corrected in %s: the later change counts, whichever event comes first',
    async ([_, eventsOf], { shop, server }) => {
      for (const isReversed of [false, true]) {
        const own = isReversed ? await openShop(server) : shop;
        const events = await eventsOf(own);
        for (const event of isReversed ? events.reverse() : events) await event();
        expect(await own.stored()).toMatchObject([{ email: corrected, amount: '60' }]);
        expect(await own.refused()).toEqual([]);
      }
    },
  );

  test('that a plugin of WooCommerce has numbered meanwhile', async ({ shop }) => {
    const source = await wooOf(shop);
    await say(source, 'order.updated', wooOrder(723));
    const refunds = [{ id: 1, reason: '', total: '-10.00' }];
    await say(source, 'order.updated', wooOrder(723, { number: 'W-1', refunds }));
    expect(await shop.stored()).toMatchObject([{ orderId: 'W-1' }]);
    for (const id of ['723', 'W-1']) expect((await shop.read(id)).body.data.refundedAmount).toBe(10);
    const later = { number: 'W-1', refunds: [], date_modified_gmt: '2026-03-02T10:00:00' };
    await say(source, 'order.updated', wooOrder(723, later));
    expect(await readOrder(shop, 723)).toMatchObject({ refundedAmount: 0 });
  });

  test('that a person has stored corrected, and takes its later amounts', async ({ shop }) => {
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

  test('but not in another order that has its number, of another buyer', async ({ shop, server }) => {
    await say(await wooOf(shop), 'order.updated', wooOrder(723));
    const second = await addTestSource(server, shop.team, { kind: 'woocommerce' });
    const bobs = {
      order_key: 'wc_order_of_bob',
      date_paid_gmt: '2026-03-02T10:00:04',
      billing: { email: 'bob@shop.example' },
    };
    expect(await say(second, 'order.updated', wooOrder(723, bobs))).toEqual(['new']);
    const [anns, ofBob] = await shop.stored();
    expect(ofBob).toMatchObject({ email: 'bob@shop.example', sharesIdWith: anns!.id });
  });

  test('whose buyer was erased: a later change of its amount counts, and names nobody', async ({ shop }) => {
    const source = await wooOf(shop);
    await say(source, 'order.updated', wooOrder(723));
    await shop.command('person', 'erase', '--email', 'ann@shop.example');
    await say(source, 'order.updated', wooOrder(723, woo));
    await say(source, 'order.updated', wooOrder(723));
    expect(await shop.stored()).toMatchObject([{ amount: '60', email: null, name: null }]);
  });
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

  test('takes back a refund of an order whose id another payment has, too', { tags: ['all'] }, async ({
    server,
    shop,
  }) => {
    const woo = await wooOf(shop);
    const stripe = await addTestSource(server, shop.team, { kind: 'stripe' });
    const pay = (id: string) =>
      stripe.say(
        stripeEvent(
          'payment_intent.succeeded',
          payment({ id, latest_charge: `ch_${id}`, metadata: { orderId: '723' } }),
        ),
      );
    for (const id of ['pi_1', 'pi_2']) expect((await pay(id)).body.data.outcomes).toEqual(['new']);
    await say(woo, 'order.updated', wooOrder(723, { ...refunded(1), ...at('11:00:00') }));
    const without = wooOrder(723, { ...refunded(), ...at('12:00:00') });
    expect(await say(woo, 'order.updated', without)).toContain('taken_back');
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

  const days = (...lists: [string, ...number[]][]) =>
    lists.map(([time, ...ids]) => wooOrder(723, { ...refunded(...ids), ...at(time) }));

  test.for<[string, [string, ...number[]][], number]>([
    ['in the list, not in it, in it again', [['11:00:00', 1], ['12:00:00'], ['13:00:00', 1]], 10],
    ['and not in it once more', [['11:00:00', 1], ['12:00:00'], ['13:00:00', 1], ['14:00:00']], 0],
    ['where the list without it comes last', [['11:00:00', 1], ['13:00:00', 1], ['12:00:00']], 10],
    ['where the first list comes last', [['12:00:00'], ['13:00:00', 1], ['11:00:00', 1]], 10],
    ['where the lists come backwards', [['13:00:00', 1], ['12:00:00'], ['11:00:00', 1]], 10],
    ['where the last list is without it, backwards', [['13:00:00'], ['12:00:00', 1], ['11:00:00']], 0],
    [
      'beside another one',
      [
        ['11:00:00', 1, 2],
        ['12:00:00', 2],
        ['13:00:00', 1, 2],
      ],
      20,
    ],
  ])('counts a refund by the latest list: %s', async ([, lists, money], { shop }) => {
    const woo = await wooOf(shop);
    for (const event of days(...lists)) await say(woo, 'order.updated', event);
    const { refunds, refundedAmount, amount } = await readOrder(shop, 723);
    expect([refundedAmount, refunds.length]).toEqual([money, money / 10]);
    const ever = { since: new Date(0), until: new Date('2100-01-01'), isTest: false };
    const sums = await sumRefunds(shop.sql, shop.team, ever);
    expect(sums.map((sum) => Number(sum.amount))).toEqual(money ? [money] : []);
    expect(amount).toBeGreaterThan(money);
  });

  test.for([
    ['6 seconds', 6_000],
    ['a day', 86_400_000],
    ['a year', 365 * 86_400_000],
  ] as const)(
    'of a shop whose clock is %s ahead, keeps a refund when the event before it comes later, and shows no time to come',
    async ([, aheadMs], { shop }) => {
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
    },
  );

  test('takes back no refund because of a list from before it', async ({ shop }) => {
    const woo = await wooOf(shop);
    await say(woo, 'order.updated', wooOrder(723, { ...refunded(1, 2), ...at('12:00:00') }));
    await say(woo, 'order.updated', wooOrder(723, { ...refunded(1), ...at('11:00:00') }));
    expect(await readOrder(shop, 723)).toMatchObject({ refundedAmount: 20 });
  });

  test('stores no refund of a list from before the one that it has left', async ({ shop }) => {
    const woo = await wooOf(shop);
    await say(woo, 'order.updated', wooOrder(723, { ...refunded(2), ...at('12:00:00') }));
    const before = wooOrder(723, { ...refunded(1, 2), ...at('11:00:00') });
    expect(await say(woo, 'order.updated', before)).toEqual(['known', 'ignored', 'known']);
    expect(await readOrder(shop, 723)).toMatchObject({ refundedAmount: 10 });
  });

  test('keeps a refund of an order that is not paid yet for its order', async ({ shop }) => {
    const woo = await wooOf(shop);
    const unpaid = { date_paid: null, date_paid_gmt: null, status: 'on-hold' };
    expect(await say(woo, 'order.updated', wooOrder(723, { ...unpaid, ...refunded(1) }))).toEqual([
      'ignored',
    ]);
    await say(woo, 'order.updated', wooOrder(723, refunded(1)));
    expect(await readOrder(shop, 723)).toMatchObject({ refundedAmount: 10 });
  });

  test('keeps the amount of the later change, whichever event comes first', async ({ shop }) => {
    const woo = await wooOf(shop);
    const edited = (id: number) => wooOrder(id, { total: '60.00', ...at('12:00:00') });
    const created = (id: number) => wooOrder(id, { total: '50.00', ...at('11:00:00') });
    await say(woo, 'order.updated', edited(1));
    await say(woo, 'order.created', created(1));
    await say(woo, 'order.created', created(2));
    await say(woo, 'order.updated', edited(2));
    expect((await shop.stored()).map(({ amount }) => amount)).toEqual(['60', '60']);
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

for (const { numRuns, tags } of fewAndMany(20))
  describe(`events and a page end in the same state in any order (${numRuns})`, { tags }, () => {
    /** Sends the events of an order in random orders of arrival, each time about another order, and checks its state. */
    async function inAnyOrder(
      eventsOf: (id: number) => (() => Promise<unknown>)[],
      expectState: (id: number) => Promise<void>,
    ) {
      let id = 1_000;
      const arrivals = fc.shuffledSubarray(
        eventsOf(0).map((_, at) => at),
        { minLength: eventsOf(0).length },
      );
      await fc.assert(
        fc.asyncProperty(arrivals, async (arrival) => {
          const events = eventsOf(++id);
          for (const at of arrival) await events[at]!();
          await expectState(id);
        }),
        { numRuns },
      );
    }
    const page = (shop: Shop, id: number) => () =>
      shop.report({
        orderId: `${id}`,
        email: 'ann@shop.example',
        amount: 5,
        currency: 'EUR',
        visitorId: 'v',
      });

    test('of Shopify', async ({ shop }) => {
      const shopify = await shopifyOf(shop);
      const refundsOf = (id: number) => [
        refundOf(id, 1, [returned(id * 10, '20.00')]),
        refundOf(id, 2, [returned(id * 10 + 1, '9.90')]),
      ];
      const cancelledOf = (id: number) =>
        paidOrder(id, {
          cancelled_at: '2026-03-05T09:00:00+01:00',
          financial_status: 'partially_refunded',
          refunds: refundsOf(id),
        });
      await inAnyOrder(
        (id) => [
          () => say(shopify, 'orders/create', paidOrder(id, { financial_status: 'authorized' })),
          () => say(shopify, 'orders/paid', paidOrder(id)),
          () => say(shopify, 'orders/updated', paidOrder(id)),
          ...refundsOf(id).map((refund) => () => say(shopify, 'refunds/create', refund)),
          () => say(shopify, 'orders/cancelled', cancelledOf(id)),
          page(shop, id),
        ],
        async (id) =>
          // If a page was first, the order keeps the time of its report.
          expect(await readOrder(shop, id)).toMatchObject({
            amount: 49.9,
            reportedBy: 'both',
            visitorId: annsVisitor,
            refunds: [
              { refundId: `${id * 10}`, amount: 20, createdAt: '2026-03-05T08:00:00.000Z' },
              { refundId: `${id * 10 + 1}`, amount: 9.9 },
            ],
          }),
      );
    });

    test('of WooCommerce', async ({ shop }) => {
      const woo = await wooOf(shop);
      const unpaid = { status: 'pending', date_paid: null, date_paid_gmt: null };
      const one = (id: number) => ({ id: id * 10, reason: 'Too small', total: '-10.00' });
      const two = (id: number) => ({ id: id * 10 + 1, reason: '', total: '-39.90' });
      const at = (second: number) => ({ date_modified_gmt: `2026-03-01T10:00:0${second}` });
      await inAnyOrder(
        (id) => [
          () => say(woo, 'order.created', wooOrder(id, { ...unpaid, ...at(4) })),
          () => say(woo, 'order.updated', wooOrder(id)),
          () => say(woo, 'order.updated', wooOrder(id, { ...at(6), refunds: [one(id)] })),
          () => say(woo, 'order.updated', wooOrder(id, { ...at(7), refunds: [two(id), one(id)] })),
          () => say(woo, 'order.deleted', { id }),
          page(shop, id),
        ],
        async (id) =>
          expect(await readOrder(shop, id)).toMatchObject({
            amount: 49.9,
            reportedBy: 'both',
            visitorId: annsVisitor,
            refunds: [
              { refundId: `${id * 10}`, amount: 10 },
              { refundId: `${id * 10 + 1}`, amount: 39.9 },
            ],
          }),
      );
    });
  });

test('two orders of a shop that have one number and one buyer are two, each with its own refund', {
  tags: ['all'],
}, async ({ shop }) => {
  const woo = await wooOf(shop);
  const numbered = (id: number, total: string, refunded?: string) =>
    wooOrder(id, {
      number: '230',
      order_key: `wc_order_${id}`,
      total,
      refunds: refunded ? [{ id: id * 10, reason: '', total: `-${refunded}` }] : [],
    });
  expect(await say(woo, 'order.updated', numbered(230, '30.00'))).toEqual(['new']);
  expect(await say(woo, 'order.updated', numbered(231, '50.00'))).toEqual(['new']);
  expect(await say(woo, 'order.updated', numbered(231, '50.00', '5.00'))).toEqual(['known', 'refund']);
  expect(await say(woo, 'order.updated', numbered(230, '30.00', '3.00'))).toEqual(['known', 'refund']);
  const [first, second] = await shop.stored();
  expect([first, second]).toMatchObject([
    { amount: '30', sharesIdWith: null },
    { amount: '50', sharesIdWith: first!.id },
  ]);
  const refunds = await shop.sql`
    select placed_order_id as id, amount::int from refund where team_id = ${shop.team} order by amount`;
  expect([...refunds]).toEqual([
    { id: first!.id, amount: 3 },
    { id: second!.id, amount: 5 },
  ]);
});
