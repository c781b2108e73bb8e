import type { SourceKind } from '../../../../src/features/sources/source.js';
import { paidOrder, refundOf, returned } from '../../../features/sources/kit/shopifySamples.js';
import {
  charge,
  dispute,
  invoice,
  invoicePayment,
  payment,
  refund,
  session,
  stripeEvent,
} from '../../../features/sources/kit/stripeSamples.js';
import { meta, wooOrder } from '../../../features/sources/kit/wooCommerceSamples.js';
import type { Random } from '../../../kit/random.js';

/** A request about a purchase. */
export type Delivery =
  | { by: 'page'; body: Record<string, unknown>; key?: string }
  | { by: 'backend'; body: Record<string, unknown>; key?: string }
  | { by: 'refund'; body: Record<string, unknown> }
  | { by: SourceKind; payload: unknown; topic: string };

const ann = 'ann@shop.example';
const office = 'office@shop.example';
const bob = 'bob@shop.example';
/** All times are of one day, an hour ago, so that another buyer's reports are near. */
const startMs = Math.floor(Date.now() / 3_600_000 - 1) * 3_600_000;
const at = (seconds: number) => new Date(startMs + 1_000 * seconds).toISOString();
const unixAt = (seconds: number) => startMs / 1_000 + seconds;
const wooAt = (seconds: number) => at(seconds).slice(0, 19);

/** Makes the deliveries of one purchase. No time of a change occurs twice, because then the arrival would decide by law. */
export function purchase(random: Random, n: number): Delivery[] {
  const { pick, below } = random;
  const number = `order-${n}`;
  const system = pick('stripe', 'stripe', 'invoice', 'woocommerce', 'woocommerce', 'shopify', 'none');
  // An erasure removes what others stated of a person, whatever comes later.
  const isErased = system === 'woocommerce' && below(4) === 0;
  const hasPayment = system === 'stripe' || (system === 'woocommerce' && !isErased && below(2) === 0);
  const deliveries = [
    ...(isErased ? [] : byPage(random, number, n, system)),
    ...byBackend(random, number, n, system),
    ...(hasPayment ? byStripe(random, number, n) : []),
    ...(system === 'invoice' ? ofInvoice(random, number, n) : []),
    ...(system === 'woocommerce' ? byWooCommerce(random, n, isErased) : []),
    ...(system === 'shopify' ? byShopify(random, n) : []),
  ];
  const repeats = deliveries.filter(({ by }) => by !== 'page' && below(5) === 0);
  return deliveries.length > 0 ? [...deliveries, ...repeats] : purchase(random, n);
}

function byPage({ pick, below }: Random, orderId: string, n: number, system: string): Delivery[] {
  if (below(4) === 0) return [];
  const shopOrderToo = system === 'woocommerce' && below(3) === 0 ? { shopOrderId: String(5_000 + n) } : {};
  const body = {
    email: system === 'none' ? ann : pick(ann, ann, ann, office, bob),
    amount: pick(50, 50, 48),
    orderId,
    visitorId: `visitor-${n}`,
    name: 'Of the page',
    items: [{ sku: 'page' }],
    coupon: 'SPRING',
    ...(below(2) === 0 && { currency: pick('EUR', 'USD') }),
  };
  const deliveries: Delivery[] = [{ by: 'page', body: { ...body, ...shopOrderToo } }];
  return below(3) === 0 ? [...deliveries, ...deliveries] : deliveries;
}

function byBackend({ pick, below }: Random, orderId: string, n: number, system: string): Delivery[] {
  const deliveries: Delivery[] = [];
  const shopOrderToo = system === 'woocommerce' && isRenumbered(n) ? { shopOrderId: String(5_000 + n) } : {};
  const words = (more: object) => ({
    email: ann,
    amount: 50,
    orderId,
    createdAt: at(1),
    ...shopOrderToo,
    ...more,
  });
  if (below(3) === 0)
    deliveries.push({ by: 'backend', body: words({ tax: 5 }), ...(below(2) === 0 && { key: `key-${n}` }) });
  for (const hour of [2, 3])
    if (below(4) === 0)
      deliveries.push({
        by: 'backend',
        body: words({
          amount: pick(50, 60),
          changedAt: at(hour),
          ...(below(2) === 0 && { name: `Of the backend ${hour}`, currency: 'EUR' }),
        }),
      });
  // A refund is accepted up to the rest of the order as known then, so this one is small.
  if (deliveries.length > 0 && system !== 'woocommerce' && below(3) === 0)
    deliveries.push({ by: 'refund', body: { orderId, refundId: `refund-${n}`, amount: 1, reason: 'late' } });
  return deliveries;
}

