import { describe, expect, it } from 'vitest';
import { readReport } from '../src/orders/readReport.js';
import { mapShopify } from '../src/sources/mapShopify.js';
import { parseJson } from '../src/values/json.js';
import { paidOrder, refundOf, returned, set } from './shopifySamples.js';

const map = (topic: string | null, payload: unknown) => mapShopify({ topic, payload });

/** The order that an event about an order says. */
function orderOf(payload: unknown, topic = 'orders/paid') {
  const [event] = map(topic, payload);
  if (event?.kind !== 'order') throw new Error(`No order: ${JSON.stringify(event)}`);
  return event;
}

const reportOf = (more: object) => orderOf(paidOrder(5001, more)).report;

describe('an order', () => {
  it('has every field that Shopify states, and is a valid report', () => {
    const { report, ...rest } = orderOf(paidOrder(5001));
    expect(rest).toEqual({
      kind: 'order',
      paymentId: null,
      isTest: false,
      at: '2026-03-01T10:00:00+01:00',
    });
    expect(report).toEqual({
      orderId: '5001',
      email: 'ann@shop.example',
      amount: 49.9,
      currency: 'EUR',
      source: 'OTHER',
      name: 'Ann Example',
      visitorId: 'visitor-of-ann',
      items: [{ productId: 7, sku: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 }],
      tax: 7.97,
      shipping: 5,
      discount: 5,
      coupons: ['SPRING'],
      shopOrder: '#1001',
    });
    expect(readReport({ ...report, teamId: 'team_1' }, true)).toMatchObject({ warnings: [] });
  });

  it.each<[string, object, object]>([
    ['the email of the contact', { email: '' }, { email: 'ann@shop.example' }],
    [
      'the email of the customer',
      { email: null, contact_email: null, customer: { email: 'bob@shop.example' } },
      { email: 'bob@shop.example' },
    ],
    ['the name on the bill, without a customer', { customer: null }, { name: 'Ann Example' }],
    ['a part of a name', { customer: { first_name: null, last_name: 'Example' } }, { name: 'Example' }],
    ['no money at all', { total_price: '0.00', total_price_set: set('0.00') }, { amount: 0 }],
    [
      'the buyer’s currency',
      { currency: 'USD', presentment_currency: 'JPY', total_price_set: set('49.90', '7510', 'USD', 'JPY') },
      { amount: 7510, currency: 'JPY' },
    ],
    [
      'the shop’s currency where Shopify states no other',
      { total_price_set: undefined, total_price: '10.50', presentment_currency: 'JPY' },
      { amount: 10.5, currency: 'EUR' },
    ],
    ['the amount before it is reduced by a return', { current_total_price: '24.95' }, { amount: 49.9 }],
    [
      'the visitor of the recipe of release 0.2',
      { note_attributes: [{ name: 'visitorId', value: 'v' }] },
      { visitorId: 'v' },
    ],
    ['the payment by PayPal', { payment_gateway_names: ['paypal'] }, { source: 'PAYPAL' }],
    ['the payment by hand', { payment_gateway_names: ['Cash on Delivery (COD)'] }, { source: 'MANUAL' }],
    ['a draft that was paid', { source_name: 'shopify_draft_order', checkout_id: null }, { amount: 49.9 }],
    ['a subscription’s renewal', { source_name: 'subscription_contract' }, { orderId: '5001' }],
  ])('has %s', (_title, more, expected) => {
    expect(reportOf(more)).toMatchObject(expected);
  });

  it('has the landings that the theme handed over', () => {
    const notes = [
      { name: '_orderbeacon_visitor', value: 'v' },
      { name: '_orderbeacon_landings', value: 'MTc3Mg==' },
    ];
    expect(reportOf({ note_attributes: notes })).toMatchObject({ visitorId: 'v', landings: 'MTc3Mg==' });
  });

  it('of a till without a customer has no email, so that it is refused and kept', () => {
    const till = {
      email: '',
      contact_email: null,
      customer: null,
      billing_address: null,
      source_name: 'pos',
    };
    const report = reportOf(till);
    expect(report).not.toHaveProperty('email');
    expect(report).not.toHaveProperty('name');
    expect(readReport({ ...report, teamId: 'team_1' }, true).issues).toMatchObject([{ path: ['email'] }]);
  });

  it('has no field without a value', () => {
    const bare = {
      note_attributes: [],
      line_items: [],
      discount_codes: [],
      payment_gateway_names: [],
      total_tax: null,
      total_tax_set: null,
    };
    expect(Object.keys(reportOf(bare)).sort()).toEqual([
      'amount',
      'currency',
      'discount',
      'email',
      'name',
      'orderId',
      'shipping',
      'shopOrder',
      'source',
    ]);
    const line = { product_id: null, sku: '', title: 'Tip', variant_title: null, quantity: 1, price: '3.00' };
    expect(reportOf({ line_items: [line] }).items).toEqual([{ name: 'Tip', quantity: 1, price: 3 }]);
  });

  it('is a test where Shopify says so, as the sample of its test button', () => {
    const sample = { id: '820982911946154508', financial_status: 'voided', test: true };
    expect(orderOf(paidOrder(1, sample))).toMatchObject({
      isTest: true,
      report: { orderId: '820982911946154508' },
    });
  });

  it('keeps an id that no 64-bit float holds', () => {
    const body = JSON.stringify(paidOrder(1)).replace('"id":1', '"id":820982911946154508');
    expect(orderOf(parseJson(body)).report.orderId).toBe('820982911946154508');
  });
});

