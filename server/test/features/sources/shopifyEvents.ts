import { annsVisitor, paidOrder, refundOf, returned, set } from './kit/shopifySamples.js';
import { alike, type EventExample, type SentEvent, type SentFact } from './kit/sourceEvents.js';

type Fields = Record<string, unknown>;

const event = (more: object = {}, topic = 'orders/paid'): SentEvent => [topic, paidOrder(5001, more)];
const refunded = (transactions: object[], more: object = {}): SentEvent => [
  'refunds/create',
  refundOf(5001, 30, transactions, more),
];
/** Makes an order of which this amount was returned. */
const withRefund = (amount: string, topic: string, financial_status: string) =>
  event({ financial_status, refunds: [refundOf(5001, 30, [returned(31, amount)])] }, topic);
const unknownBuyer = { email: null, contact_email: null, customer: null };

const order = (changes: Fields = {}, isTest = false): SentFact => ({
  kind: 'order',
  report: {
    orderId: '5001',
    email: 'ann@shop.example',
    amount: 49.9,
    currency: 'EUR',
    source: 'OTHER',
    name: 'Ann Example',
    visitorId: annsVisitor,
    items: [{ productId: 7, sku: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 }],
    tax: 7.97,
    shipping: 5,
    discount: 5,
    coupons: ['SPRING'],
    shopOrder: '#1001',
    ...changes,
  },
  keys: [`shopify_${changes.orderId ?? '5001'}`],
  isTest,
  at: '2026-03-01T10:00:00+01:00',
  changedAt: '2026-03-01T10:00:02+01:00',
});
const refund = (refundId: string, amount: number, reason: string | null = 'Too small'): SentFact => ({
  kind: 'refund',
  orderId: '5001',
  paymentId: null,
  refundId,
  amount,
  reason,
  // The order decides this.
  isTest: null,
  at: '2026-03-05T09:00:00+01:00',
});

/** Makes a refund that its order's list has. */
const listed = (...stated: Parameters<typeof refund>): SentFact => ({
  ...refund(...stated),
  isTest: false,
  listedAt: '2026-03-01T10:00:02+01:00',
});

const endedUnpaid: SentFact = {
  kind: 'unpaid',
  orderId: '5001',
  key: 'shopify_5001',
  isTest: false,
  at: '2026-03-01T10:00:02+01:00',
};

const ofDispute = { isTest: null, at: '2026-04-20', dispute: { currency: 'EUR' } };
const dispute = (status: string, fields: object = {}) => ({
  id: 598735659,
  order_id: 5001,
  type: 'chargeback',
  amount: '49.90',
  currency: 'EUR',
  reason: 'fraudulent',
  network_reason_code: '4837',
  status,
  initiated_at: '2026-03-20T10:00:00+01:00',
  finalized_on: null,
  ...fields,
});
const disputed = (status: string, fields: object = {}): SentEvent => [
  'disputes/update',
  dispute(status, fields),
];

/** Makes the price of an order's goods, with returned ones and without. */
const costing = (total_price: string, current_total_price: string) => ({
  total_price,
  total_price_set: set(total_price),
  current_total_price,
  current_total_price_set: set(current_total_price),
});
/** Makes such an order, with transactions that returned money. */
const costingAfter = (total: string, now: string, transactions: object[], more: object = {}) =>
  event(
    {
      ...costing(total, now),
      financial_status: 'partially_refunded',
      refunds: [refundOf(5001, 30, transactions)],
      ...more,
    },
    'orders/updated',
  );

