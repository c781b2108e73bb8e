import { annsVisitor } from './kit/shopifySamples.js';
import { alike, type EventExample, type SentEvent, type SentFact } from './kit/sourceEvents.js';
import { meta, wooOrder } from './kit/wooCommerceSamples.js';

type Fields = Record<string, unknown>;

const event = (more: object = {}, topic = 'order.updated'): SentEvent => [topic, wooOrder(723, more)];
const unpaid = { date_paid: null, date_paid_gmt: null };
const awaited = (status: string) => event({ ...unpaid, status });

/** Makes an identifier with the first 16 digits of the SHA-256 of the sample's own key. */
const keyOf = (id: string) => `woocommerce_${id}_bdefa5efec8b394a`;

const order = (changes: Fields = {}, at = '2026-03-01T10:00:04Z', id = '723'): SentFact => ({
  kind: 'order',
  report: {
    orderId: '723',
    email: 'ann@shop.example',
    amount: 49.9,
    currency: 'EUR',
    source: 'STRIPE',
    name: 'Ann Example',
    visitorId: annsVisitor,
    items: [{ productId: 71, sku: 'TEE-M', name: 'T-shirt - M', quantity: 2, price: 24.95 }],
    tax: 7.97,
    shipping: 4.2,
    discount: 4.2,
    coupons: ['spring'],
    ...changes,
  },
  keys: [keyOf(id)],
  isTest: null,
  at,
  changedAt: '2026-03-01T10:00:05Z',
});
const refund = (refundId: string, amount: number, changes: Fields = {}): SentFact => ({
  kind: 'refund',
  orderId: '723',
  paymentId: keyOf('723'),
  refundId,
  amount,
  reason: null,
  isTest: null,
  at: '2026-03-01T10:00:05Z',
  listedAt: '2026-03-01T10:00:05Z',
  ...changes,
});
const endedUnpaid: SentFact = {
  kind: 'unpaid',
  orderId: '723',
  key: keyOf('723'),
  isTest: null,
  at: '2026-03-01T10:00:05Z',
};
const damaged = { refunds: [{ id: 725, reason: 'Damaged', total: '-10.00' }] };
const line = (fields: object) => ({ variation_id: 0, sku: '', total_tax: '0.00', ...fields });

/** Fields of a paid order, and the changes that they make to what is stored. */
const fields: Record<string, [sent: object, stored: Fields]> = {
  'the number that a plugin gave it': [{ number: 'W-2026-0001' }, { orderId: 'W-2026-0001' }],
  'a number of an older release, which is no text': [{ number: 52 }, { orderId: '52' }],
  'its id where it has no number': [{ number: '' }, {}],
  'an amount of many decimals': [{ total: '49.900000' }, {}],
  'an amount that a float printed': [{ total: '49.899999999999999' }, {}],
  'an amount of three decimals': [
    { total: '12.500', currency: 'KWD' },
    { amount: 12.5, currency: 'KWD' },
  ],
  'no money at all': [{ total: '0.00' }, { amount: 0 }],
  'the name on the parcel': [{ billing: { first_name: '', email: 'ann@shop.example' } }, {}],
  'a part of a name': [{ billing: { first_name: 'Ann', email: 'ann@shop.example' } }, { name: 'Ann' }],
  'a payment by PayPal': [{ payment_method: 'ppcp-gateway' }, { source: 'PAYPAL' }],
  'a payment to a bank': [{ payment_method: 'bacs' }, { source: 'MANUAL' }],
  'another payment': [{ payment_method: 'klarna_checkout' }, { source: 'OTHER' }],
  'a subscription’s renewal': [{ created_via: 'subscription', parent_id: 700 }, {}],
  'the landings that the shop’s hook handed over': [
    { meta_data: [meta('_orderbeacon_landings', 'MTc3Mg==')] },
    { visitorId: undefined, landings: 'MTc3Mg==' },
  ],
  'no email, of a customer': [
    { billing: { email: '' }, customer_id: 26 },
    { email: 'woocommerce-26@no-email.invalid' },
  ],
  'no email, of a guest': [{ billing: { email: '' } }, { email: 'woocommerce-order-723@no-email.invalid' }],
  'a visitor that is none': [{ meta_data: [meta('_orderbeacon_visitor', 'Yes')] }, { visitorId: undefined }],
  'a visitor that is no text': [
    { meta_data: [meta('_orderbeacon_visitor', { a: 1 })] },
    { visitorId: undefined },
  ],
  'no field without a value, and prices that no tax and no variation change': [
    {
      line_items: [
        line({ product_id: 7, name: 'Tip', quantity: 3, total: '10.00', price: 3.3333333333333335 }),
        line({ product_id: 8, name: 'Gift', quantity: 0, total: '0.00', price: 0 }),
      ],
      meta_data: [],
      coupon_lines: [],
    },
    {
      items: [
        { productId: 7, name: 'Tip', quantity: 3, price: 3.3333 },
        { productId: 8, name: 'Gift', quantity: 0, price: 0 },
      ],
      visitorId: undefined,
      coupons: undefined,
    },
  ],
};

