import { describe, expect, it } from 'vitest';
import { readReport } from '../src/orders/readReport.js';
import { mapWooCommerce } from '../src/sources/mapWooCommerce.js';
import { parseJson } from '../src/values/json.js';
import { meta, wooOrder } from './wooCommerceSamples.js';

const map = (topic: string | null, payload: unknown) => mapWooCommerce({ topic, payload });

/** The order that an event says. */
function orderOf(payload: unknown) {
  const [event] = map('order.updated', payload);
  if (event?.kind !== 'order') throw new Error(`No order: ${JSON.stringify(event)}`);
  return event;
}

const reportOf = (more: object) => orderOf(wooOrder(723, more)).report;

const unpaid = { date_paid: null, date_paid_gmt: null };

describe('an order', () => {
  it('has every field that WooCommerce states, and is a valid report', () => {
    const { report, ...rest } = orderOf(wooOrder(723));
    expect(rest).toEqual({ kind: 'order', paymentId: null, isTest: null, at: '2026-03-01T10:00:04Z' });
    expect(report).toEqual({
      orderId: '723',
      email: 'ann@shop.example',
      amount: 49.9,
      currency: 'EUR',
      source: 'STRIPE',
      name: 'Ann Example',
      visitorId: 'visitor-of-ann',
      items: [{ productId: 71, sku: 'TEE-M', name: 'T-shirt - M', quantity: 2, price: 24.95 }],
      tax: 7.97,
      shipping: 4.2,
      discount: 4.2,
      coupons: ['spring'],
    });
    expect(readReport({ ...report, teamId: 'team_1' }, true)).toMatchObject({ warnings: [] });
  });

  it.each<[string, object, object]>([
    ['the number that a plugin gave it', { number: 'W-2026-0001' }, { orderId: 'W-2026-0001' }],
    ['a number of an older release, which is no text', { number: 52 }, { orderId: '52' }],
    ['its id where it has no number', { number: '' }, { orderId: '723' }],
    ['an amount of many decimals', { total: '49.900000' }, { amount: 49.9 }],
    ['an amount that a float printed', { total: '49.899999999999999' }, { amount: 49.9 }],
    ['an amount of three decimals', { total: '12.500', currency: 'KWD' }, { amount: 12.5, currency: 'KWD' }],
    ['no money at all', { total: '0.00' }, { amount: 0 }],
    [
      'the name on the parcel',
      { billing: { first_name: '', last_name: '', email: 'ann@shop.example' } },
      { name: 'Ann Example' },
    ],
    [
      'a part of a name',
      { billing: { first_name: 'Ann', last_name: null, email: 'ann@shop.example' } },
      { name: 'Ann' },
    ],
    ['the payment by PayPal', { payment_method: 'ppcp-gateway' }, { source: 'PAYPAL' }],
    ['the payment to a bank', { payment_method: 'bacs' }, { source: 'MANUAL' }],
    ['another payment', { payment_method: 'klarna_checkout' }, { source: 'OTHER' }],
    ['a subscription’s renewal', { created_via: 'subscription', parent_id: 700 }, { orderId: '723' }],
  ])('has %s', (_title, more, expected) => {
    expect(reportOf(more)).toMatchObject(expected);
  });

  it('keeps an amount that is no exact number as it is, so that it is refused and kept', () => {
    const report = reportOf({ total: '12345678901234567.89' });
    expect(report.amount).toBe('12345678901234567.89');
    expect(readReport({ ...report, teamId: 'team_1' }, true).issues).toMatchObject([{ path: ['amount'] }]);
  });

  it('of a guest without an email is refused and kept', () => {
    const report = reportOf({ billing: { email: '' } });
    expect(report).not.toHaveProperty('email');
    expect(readReport({ ...report, teamId: 'team_1' }, true).issues).toMatchObject([{ path: ['email'] }]);
  });

  it('has no field without a value, and prices that no tax and no variation change', () => {
    const plain = {
      product_id: 7,
      variation_id: 0,
      sku: '',
      name: 'Tip',
      quantity: 3,
      total: '10.00',
      total_tax: '0.00',
      price: 3.3333333333333335,
    };
    const gift = {
      product_id: 8,
      variation_id: 0,
      name: 'Gift',
      quantity: 0,
      total: '0.00',
      total_tax: '0.00',
      price: 0,
    };
    const report = reportOf({ line_items: [plain, gift], meta_data: [], coupon_lines: [] });
    expect(report.items).toEqual([
      { productId: 7, name: 'Tip', quantity: 3, price: 3.3333 },
      { productId: 8, name: 'Gift', quantity: 0, price: 0 },
    ]);
    expect(report).not.toHaveProperty('visitorId');
    expect(report).not.toHaveProperty('coupons');
  });

  it('has the landings that the shop’s hook handed over', () => {
    expect(reportOf({ meta_data: [meta('_orderbeacon_landings', 'MTc3Mg==')] })).toMatchObject({
      landings: 'MTc3Mg==',
    });
  });

  it('ignores a visitor that is no text', () => {
    expect(reportOf({ meta_data: [meta('_orderbeacon_visitor', { a: 1 })] })).not.toHaveProperty('visitorId');
  });

  it.each<[string, object]>([
    ['processing', {}],
    ['completed', {}],
    ['processing without a date of payment', unpaid],
    ['cancelled', {}],
    ['on-hold', {}],
    ['failed', {}],
    ['trash', {}],
    ['shipped', {}],
  ])('that was paid counts while it is %s', (status, more) => {
    expect(reportOf({ status: status.split(' ')[0], ...more })).toEqual(reportOf({}));
  });

  it('has the time of its payment, or else of its creation', () => {
    expect(orderOf(wooOrder(1, unpaid)).at).toBe('2026-03-01T10:00:00Z');
  });
});

