import { describe, expect, it } from 'vitest';
import { mapStripe } from '../src/sources/mapStripe.js';
import type { SourceEvent } from '../src/sources/sourceEvent.js';
import { stripeAmount } from '../src/sources/stripeAmount.js';
import { charge, invoice, payment, refund, session, stripeEvent } from './stripeSamples.js';

const map = (type: string, object: Record<string, unknown>, fields = {}): SourceEvent[] =>
  mapStripe({ payload: stripeEvent(type, object, fields), topic: null });

/** The order that an event tells of, and the payments that it is known by. */
function orderOf(type: string, object: Record<string, unknown>, fields = {}) {
  const events = map(type, object, fields);
  const [event] = events;
  if (event?.kind !== 'order') return event;
  return { ...event.report, payments: events.map((each) => each.kind === 'order' && each.paymentId) };
}

const completed = 'checkout.session.completed';
const pi = 'pi_3MtwBwLkdIwHu7ix28a3tqPa';
const cs = 'cs_live_a1B2c3D4e5F6';
const ann = { email: 'ann@shop.example' };
const named = { ...ann, name: 'Ann Example' };
const paid = { amount: '49.90', currency: 'USD' };
const parts = { tax: 0.9, shipping: 5, discount: 1 };

describe('an order of Stripe is told by', () => {
  it.each<[string, unknown, object]>([
    [
      'a paid session',
      orderOf(completed, session()),
      { orderId: cs, ...named, ...paid, ...parts, payments: [pi] },
    ],
    [
      'a session with the shop’s own id and visitor',
      orderOf(completed, session({ metadata: { orderId: '1001', visitorId: 'v-1' } })),
      { orderId: '1001', visitorId: 'v-1', ...named, ...paid, ...parts, payments: [pi] },
    ],
    [
      'a session whose own id is none',
      orderOf(completed, session({ metadata: { order_id: 'undefined' } })),
      { orderId: cs, ...named, ...paid, ...parts, payments: [pi] },
    ],
    [
      'a session paid days later',
      orderOf('checkout.session.async_payment_succeeded', session()),
      { orderId: cs, ...named, ...paid, ...parts, payments: [pi] },
    ],
    [
      'a session of nothing',
      orderOf(
        completed,
        session({
          payment_status: 'no_payment_required',
          amount_total: 0,
          payment_intent: null,
          total_details: null,
        }),
      ),
      { orderId: cs, ...named, amount: '0.00', currency: 'USD', payments: [null] },
    ],
    [
      'a session that begins a subscription, known by its invoice',
      orderOf(
        completed,
        session({
          mode: 'subscription',
          payment_intent: null,
          invoice: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
          total_details: {},
        }),
      ),
      { orderId: cs, ...named, ...paid, payments: ['in_1MtHbELkdIwHu7ixl4OzzPMv'] },
    ],
    [
      'a session with an email of before, and expanded lines',
      orderOf(
        completed,
        session({
          customer_details: null,
          customer_email: 'ann@shop.example',
          total_details: null,
          line_items: {
            data: [
              {
                description: 'Shirt',
                quantity: 2,
                amount_total: 4_990,
                price: { unit_amount: 2_495, product: 'prod_1' },
              },
              'nothing',
              { description: 'Gift', quantity: 0, amount_total: 'free', price: null },
            ],
          },
        }),
      ),
      {
        orderId: cs,
        ...ann,
        ...paid,
        items: [{ productId: 'prod_1', name: 'Shirt', quantity: 2, price: 24.95 }, {}, { name: 'Gift' }],
        payments: [pi],
      },
    ],
    [
      'a payment',
      orderOf('payment_intent.succeeded', payment()),
      { orderId: pi, ...ann, ...paid, payments: [pi] },
    ],
    [
      'a payment of which a part was captured',
      orderOf('payment_intent.succeeded', payment({ amount_received: 2_000 })),
      { orderId: pi, ...ann, amount: '20.00', currency: 'USD', payments: [pi] },
    ],
    [
      'a payment without an email',
      orderOf('payment_intent.succeeded', payment({ receipt_email: null })),
      { orderId: pi, ...paid, payments: [pi] },
    ],
    [
      'a payment whose charge is expanded',
      orderOf('payment_intent.succeeded', payment({ receipt_email: null, latest_charge: charge() })),
      { orderId: pi, ...named, ...paid, payments: [pi] },
    ],
    [
      'a payment whose charges are listed, as before 2022-11-15',
      orderOf('payment_intent.succeeded', payment({ receipt_email: null, charges: { data: [charge()] } })),
      { orderId: pi, ...named, ...paid, payments: [pi] },
    ],
    [
      'a payment with the shop’s reference',
      orderOf('payment_intent.succeeded', payment({ payment_details: { order_reference: '#1001' } })),
      { orderId: '#1001', ...ann, ...paid, payments: [pi] },
    ],
    [
      'a payment with a reference that Stripe filled in',
      orderOf(
        'payment_intent.succeeded',
        payment({ payment_details: { order_reference: 'prod_SdyEZVLDpw7AbC' } }),
      ),
      { orderId: pi, ...ann, ...paid, payments: [pi] },
    ],
    [
      'a payment of an invoice',
      orderOf('payment_intent.succeeded', payment({ invoice: 'in_1MtHbELkdIwHu7ixl4OzzPMv' })),
      {
        orderId: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
        ...ann,
        ...paid,
        payments: [pi, 'in_1MtHbELkdIwHu7ixl4OzzPMv'],
      },
    ],
    ['a charge', orderOf('charge.succeeded', charge()), { orderId: pi, ...named, ...paid, payments: [pi] }],
    [
      'a charge without a payment, with the email of its receipt',
      orderOf(
        'charge.succeeded',
        charge({ payment_intent: null, billing_details: {}, receipt_email: 'ann@shop.example' }),
      ),
      {
        orderId: 'ch_3MtwBwLkdIwHu7ix2FEIVVqK',
        ...ann,
        ...paid,
        payments: ['ch_3MtwBwLkdIwHu7ix2FEIVVqK'],
      },
    ],
    [
      'the invoice of a renewal, with an id of its own',
      orderOf('invoice.paid', invoice()),
      {
        orderId: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
        ...named,
        amount: '15.00',
        currency: 'EUR',
        items: [{ productId: 'prod_2', name: '1 × Coffee (at €15.00)', quantity: 1, price: 15 }],
        payments: ['in_1MtHbELkdIwHu7ixl4OzzPMv'],
      },
    ],
    [
      'an invoice that names its payment',
      orderOf('invoice.paid', invoice({ payment_intent: pi, lines: null })),
      {
        orderId: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
        ...named,
        amount: '15.00',
        currency: 'EUR',
        payments: ['in_1MtHbELkdIwHu7ixl4OzzPMv', pi],
      },
    ],
  ])('%s', (_, told, expected) => {
    expect(told).toEqual(expected);
  });

  it('its event in test mode as a test, at the event’s time', () => {
    expect(map(completed, session(), { livemode: false })).toMatchObject([
      { isTest: true, at: '2025-11-22T08:26:40.000Z' },
    ]);
    expect(map(completed, session(), { livemode: 'x', created: -1 })).toMatchObject([
      { isTest: null, at: null },
    ]);
  });
});