/** Examples of events of WooCommerce, and what is stored of them. */
export const wooCommerceEvents: EventExample[] = [
  ...alike([order()], {
    'a paid order that is created': event({}, 'order.created'),
    'a paid order that is changed': event(),
    'a paid order that is restored': event({}, 'order.restored'),
    'a paid order that is completed': event({ status: 'completed' }),
    'a paid order that was cancelled': event({ status: 'cancelled' }),
    'a paid order that was deleted': event({ status: 'trash' }),
    'a paid order in a state of the shop': event({ status: 'shipped' }),
  }),
  ...alike([{ ...order(), isPaid: false }], {
    'a paid order that is on hold': event({ status: 'on-hold' }),
    'a paid order that failed': event({ status: 'failed' }),
  }),
  ...alike(
    [
      {
        ...order({
          email: 'woocommerce-order-723@no-email.invalid',
          name: undefined,
          visitorId: undefined,
        }),
        isErased: true,
      } as SentFact,
    ],
    {
      'a paid order of a buyer whom WordPress has erased': event({
        billing: { email: 'deleted@site.invalid', first_name: '[deleted]', last_name: '[deleted]' },
        customer_id: 26,
      }),
      'a paid order of a buyer whom WordPress has erased, with an address of the shop’s own': event({
        billing: { email: 'nobody@shop.example', first_name: '[gelöscht]' },
        meta_data: [meta('_anonymized', 'yes'), meta('_orderbeacon_visitor', annsVisitor)],
      }),
    },
  ),
  ...alike([{ ...order(), keys: ['woocommerce_723_07e46896ba89f887'] } as SentFact], {
    'a paid order without WooCommerce’s own key': event({ order_key: '' }),
  }),
  ...alike([order({}, '2026-03-01T10:00:00Z')], {
    'a completed order without a date of payment': event({ ...unpaid, status: 'completed' }),
  }),
  ...Object.entries(fields).map(([name, [sent, changes]]) => ({
    event: `a paid order with ${name}`,
    sent: event(sent),
    stored: [order(changes)],
  })),
  ...alike([order({ orderId: '12345678901234567890' }, undefined, '12345678901234567890')], {
    'an id that no 64-bit float holds': [
      'order.updated',
      JSON.stringify(wooOrder(1, { number: undefined })).replace('"id":1,', '"id":12345678901234567890,'),
    ],
  }),
  {
    event: 'each refund that the order lists',
    sent: event({
      number: 'W-1',
      refunds: [
        { id: 726, reason: '', total: '-10.00' },
        { id: 725, reason: 'Too small', total: '-24.950000' },
      ],
    }),
    stored: [
      order({ orderId: 'W-1' }),
      refund('726', 10, { orderId: 'W-1' }),
      refund('725', 24.95, { orderId: 'W-1', reason: 'Too small' }),
    ],
  },
  ...alike([order(), refund('725', 49.9)], {
    'a refund of the whole order': event({
      status: 'refunded',
      refunds: [{ id: 725, reason: '', total: '-49.90' }],
    }),
  }),
  ...alike([order()], {
    'a refund without an id, and one of nothing': event({
      refunds: [{ id: null, total: '-1.00' }, { id: 1, total: '0.00' }, null],
    }),
  }),

  ...alike([endedUnpaid], {
    'an unpaid order that failed': awaited('failed'),
    'an unpaid order that was cancelled': awaited('cancelled'),
    'an unpaid order that was deleted': awaited('trash'),
    'an order without a date of payment, all of which was refunded': awaited('refunded'),
  }),
  ...alike([endedUnpaid, refund('725', 10, { reason: 'Damaged' })], {
    'a refund of an unpaid order that failed': event({ ...unpaid, status: 'failed', ...damaged }),
    'a refund of an unpaid order that was cancelled': event({ ...unpaid, status: 'cancelled', ...damaged }),
  }),

  ...alike('nothing', {
    'an order that is pending': awaited('pending'),
    'a refund of an unpaid order that is on hold': event({ ...unpaid, status: 'on-hold', ...damaged }),
    'an unpaid order that is on hold': awaited('on-hold'),
    'a draft of the checkout': awaited('checkout-draft'),
    'an order that is paid on delivery, and not delivered yet': event({ ...unpaid, payment_method: 'cod' }),
    'a deposit': awaited('partially-paid'),
    'a deposit that has a date of payment': event({ status: 'partial-payment' }),
    'a deleted order': ['order.deleted', { id: 723 }],
    'an order that was deleted before its webhook was sent': [
      'order.updated',
      { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: { status: 404 } },
    ],
    'a product': ['product.updated', { id: 7, name: 'T-shirt', status: 'publish' }],
    'a subscription': event({}, 'subscription.updated'),
    'an action': ['action.woocommerce_order_refunded', { action: 'woocommerce_order_refunded', arg: 723 }],
  }),

  ...alike('kept', {
    'an email that is none': event({ billing: { email: 'ann' } }),
    'an order in the form of the Legacy API': ['order.updated', { order: wooOrder(1) }],
    'an amount that is no exact number': event({ total: '12345678901234567.89' }),
    'an event without a topic': [null, wooOrder(1)],
    'an event with an empty topic': ['', wooOrder(1)],
    'an event without an order': ['order.updated', {}],
    'a text': ['order.updated', '"order"'],
    'a list': ['order.updated', [wooOrder(1)]],
  }),

  ...alike('refused', {
    'an error because of the user who made the webhook': [
      'order.updated',
      {
        code: 'woocommerce_rest_cannot_view',
        message: 'Sorry, you cannot view this.',
        data: { status: 401 },
      },
    ],
    'an error because the API is at another address': [
      'order.updated',
      { code: 'rest_no_route', message: 'No route was found.', data: { status: 404 } },
    ],
  }),
];