/** Fields of a paid order, and the changes that they make to what is stored. */
const fields: Record<string, [sent: object, stored: Fields]> = {
  'the email of the contact': [{ email: '' }, {}],
  'the email of the customer': [
    { ...unknownBuyer, customer: { email: 'bob@shop.example' } },
    { email: 'bob@shop.example' },
  ],
  'the name on the bill, without a customer': [{ customer: null }, {}],
  'a part of a name': [{ customer: { first_name: null, last_name: 'Example' } }, { name: 'Example' }],
  'no money at all': [{ total_price: '0.00', total_price_set: set('0.00') }, { amount: 0 }],
  'the buyer’s currency': [
    { currency: 'USD', total_price_set: set('49.90', '7510', 'USD', 'JPY') },
    { amount: 7510, currency: 'JPY' },
  ],
  'the shop’s currency where Shopify states no other': [
    { total_price_set: undefined, total_price: '10.50', presentment_currency: 'JPY' },
    { amount: 10.5 },
  ],
  'goods removed without a refund, which the shop owes': [
    { current_total_price: '24.95', total_outstanding: '-24.95' },
    {},
  ],
  'goods removed that are owed in the buyer’s currency': [
    {
      total_price_set: set('100.00', '90.00', 'USD', 'EUR'),
      current_total_price_set: set('80.00', '72.00', 'USD', 'EUR'),
      total_outstanding: '-20.00',
    },
    { amount: 90 },
  ],
  'goods removed that are owed in a currency of three decimals': [
    {
      currency: 'KWD',
      total_price_set: set('11.234', '11.234', 'KWD'),
      current_total_price_set: set('10.000', '10.000', 'KWD'),
      total_outstanding: '-1.234',
    },
    { amount: 11.234, currency: 'KWD' },
  ],
  'goods added and paid': [costing('60.00', '60.00'), { amount: 60 }],
  'goods back against dearer goods': [costing('220.00', '120.00'), { amount: 120 }],
  'goods back against goods of the same price': [costing('99.80', '49.90'), {}],
  'goods back against dearer goods, in the buyer’s currency': [
    {
      total_price_set: set('220.00', '198.00', 'USD', 'EUR'),
      current_total_price_set: set('120.00', '108.00', 'USD', 'EUR'),
    },
    { amount: 108 },
  ],
  'a total that no field says anew': [{ current_total_price: undefined }, {}],
  'a total that is no number': [{ current_total_price: 'none' }, {}],
  'attributes of the shop’s own that look like a visitor': [
    {
      note_attributes: [
        { name: 'Visitor', value: 'Yes' },
        { name: 'visitorId', value: annsVisitor },
        { name: '_orderbeacon_visitor', value: 'Yes' },
      ],
    },
    { visitorId: undefined },
  ],
  'no email, of a customer': [
    { ...unknownBuyer, customer: { id: 115310627 } },
    { email: 'shopify-115310627@no-email.invalid' },
  ],
  'no email, of a till': [
    { ...unknownBuyer, billing_address: null, source_name: 'pos' },
    { email: 'shopify-order-5001@no-email.invalid', name: undefined },
  ],
  'the landings that the theme handed over': [
    { note_attributes: [{ name: '_orderbeacon_landings', value: 'MTc3Mg==' }] },
    { visitorId: undefined, landings: 'MTc3Mg==' },
  ],
  'a payment by PayPal': [{ payment_gateway_names: ['paypal'] }, { source: 'PAYPAL' }],
  'a payment by hand': [{ payment_gateway_names: ['Cash on Delivery (COD)'] }, { source: 'MANUAL' }],
  'a draft that was paid': [{ source_name: 'shopify_draft_order', checkout_id: null }, {}],
  'a subscription’s renewal': [{ source_name: 'subscription_contract' }, {}],
  'no field without a value': [
    {
      note_attributes: [],
      line_items: [{ product_id: null, sku: '', title: 'Tip', quantity: 1, price: '3.00' }],
      discount_codes: [],
      payment_gateway_names: [],
      total_tax: null,
      total_tax_set: null,
    },
    {
      visitorId: undefined,
      items: [{ name: 'Tip', quantity: 1, price: 3 }],
      coupons: undefined,
      tax: undefined,
    },
  ],
};

