import { expect } from 'vitest';
import { annsVisitor } from './shopifySamples.js';
import { alike, type EventExample, idsOf, type SentEvent, type SentFact } from './sourceEvents.js';
import {
  charge,
  dispute,
  invoice,
  invoicePayment,
  payment,
  refund,
  session,
  stripeEvent,
} from './stripeSamples.js';

type Fields = Record<string, unknown>;

const event = (type: string, object: Fields, fields: Fields = {}): SentEvent => [
  null,
  stripeEvent(type, object, fields),
];
const completed = (fields: Fields = {}, more: Fields = {}) =>
  event('checkout.session.completed', session(fields), more);
const succeeded = (fields: Fields = {}) => event('payment_intent.succeeded', payment(fields));
const charged = (fields: Fields = {}) => event('charge.succeeded', charge(fields));
const invoiced = (fields: Fields = {}) => event('invoice.paid', invoice(fields));
const refunded = (type: string, fields: Fields = {}) => event(type, refund(fields));
const disputed = (fields: Fields = {}) => event('charge.dispute.closed', dispute(fields));
const chargeRefunded = (fields: Fields) => event('charge.refunded', charge(fields));
/** Makes a paid session, and replaces a text in its JSON. */
const written = (text: string, by: string, fields: Fields = {}): SentEvent => [
  null,
  JSON.stringify(completed(fields)[1]).replace(text, by),
];

const pi = 'pi_3MtwBwLkdIwHu7ix28a3tqPa';
const ch = 'ch_3MtwBwLkdIwHu7ix2FEIVVqK';
const inv = 'in_1MtHbELkdIwHu7ixl4OzzPMv';

/** Makes the facts of an order with these identifiers. */
const order = (report: Fields, keys: string[], facts: object = {}): SentFact[] => [
  {
    kind: 'order',
    report,
    keys: idsOf(keys),
    isTest: false,
    at: '2025-11-22T08:26:40.000Z',
    // Within the second of the event. An event that has more data gets a later millisecond.
    changedAt: expect.stringMatching(/^2025-11-22T08:26:40\.00\dZ$/),
    ...facts,
  },
];
const cs = 'cs_live_a1B2c3D4e5F6';
const ofPayments = [pi, ch];
const anns = { email: 'ann@shop.example', amount: '49.90', currency: 'USD' };
const ofPayment = anns;
const named = { ...ofPayment, name: 'Ann Example' };
const ofSession = { ...named, tax: 0.9, shipping: 5, discount: 1 };
const ofInvoice = { ...named, amount: '15.00', currency: 'EUR' };

const returned = (fields: object = {}): SentFact[] => [
  {
    kind: 'refund',
    orderId: null,
    paymentId: pi,
    refundId: 're_1Nispe2eZvKYlo2Cd31jOCgZ',
    amount: '10.00',
    reason: 'requested_by_customer',
    isTest: false,
    at: '2025-11-23T12:13:20.000Z',
    ...fields,
  },
];

const takenBack: SentFact = {
  kind: 'takenBack',
  orderId: null,
  refundId: 're_1Nispe2eZvKYlo2Cd31jOCgZ',
  isTest: false,
};
const du = 'du_1MtJUT2eZvKYlo2CNaw2HvEv';