function byStripe({ pick, below }: Random, orderId: string, n: number): Delivery[] {
  const ids = { pi: `pi_of_purchase_${n}`, ch: `ch_of_purchase_${n}`, cs: `cs_live_purchase_${n}` };
  const say = (type: string, object: Record<string, unknown>, created: number): Delivery => ({
    by: 'stripe',
    payload: stripeEvent(type, { ...object, created: unixAt(created) }, { created: unixAt(created) }),
    topic: '',
  });
  const money = { amount: 5_000, currency: 'eur' };
  const metadata = { orderId };
  const details = { email: pick(ann, ann, office), name: 'Ann Example' };
  const events = [
    say(
      'charge.succeeded',
      charge({
        id: ids.ch,
        payment_intent: ids.pi,
        ...money,
        amount_captured: 5_000,
        billing_details: details,
        metadata: pick<object>({}, metadata),
      }),
      10,
    ),
    say(
      'payment_intent.succeeded',
      payment({
        id: ids.pi,
        latest_charge: ids.ch,
        ...money,
        amount_received: 5_000,
        receipt_email: pick(null, ann),
        metadata,
      }),
      11,
    ),
    say(
      'checkout.session.completed',
      session({
        id: ids.cs,
        payment_intent: ids.pi,
        currency: 'eur',
        amount_total: 5_000,
        metadata: pick<object>({}, metadata),
      }),
      12,
    ),
  ];
  const second = say(
    'charge.succeeded',
    charge({
      id: `ch_second_${n}`,
      payment_intent: `pi_second_${n}`,
      currency: 'eur',
      amount: 3_000,
      amount_captured: 3_000,
      billing_details: details,
      metadata,
    }),
    40,
  );
  if (below(4) === 0) events.push(second);
  const of = { charge: ids.ch, payment_intent: ids.pi, currency: 'eur' };
  const returns = [
    say('refund.created', refund({ id: `re_of_purchase_${n}`, ...of, status: 'pending' }), 20),
    say('refund.updated', refund({ id: `re_of_purchase_${n}`, ...of }), 21),
    say('refund.failed', refund({ id: `re_of_purchase_${n}`, ...of, status: 'failed' }), 22),
    say('charge.dispute.closed', dispute({ id: `du_of_purchase_${n}`, ...of, amount: 1_000 }), 30),
  ];
  return [...events.filter(() => below(3) > 0), ...returns.filter(() => below(3) === 0)];
}

function ofInvoice({ pick, below }: Random, orderId: string, n: number): Delivery[] {
  const say = (type: string, object: Record<string, unknown>, created: number): Delivery => ({
    by: 'stripe',
    payload: stripeEvent(type, { ...object, created: unixAt(created) }, { created: unixAt(created) }),
    topic: '',
  });
  const id = (name: string) => `${name}_of_invoice_${n}`;
  const metadata = { orderId };
  const billed = { billing_details: { email: ann, name: 'Ann Example' }, currency: 'eur' };
  const pay = (name: string, amount: number, created: number, invoiceId: string) => [
    say(
      'charge.succeeded',
      charge({
        id: id(`ch_${name}`),
        payment_intent: id(`pi_${name}`),
        amount,
        amount_captured: amount,
        ...billed,
        metadata: pick<object>({}, metadata),
      }),
      created,
    ),
    say(
      'invoice_payment.paid',
      invoicePayment({
        id: id(`inpay_${name}`),
        invoice: invoiceId,
        amount_paid: amount,
        payment: { type: 'payment_intent', payment_intent: id(`pi_${name}`) },
      }),
      created + 1,
    ),
    say(
      'refund.created',
      refund({
        id: id(`re_${name}`),
        charge: id(`ch_${name}`),
        payment_intent: id(`pi_${name}`),
        currency: 'eur',
      }),
      created + 2,
    ),
  ];
  const bill = (name: string, amount: number, created: number) =>
    say(
      'invoice.paid',
      invoice({ id: id(name), amount_paid: amount, amount_due: amount, metadata, parent: null }),
      created,
    );
  const events = [
    ...pay('a', 3_000, 10, id('in_a')),
    ...pay('b', 2_500, 20, id('in_a')),
    bill('in_a', 5_500, 30),
    ...(below(2) === 0
      ? [
          say(
            'invoice_payment.paid',
            invoicePayment({
              id: id('inpay_c'),
              invoice: id('in_b'),
              amount_paid: 1_000,
              payment: { type: 'payment_intent', payment_intent: id('pi_b') },
            }),
            24,
          ),
          bill('in_b', 1_000, 31),
        ]
      : []),
  ];
  return events.filter(() => below(3) > 0);
}