describe('nothing is stored', () => {
  it.each<[string, string | null, unknown]>([
    ...['pending', 'on-hold', 'failed', 'cancelled', 'trash', 'checkout-draft'].map(
      (status): [string, string, unknown] => [
        `of an order that is ${status} and was not paid`,
        'order.updated',
        wooOrder(1, { ...unpaid, status }),
      ],
    ),
    [
      'of an unpaid order with a refund',
      'order.updated',
      wooOrder(1, { ...unpaid, status: 'on-hold', refunds: [{ id: 2, total: '-1.00' }] }),
    ],
    ['of a deleted order', 'order.deleted', { id: 723 }],
    ['of a product', 'product.updated', { id: 7, name: 'T-shirt', status: 'publish' }],
    ['of a subscription', 'subscription.updated', wooOrder(1)],
    ['of an action', 'action.woocommerce_order_refunded', { action: 'woocommerce_order_refunded', arg: 723 }],
  ])('%s', (_title, topic, payload) => {
    expect(map(topic, payload)).toEqual([{ kind: 'ignored', why: expect.any(String) }]);
  });
});

it.each<[string, string | null, unknown]>([
  ['without a topic', null, wooOrder(1)],
  ['with an empty topic', '', wooOrder(1)],
  ['without an order', 'order.updated', {}],
  ['that is a text', 'order.updated', 'order'],
  ['that is a list', 'order.updated', [wooOrder(1)]],
])('an event %s says nothing, so that it is kept as it came', (_title, topic, payload) => {
  expect(map(topic, payload)).toEqual([]);
});

describe('a refund', () => {
  const refunds = [
    { id: 726, reason: '', total: '-10.00' },
    { id: 725, reason: 'Too small', total: '-24.950000' },
  ];

  it('is each one that the order lists', () => {
    const [order, ...said] = map(
      'order.updated',
      wooOrder(723, { refunds, date_modified_gmt: '2026-03-05T09:00:00' }),
    );
    const expected = {
      kind: 'refund',
      orderId: '723',
      paymentId: null,
      isTest: null,
      at: '2026-03-05T09:00:00Z',
    };
    expect(order).toEqual(orderOf(wooOrder(723)));
    expect(said).toEqual([
      { ...expected, refundId: '726', amount: 10, reason: null },
      { ...expected, refundId: '725', amount: 24.95, reason: 'Too small' },
    ]);
  });

  it('names the order by the number that a plugin gave it', () => {
    expect(map('order.updated', wooOrder(723, { refunds, number: 'W-1' }))).toMatchObject([
      { report: { orderId: 'W-1' } },
      { orderId: 'W-1' },
      { orderId: 'W-1' },
    ]);
  });

  it('of the whole order leaves the order as it was', () => {
    const whole = wooOrder(723, { status: 'refunded', refunds: [{ id: 725, reason: '', total: '-49.90' }] });
    expect(map('order.updated', whole)).toMatchObject([
      { report: reportOf({}) },
      { refundId: '725', amount: 49.9 },
    ]);
  });

  it('without an id, or of nothing, is left out', () => {
    const odd = [{ id: null, total: '-1.00' }, { id: 1, total: '0.00' }, null];
    expect(map('order.updated', wooOrder(723, { refunds: odd }))).toHaveLength(1);
  });
});

it('says the same of an order, whichever event tells it', () => {
  const topics = ['order.created', 'order.updated', 'order.restored'];
  for (const topic of topics) expect(map(topic, wooOrder(723))).toEqual(map(topics[0]!, wooOrder(723)));
});

it('keeps an id that no 64-bit float holds', () => {
  const body = JSON.stringify(wooOrder(1, { number: undefined })).replace(
    '"id":1',
    '"id":12345678901234567890',
  );
  expect(orderOf(parseJson(body)).report.orderId).toBe('12345678901234567890');
});

it('never throws, whatever a field holds', () => {
  const order = wooOrder(723, { refunds: [{ id: 725, reason: '', total: '-1.00' }] });
  const odd = [null, undefined, 0, '', 'x', [], {}, [null], { a: 1 }, Symbol('1e400'), true];
  const [line] = order.line_items;
  for (const value of odd)
    for (const part of Object.keys(line!))
      expect(map('order.updated', { ...order, line_items: [{ ...line, [part]: value }] })).toHaveLength(2);
  for (const field of Object.keys(order))
    for (const value of odd)
      expect(map('order.updated', { ...order, [field]: value }).length).toBeLessThan(4);
});