it.each([
  ['an unpaid session', completed, session({ payment_status: 'unpaid' })],
  ['a session that sets up a payment method', completed, session({ mode: 'setup', amount_total: null })],
  ['a charge that is not captured', 'charge.succeeded', charge({ captured: false })],
  [
    'a payment of a subscription that names no invoice',
    'payment_intent.succeeded',
    payment({ description: 'Subscription creation' }),
  ],
  [
    'a charge of a subscription that names no invoice',
    'charge.succeeded',
    charge({ description: 'Subscription update' }),
  ],
  ['an invoice of nothing', 'invoice.paid', invoice({ amount_paid: 0 })],
  ['a refund that is pending', 'refund.created', refund({ status: 'pending' })],
  ['a refund that failed', 'refund.updated', refund({ status: 'failed' })],
  ['a refund that was canceled', 'refund.updated', refund({ status: 'canceled' })],
  ['a refunded charge that names no refund', 'charge.refunded', charge({ amount_refunded: 1_000 })],
  ['an event of another kind', 'customer.created', { id: 'cus_1', object: 'customer' }],
])('%s tells of nothing', (_, type, object) => {
  expect(map(type, object).map(({ kind }) => kind)).toEqual(['ignored']);
});

describe('a refund of Stripe', () => {
  const told = {
    kind: 'refund',
    orderId: null,
    paymentId: pi,
    refundId: 're_1Nispe2eZvKYlo2Cd31jOCgZ',
    amount: '10.00',
    reason: 'requested_by_customer',
    isTest: false,
    at: '2025-11-23T12:13:20.000Z',
  };

  it.each([
    ['refund.created', refund()],
    ['refund.updated', refund()],
    ['charge.refund.updated', refund()],
    ['charge.refunded', charge({ refunds: { data: [refund({ payment_intent: undefined })] } })],
  ])('is the same whether it is told by %s', (type, object) => {
    expect(map(type, object)).toEqual([told]);
  });

  it('of a charge without a payment names the charge', () => {
    expect(map('refund.created', refund({ payment_intent: null }))).toEqual([
      { ...told, paymentId: 'ch_3MtwBwLkdIwHu7ix2FEIVVqK' },
    ]);
  });
});

it.each([
  ['no object', null],
  ['a text', 'paid'],
  ['a list', [stripeEvent(completed, session())]],
  ['an object without a type', { data: { object: session() } }],
  [
    'a thin event',
    { object: 'v2.core.event', type: 'v2.core.account.created', related_object: { id: 'acct_1' } },
  ],
])('%s is no event of Stripe', (_, payload) => {
  expect(mapStripe({ payload, topic: null })).toEqual([]);
});

it.each([
  ['no amount', { amount_total: null }],
  ['an amount that is no integer', { amount_total: 49.9 }],
  ['an amount as text', { amount_total: '4990' }],
  ['an amount beyond a float', { amount_total: Symbol('1e400') }],
  ['a negative amount', { amount_total: -1 }],
  ['no currency', { currency: null }],
])('a session with %s is refused, not guessed', (_, fields) => {
  expect(() => map(completed, session(fields))).toThrow();
});

it.each([
  [4_990, 'usd', '49.90'],
  [5, 'eur', '0.05'],
  [0, 'usd', '0.00'],
  [500, 'jpy', '500'],
  [500, 'KRW', '500'],
  [500, 'isk', '5.00'],
  [500, 'ugx', '5.00'],
  [12_345, 'huf', '123.45'],
  [12_345, 'twd', '123.45'],
  [5_120, 'kwd', '5.120'],
  [10, 'BHD', '0.010'],
  [Number.MAX_SAFE_INTEGER, 'usd', '90071992547409.91'],
])('%i in %s is %s', (amount, currency, text) => {
  expect(stripeAmount(amount, currency)).toBe(text);
});