/** Examples of events of Stripe, and what is stored of them. */
export const stripeEvents: EventExample[] = [
  ...alike(order(ofSession, [cs, pi]), {
    'a paid session': completed(),
    'a session whose own id is none': completed({ metadata: { order_id: 'undefined' } }),
    'a session that is paid days later': event('checkout.session.async_payment_succeeded', session()),
  }),
  {
    event: 'a session with the shop’s own id and visitor',
    sent: completed({ metadata: { orderId: '1001', visitorId: annsVisitor } }),
    stored: order({ ...ofSession, orderId: '1001', visitorId: annsVisitor }, [cs, pi]),
  },
  {
    event: 'a session of nothing',
    sent: completed({
      payment_status: 'no_payment_required',
      amount_total: 0,
      payment_intent: null,
      total_details: null,
    }),
    stored: order({ ...named, amount: '0.00' }, [cs]),
  },
  {
    event: 'a session that begins a subscription, which is known by its invoice',
    sent: completed({ mode: 'subscription', payment_intent: null, invoice: inv }),
    stored: order(ofSession, [cs, inv]),
  },
  {
    event: 'a session with an email of before, and expanded lines',
    sent: completed({
      customer_details: null,
      customer_email: 'ann@shop.example',
      total_details: null,
      line_items: {
        data: [
          { description: 'Shirt', quantity: 2, price: { unit_amount: 2_495, product: 'prod_1' } },
          'nothing',
          { description: 'Gift', quantity: 0, amount_total: 'free', price: null },
        ],
      },
    }),
    stored: order(
      {
        ...named,
        name: undefined,
        items: [{ productId: 'prod_1', name: 'Shirt', quantity: 2, price: 24.95 }, {}, { name: 'Gift' }],
      },
      [cs, pi],
    ),
  },
  ...alike(order(ofSession, [cs, pi], { isTest: true }), {
    'a session in test mode': completed({}, { livemode: false }),
  }),
  ...alike(order(ofSession, [cs, pi], { isTest: null, at: null, changedAt: null }), {
    'a session without mode and time': completed({}, { livemode: 'x', created: -1 }),
  }),
  ...alike(order(ofPayment, ofPayments), {
    'a payment': succeeded(),
    'a payment whose metadata have a visitor of somebody else': succeeded({ metadata: { visitorId: 'Yes' } }),
    'a payment with a reference that Stripe filled in': succeeded({
      payment_details: { order_reference: 'prod_SdyEZVLDpw7AbC' },
    }),
  }),
  ...alike(order({ ...ofPayment, amount: '20.00' }, ofPayments), {
    'a payment of which a part was captured': succeeded({ amount_received: 2_000 }),
  }),
  ...alike(order({ ...ofPayment, orderId: '#1001' }, ofPayments), {
    'a payment with the shop’s reference': succeeded({ payment_details: { order_reference: '#1001' } }),
  }),
  ...alike(order(ofPayment, [pi, ch, inv]), {
    'a payment of an invoice': succeeded({ invoice: inv }),
  }),
  ...alike(order(named, ofPayments), {
    'a charge': charged(),
    'a payment whose charge is expanded': succeeded({ receipt_email: null, latest_charge: charge() }),
    'a payment whose charges are listed, as before 2022-11-15': succeeded({
      receipt_email: null,
      charges: { data: [charge()] },
    }),
  }),
  ...alike(order(ofPayment, [ch]), {
    'a charge without a payment, with the email of its receipt': charged({
      payment_intent: null,
      billing_details: {},
      receipt_email: 'ann@shop.example',
    }),
  }),
  {
    event: 'the invoice of a renewal, with an id of its own',
    sent: invoiced(),
    stored: order(
      {
        ...ofInvoice,
        items: [{ productId: 'prod_2', name: '1 × Coffee (at €15.00)', quantity: 1, price: 15 }],
      },
      [inv],
    ),
  },
  ...alike(
    order({ ...ofInvoice, name: undefined, email: `stripe-${inv.toLowerCase()}@no-email.invalid` }, [
      inv,
      pi,
    ]),
    {
      'the payment of an invoice, which names no buyer': event('invoice_payment.paid', invoicePayment()),
    },
  ),
  ...alike(order({ ...ofPayment, email: 'stripe-cus_nffrfeufnv2hib@no-email.invalid' }, ofPayments), {
    'a payment without an email, of a customer': succeeded({
      receipt_email: null,
      customer: 'cus_NffrFeUfNV2Hib',
    }),
  }),
  ...alike(order({ ...ofPayment, email: `stripe-${pi.toLowerCase()}@no-email.invalid` }, ofPayments), {
    'a payment at a till, without an email': succeeded({ receipt_email: null }),
  }),
  ...alike(order(ofInvoice, [inv, pi]), {
    'an invoice that names its payment': invoiced({ payment_intent: pi, lines: null }),
  }),
  ...alike(returned(), {
    'a refund': refunded('refund.created'),
    'a refund that changes': refunded('refund.updated'),
    'a refund that changes, by its older name': refunded('charge.refund.updated'),
    'a refunded charge that names its refunds': chargeRefunded({
      refunds: { data: [refund({ payment_intent: undefined })] },
    }),
  }),
  ...alike(returned({ paymentId: ch }), {
    'a refund of a charge without a payment': refunded('refund.created', { payment_intent: null }),
  }),

  ...alike(
    returned({
      refundId: du,
      amount: '49.90',
      reason: 'dispute',
      at: '2025-11-22T08:26:40.000Z',
      dispute: { currency: 'USD' },
    }),
    { 'a dispute that the shop has lost': disputed() },
  ),
  ...alike([{ ...takenBack, refundId: du }], {
    'a dispute that the shop has won': disputed({ status: 'won' }),
  }),
  ...alike([takenBack], {
    'a refund that failed': refunded('refund.updated', { status: 'failed' }),
    'a refund that failed, by an event of its own': refunded('refund.failed', { status: 'failed' }),
    'a refund that was canceled': refunded('refund.updated', { status: 'canceled' }),
  }),

  ...alike('nothing', {
    'an unpaid session': completed({ payment_status: 'unpaid' }),
    'a session that sets up a payment method': completed({ mode: 'setup', amount_total: null }),
    'a charge that is not captured': charged({ captured: false }),
    'an invoice of nothing': invoiced({ amount_paid: 0 }),
    'a refund that is pending': refunded('refund.created', { status: 'pending' }),
    'a refunded charge that names no refund': chargeRefunded({ amount_refunded: 1_000 }),
    'a dispute that is open': disputed({ status: 'needs_response' }),
    'an inquiry that was closed': disputed({ status: 'warning_closed' }),
    'an event of another kind': event('customer.created', { id: 'cus_1', object: 'customer' }),
    'an event whose object has no id': event('balance.available', { object: 'balance', livemode: true }),
    'an invoice to come, which has no id': event('invoice.upcoming', invoice({ id: undefined })),
    'a type that is the name of a prototype’s field': event('constructor', { id: null }),
    'a ping of the destination': [
      null,
      { id: 'evt_1', object: 'v2.core.event', type: 'v2.core.event_destination.ping', livemode: true },
    ],
  }),

  ...alike('kept', {
    'an email that is none': completed({ customer_details: { email: 'ann' } }),
    'no amount': completed({ amount_total: null }),
    'an amount that is no integer': completed({ amount_total: 49.9 }),
    'an amount as text': completed({ amount_total: '4990' }),
    'a negative amount': completed({ amount_total: -1 }),
    'an amount beyond the limit': completed({ amount_total: Number.MAX_SAFE_INTEGER, currency: 'jpy' }),
    'an amount beyond a float': written('4990', '1e400'),
    'an amount of too many digits': written('4990', '49900000000000000000001'),
    'no currency': completed({ currency: null }),
    'a currency that is none': completed({ currency: 'dollars' }),
    'an id of 500 characters': completed({ metadata: { orderId: 'x'.repeat(500) } }),
    'a refund without an id': refunded('refund.created', { id: null }),
    'objects for everything': completed({ metadata: [{}], customer_details: 7, mode: {}, currency: {} }),
    'a deep list in an order of no amount': written(
      '"metadata":{}',
      `"metadata":{"x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
      { amount_total: 'x' },
    ),
    'no object': [null, null],
    'a list of events': [null, [completed()[1]]],
    'an object without a type': [null, { data: { object: session() } }],
    'a thin event': [
      null,
      { object: 'v2.core.event', type: 'v1.charge.succeeded', related_object: { id: ch, type: 'charge' } },
    ],
    'a session without an id': completed({ id: null }),
    '300,000 brackets': [null, '['.repeat(300_000) + ']'.repeat(300_000)],
    'half of a JSON': [null, '{"type":'],
    'an empty body': [null, ''],
    'bytes that are no UTF-8': [null, Buffer.from([0x7b, 0xff, 0x7d])],
    'a text with NUL': [null, '{"a":"\0"}'],
  }),
];