/** @returns true for a purchase whose number only its page and its backend know. WooCommerce has another one. */
const isRenumbered = (n: number) => n % 2 === 0;

function byWooCommerce({ pick, below }: Random, n: number, isErased: boolean): Delivery[] {
  const order = (seconds: number, more: object): Delivery => ({
    by: 'woocommerce',
    payload: wooOrder(5_000 + n, {
      order_key: `wc_order_of_${n}`,
      number: isRenumbered(n) ? `RE-${n}` : `order-${n}`,
      total: '50.00',
      transaction_id: '',
      date_created_gmt: wooAt(5),
      date_paid_gmt: wooAt(6),
      date_modified_gmt: wooAt(seconds),
      meta_data: pick([], [meta('_orderbeacon_visitor', 'mhq3k9xz34112233441234567890')]),
      ...more,
    }),
    topic: 'order.updated',
  });
  const billing = (email: string) => ({ first_name: 'Ann', last_name: 'Example', country: 'DE', email });
  const unpaid = { date_paid_gmt: null, date_paid: null };
  const list = (...ids: number[]) => ({
    refunds: ids.map((id) => ({ id: 10 * n + id, reason: '', total: `-${id}.00` })),
  });
  const events = [
    order(7, { status: 'pending', ...unpaid }),
    order(8, {}),
    order(9, { total: '60.00', ...list(1) }),
    order(10, { ...list(1, 2), billing: billing(office) }),
    order(11, { ...list(2) }),
    // A plugin numbers the order later, and the order names its payment.
    order(12, { number: `RE-${n}`, transaction_id: `ch_of_purchase_${n}` }),
    // The end comes after the page's report, as in a real shop.
    order(90_000, {
      status: pick('failed', 'cancelled', 'on-hold'),
      ...pick<object>(unpaid, {}),
      ...list(2),
    }),
    isErased ? order(90_001, { billing: billing('') }) : order(90_002, list(2, 3)),
  ];
  return events.filter(() => below(3) === 0);
}

function byShopify({ pick, below }: Random, n: number): Delivery[] {
  const id = 7_000 + n;
  const order = (seconds: number, more: object): Delivery => ({
    by: 'shopify',
    payload: paidOrder(id, {
      name: `order-${n}`,
      order_number: n,
      created_at: at(5),
      processed_at: at(5),
      updated_at: at(seconds),
      ...more,
    }),
    topic: 'orders/updated',
  });
  const refunded = (seconds: number, amount: string) =>
    refundOf(
      id,
      100 * n + seconds,
      [
        returned(1_000 * n + seconds, amount, {
          order_id: id,
          created_at: at(seconds),
          processed_at: at(seconds),
        }),
      ],
      { created_at: at(seconds), processed_at: at(seconds) },
    );
  const events: Delivery[] = [
    order(6, {}),
    order(8, { refunds: [refunded(8, '5.00')], financial_status: 'partially_refunded' }),
    { by: 'shopify', payload: refunded(8, '5.00'), topic: 'refunds/create' },
    order(9, {
      refunds: [refunded(8, '5.00'), refunded(9, '6.00')],
      financial_status: 'partially_refunded',
      email: pick(ann, office),
    }),
    order(90_000, { cancelled_at: at(90_000), financial_status: pick('voided', 'pending') }),
    order(90_001, { refunds: [refunded(8, '5.00')], financial_status: 'partially_refunded' }),
  ];
  return events.filter(() => below(3) === 0);
}