/** Examples of events of Shopify, and what is stored of them. */
export const shopifyEvents: EventExample[] = [
  ...alike([order()], {
    'a paid order': event(),
    'a paid order that is created': event({}, 'orders/create'),
    'a paid order that is changed': event({}, 'orders/updated'),
    'a paid order that is sent': event({}, 'orders/fulfilled'),
    'a paid order that is cancelled': event({}, 'orders/cancelled'),
  }),
  ...Object.entries(fields).map(([name, [sent, changes]]) => ({
    event: `a paid order with ${name}`,
    sent: event(sent),
    stored: [order(changes)],
  })),
  ...alike([order({ orderId: '820982911946154508' }, true)], {
    'the sample of Shopify’s test button': event({
      id: '820982911946154508',
      financial_status: 'voided',
      test: true,
    }),
  }),
  ...alike([order({ orderId: '820982911946154508' })], {
    'an id that no 64-bit float holds': [
      'orders/paid',
      JSON.stringify(paidOrder(1)).replace('"id":1,', '"id":820982911946154508,'),
    ],
  }),
  ...alike([refund('31', 20), refund('32', 4.95)], {
    'each transaction that returned money': refunded([
      returned(31, '20.00'),
      returned(32, '4.95', { gateway: 'gift_card' }),
    ]),
  }),
  ...alike([refund('31', 20)], {
    'a refund that is flagged as a test': refunded([returned(31, '20.00', { test: true })]),
  }),
  ...alike([order(), listed('31', 24.95)], {
    'a refund that is flagged as a test, told by its live order': event({
      financial_status: 'partially_refunded',
      refunds: [refundOf(5001, 30, [returned(31, '24.95', { test: true })])],
    }),
  }),
  ...alike([{ ...refund('dispute_598735659', 49.9, 'dispute'), ...ofDispute }], {
    'a dispute that the shop has lost': disputed('lost', { finalized_on: '2026-04-20' }),
    'a dispute that the shop accepts': disputed('accepted', { finalized_on: '2026-04-20' }),
  }),
  ...alike([{ kind: 'takenBack', orderId: '5001', refundId: 'dispute_598735659', isTest: null }], {
    'a dispute that the shop has won': disputed('won', { finalized_on: '2026-05-20' }),
  }),
  ...alike([refund('31', 5, null)], {
    'a refund of the shipping alone': refunded([returned(31, '5.00')], { note: null, refund_line_items: [] }),
  }),
  ...alike([order(), listed('31', 24.95)], {
    'a refund, told by the cancelled order': withRefund('24.95', 'orders/cancelled', 'partially_refunded'),
    'a refund, told by the changed order': withRefund('24.95', 'orders/updated', 'partially_refunded'),
  }),
  ...alike([order(), listed('31', 49.9)], {
    'a refund of the whole amount': withRefund('49.90', 'orders/cancelled', 'refunded'),
  }),
  ...alike([order({ amount: 20 }), listed('31', 20)], {
    'a deposit that was returned': withRefund('20.00', 'orders/cancelled', 'refunded'),
  }),

  ...alike([order({ amount: 100 }), listed('31', 30)], {
    'an exchange for less': costingAfter('170.00', '70.00', [returned(31, '30.00')]),
    'goods removed with a refund': costingAfter('100.00', '70.00', [returned(31, '30.00')]),
    'a refund of no goods': costingAfter('100.00', '100.00', [returned(31, '30.00')]),
    'a refund beside one that failed, which the shop owes': costingAfter(
      '100.00',
      '50.00',
      [returned(31, '30.00'), returned(32, '20.00', { status: 'failure' })],
      { total_outstanding: '-20.00' },
    ),
    'a refund beside one that is pending': costingAfter('100.00', '50.00', [
      returned(31, '30.00'),
      returned(32, '20.00', { status: 'pending' }),
    ]),
    'a refund beside one that is pending, and owed': costingAfter(
      '100.00',
      '50.00',
      [returned(31, '30.00'), returned(32, '20.00', { status: 'pending' })],
      { total_outstanding: '-20.00' },
    ),
    'a refund of a cancelled order, whose rest is owed': costingAfter(
      '100.00',
      '0.00',
      [returned(31, '30.00')],
      {
        cancelled_at: '2026-03-05T09:00:00+01:00',
        total_outstanding: '-70.00',
      },
    ),
  }),
  ...alike([order({ amount: 0.3 }), listed('31', 0.1)], {
    'cents that no float adds up': costingAfter('9.00', '0.20', [returned(31, '0.10')]),
  }),
  ...alike([order({ amount: 120 }), listed('31', 20), listed('32', 10)], {
    'an exchange for dearer goods, of which some came back': costingAfter('220.00', '90.00', [
      returned(31, '20.00'),
      returned(32, '10.00', { gateway: 'gift_card' }),
    ]),
  }),

  ...alike([endedUnpaid], {
    'an order that was cancelled before it was paid': event(
      { financial_status: 'voided' },
      'orders/cancelled',
    ),
    'an order on delivery that was cancelled': event(
      { financial_status: 'pending', cancelled_at: '2026-03-05T09:00:00+01:00' },
      'orders/cancelled',
    ),
  }),

  ...alike('nothing', {
    'an order that waits for money': event({ financial_status: 'pending' }, 'orders/create'),
    'an authorized payment': event({ financial_status: 'authorized' }, 'orders/updated'),
    'a partial payment': event({ financial_status: 'partially_paid' }, 'orders/partially_paid'),
    'a partial payment that is named paid': event({ financial_status: 'partially_paid' }),
    'a draft': ['draft_orders/create', { id: 1, order_id: null, status: 'open', total_price: '9.00' }],
    'an edit, which tells only the change': ['orders/edited', { order_edit: { id: 1, order_id: 5001 } }],
    'a deleted order': ['orders/delete', { id: 5001 }],
    'a product': ['products/update', { id: 7, title: 'T-shirt' }],
    'a refund that returns no money': refunded([]),
    'a refund that failed': refunded([returned(3, '9.00', { status: 'failure' })]),
    'a refund that is not sure yet': refunded([returned(3, '9.00', { status: 'pending' })]),
    'a voided authorization': refunded([returned(3, '9.00', { kind: 'void' })]),
    'a dispute that is open': disputed('under_review'),
    'a refund of nothing': refunded([returned(3, '0.00')]),
  }),

  ...alike('kept', {
    'an email that is none': event({ email: 'ann' }),
    'a dispute that names no order': ['disputes/update', { ...dispute('lost'), order_id: null }],
    'a request to erase a buyer': [
      'customers/redact',
      { shop_id: 954889, customer: { id: 1, email: 'ann@shop.example' }, orders_to_redact: [5001] },
    ],
    'a request to erase a shop': ['shop/redact', { shop_id: 954889, shop_domain: 'shop.example' }],
    'an event without a topic': [null, paidOrder(1)],
    'an event with an empty topic': ['', paidOrder(1)],
    'an event without an order': event({ id: null }),
    'a text': ['orders/paid', '"order"'],
    'a list': ['orders/updated', [paidOrder(1)]],
    'a refund that names no order': refunded([returned(3, '9.00')], { order_id: null }),
  }),
];