describe('nothing is stored', () => {
  it.each<[string, string | null, unknown]>([
    ['of an order that waits for money', 'orders/create', paidOrder(1, { financial_status: 'pending' })],
    ['of an authorized payment', 'orders/updated', paidOrder(1, { financial_status: 'authorized' })],
    ['of a partial payment', 'orders/partially_paid', paidOrder(1, { financial_status: 'partially_paid' })],
    [
      'of a partial payment that is named paid',
      'orders/paid',
      paidOrder(1, { financial_status: 'partially_paid' }),
    ],
    [
      'of an order that was cancelled before it was paid',
      'orders/cancelled',
      paidOrder(1, { financial_status: 'voided' }),
    ],
    ['of a draft', 'draft_orders/create', { id: 1, order_id: null, status: 'open', total_price: '9.00' }],
    ['of an edit, which tells only the change', 'orders/edited', { order_edit: { id: 1, order_id: 5001 } }],
    ['of a deleted order', 'orders/delete', { id: 5001 }],
    ['of a product', 'products/update', { id: 7, title: 'T-shirt' }],
    ['of a refund that returns no money', 'refunds/create', refundOf(1, 2, [])],
    [
      'of a refund that failed',
      'refunds/create',
      refundOf(1, 2, [returned(3, '9.00', { status: 'failure' })]),
    ],
    [
      'of a refund that is not sure yet',
      'refunds/create',
      refundOf(1, 2, [returned(3, '9.00', { status: 'pending' })]),
    ],
    ['of a voided authorization', 'refunds/create', refundOf(1, 2, [returned(3, '9.00', { kind: 'void' })])],
    ['of a refund of nothing', 'refunds/create', refundOf(1, 2, [returned(3, '0.00')])],
  ])('%s', (_title, topic, payload) => {
    expect(map(topic, payload)).toEqual([{ kind: 'ignored', why: expect.any(String) }]);
  });
});

it.each<[string, string | null, unknown]>([
  ['without a topic', null, paidOrder(1)],
  ['with an empty topic', '', paidOrder(1)],
  ['without an order', 'orders/paid', { ...paidOrder(1), id: null }],
  ['that is a text', 'orders/paid', 'order'],
  ['that is a list', 'orders/updated', [paidOrder(1)]],
  [
    'of a refund that names no order',
    'refunds/create',
    { ...refundOf(1, 2, [returned(3, '9.00')]), order_id: null },
  ],
])('an event %s says nothing, so that it is kept as it came', (_title, topic, payload) => {
  expect(map(topic, payload)).toEqual([]);
});

describe('a refund', () => {
  it('is each transaction that returned money', () => {
    const transactions = [returned(31, '20.00'), returned(32, '4.95', { gateway: 'gift_card' })];
    const expected = {
      kind: 'refund',
      orderId: '5001',
      paymentId: null,
      reason: 'Too small',
      isTest: false,
      at: '2026-03-05T09:00:00+01:00',
    };
    expect(map('refunds/create', refundOf(5001, 30, transactions))).toEqual([
      { ...expected, refundId: '31', amount: 20 },
      { ...expected, refundId: '32', amount: 4.95 },
    ]);
  });

  it('of the shipping alone counts', () => {
    const more = { note: null, refund_line_items: [], refund_shipping_lines: [{ id: 9 }] };
    expect(map('refunds/create', refundOf(5001, 30, [returned(31, '5.00')], more))).toMatchObject([
      { kind: 'refund', amount: 5, reason: null },
    ]);
  });

  it('is the same in each event that tells it', () => {
    const refund = refundOf(5001, 30, [returned(31, '24.95')]);
    const state = { refunds: [refund], cancelled_at: '2026-03-05T09:00:00+01:00' };
    const cancelled = paidOrder(5001, { ...state, financial_status: 'partially_refunded' });
    expect(map('orders/cancelled', cancelled)).toEqual([
      expect.objectContaining({ kind: 'order', report: reportOf({}) }),
      ...map('refunds/create', refund),
    ]);
    expect(map('orders/updated', cancelled)).toEqual(map('orders/cancelled', cancelled));
  });

  it('of a deposit leaves the order unpaid, and of the whole amount does not', () => {
    const refunded = (amount: string) =>
      map(
        'orders/cancelled',
        paidOrder(5001, {
          financial_status: 'refunded',
          refunds: [refundOf(5001, 30, [returned(31, amount)])],
        }),
      ).map(({ kind }) => kind);
    expect(refunded('20.00')).toEqual(['ignored', 'refund']);
    expect(refunded('49.90')).toEqual(['order', 'refund']);
  });

  it('of an edited order returns the money of the line that was taken out', () => {
    const lines = paidOrder(1).line_items.map((line) => ({ ...line, current_quantity: 1 }));
    const edited = {
      line_items: lines,
      current_total_price: '24.95',
      refunds: [refundOf(5001, 30, [returned(31, '24.95')])],
    };
    expect(
      map('orders/updated', paidOrder(5001, { ...edited, financial_status: 'partially_refunded' })),
    ).toMatchObject([
      { kind: 'order', report: { amount: 49.9 } },
      { kind: 'refund', amount: 24.95 },
    ]);
  });
});

it('says the same of an order, whichever event tells it', () => {
  const topics = ['orders/create', 'orders/paid', 'orders/updated', 'orders/fulfilled', 'orders/cancelled'];
  const said = topics.map((topic) => map(topic, paidOrder(5001)));
  for (const events of said) expect(events).toEqual(said[0]);
});

it('never throws, whatever a field holds', () => {
  const order = paidOrder(5001, { refunds: [refundOf(5001, 30, [returned(31, '1.00')])] });
  const odd = [null, undefined, 0, '', 'x', [], {}, [null], { a: 1 }, Symbol('1e400'), true];
  for (const field of Object.keys(order))
    for (const value of odd)
      for (const topic of ['orders/paid', 'refunds/create'])
        expect(map(topic, { ...order, [field]: value }).length).toBeLessThan(4);
});
