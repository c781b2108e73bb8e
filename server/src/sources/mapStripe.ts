import { isoTime } from '../values/isoTime.js';
import { type Payload, readObject, readObjects, readText, withoutEmpty } from './payload.js';
import { ignored, type MapEvent, type SourceEvent, type SourceOrder } from './sourceEvent.js';
import { stripeAmount } from './stripeAmount.js';
import {
  currencyOf,
  emailOf,
  idIn,
  isOfUnnamedInvoice,
  ownId,
  referenceOf,
  shippingName,
  timeOf,
  visitorOf,
} from './stripeFields.js';
import { readStripeItems } from './stripeItems.js';

/** Facts of the whole event. */
type EventFacts = Pick<SourceOrder, 'isTest' | 'at'>;

/** Maps the object of an event; `type` is the event's. */
type MapObject = (object: Payload, facts: EventFacts, type: string) => SourceEvent[];

/**
 * Maps a snapshot event of Stripe. The ids of the Checkout session, the payment, the invoice and the charge are keys, so
 * that the events of one payment are one order. Its `orderId` is the shop's own id in `metadata.orderId` or
 * `metadata.order_id`, and none otherwise. `client_reference_id` does not count, because it is often a customer.
 */
export const mapStripe: MapEvent = ({ payload }) => {
  const event = readObject(payload);
  const type = readText(event.type);
  const object = readObject(readObject(event.data).object);
  // A thin event names its object, and does not hold it.
  if (type === null || readText(object.id) === null) return [];
  const map = mapped.get(type);
  if (map === undefined) return [ignored(`Stripe's event ${type} tells of no order.`)];
  const isTest = typeof event.livemode === 'boolean' ? !event.livemode : null;
  return map(object, { isTest, at: timeOf(event.created) }, type);
};

/** `payment_status` of a session that is an order. */
const paidStates: unknown[] = ['paid', 'no_payment_required'];

const mapSession: MapObject = (session, facts, type) => {
  if (session.mode === 'setup') return [ignored('The session sets up a payment method.')];
  if (type === 'checkout.session.completed' && !paidStates.includes(session.payment_status)) {
    if (session.payment_status !== 'unpaid') return [];
    return [ignored('The session is not paid yet; checkout.session.async_payment_succeeded follows.')];
  }
  const buyer = readObject(session.customer_details);
  const currency = currencyOf(session);
  const total = readObject(session.total_details);
  const part = (amount: unknown) => (amount ? Number(stripeAmount(amount, currency)) : null);
  const report = withoutEmpty({
    orderId: ownId(session),
    email: readText(buyer.email) ?? readText(session.customer_email),
    amount: stripeAmount(session.amount_total, currency),
    currency,
    name: readText(buyer.name) ?? shippingName(session),
    visitorId: visitorOf(session),
    items: readStripeItems(session.line_items, currency),
    tax: part(total.amount_tax),
    shipping: part(total.amount_shipping),
    discount: part(total.amount_discount),
  });
  return orderOf(report, [session.id, session.payment_intent, session.invoice], facts, 'session');
};

const mapPayment: MapObject = (payment, facts) => {
  if (isOfUnnamedInvoice(payment)) return [ignored('An invoice tells of this payment.')];
  const charge = readObject(readObjects(readObject(payment.charges).data)[0] ?? payment.latest_charge);
  const invoice = idIn(payment.invoice) ?? referenceOf(payment, 'in');
  const currency = currencyOf(payment);
  const report = withoutEmpty({
    orderId: ownId(payment),
    email: readText(payment.receipt_email) ?? emailOf(charge),
    amount: stripeAmount(payment.amount_received ?? payment.amount, currency),
    currency,
    name: shippingName(payment) ?? readText(readObject(charge.billing_details).name),
    visitorId: visitorOf(payment),
  });
  const ids = [payment.id, charge.id ?? payment.latest_charge, invoice, referenceOf(payment, 'cs')];
  return orderOf(report, ids, facts, 'payment');
};

const mapCharge: MapObject = (charge, facts) => {
  if (charge.captured !== true || charge.status !== 'succeeded')
    return [ignored('The charge is not captured yet; charge.captured follows.')];
  if (isOfUnnamedInvoice(charge)) return [ignored('An invoice tells of this payment.')];
  const currency = currencyOf(charge);
  const report = withoutEmpty({
    orderId: ownId(charge),
    email: emailOf(charge),
    amount: stripeAmount(charge.amount_captured ?? charge.amount, currency),
    currency,
    name: readText(readObject(charge.billing_details).name) ?? shippingName(charge),
    visitorId: visitorOf(charge),
  });
  return orderOf(report, [charge.payment_intent, charge.id, charge.invoice], facts, 'charge');
};

const mapInvoice: MapObject = (invoice, facts) => {
  if (invoice.amount_paid === 0) return [ignored('The invoice is of nothing.')];
  const currency = currencyOf(invoice);
  const payments = readObjects(readObject(invoice.payments).data).map(({ payment }) => readObject(payment));
  const report = withoutEmpty({
    orderId: ownId(invoice),
    email: readText(invoice.customer_email),
    amount: stripeAmount(invoice.amount_paid, currency),
    currency,
    name: readText(invoice.customer_name),
    visitorId: visitorOf(invoice),
    items: readStripeItems(invoice.lines, currency),
  });
  const paid = payments.flatMap(({ payment_intent, charge }) => [payment_intent, charge]);
  return orderOf(report, [invoice.id, invoice.payment_intent, invoice.charge, ...paid], facts, 'invoice');
};

const mapRefund: MapObject = (refund, facts) => {
  const refundId = readText(refund.id);
  if (refundId === null) throw new Error('The refund has no id.');
  if (refund.status !== 'succeeded') return [ignored(`The refund is ${readText(refund.status)}.`)];
  const paymentId = idIn(refund.payment_intent) ?? idIn(refund.charge);
  const amount = stripeAmount(refund.amount, currencyOf(refund));
  const reason = readText(refund.reason);
  const { isTest } = facts;
  // The refund's own time, because several events tell of one refund. By the payment alone, because they have other metadata.
  const at = timeOf(refund.created) ?? facts.at;
  return [{ kind: 'refund', orderId: null, paymentId, refundId, amount, reason, isTest, at }];
};

/** Since the API of 2022-11-15 a charge does not hold its refunds, and an amount alone could count twice. */
const mapRefundedCharge: MapObject = (charge, facts, type) => {
  const refunds = readObjects(readObject(charge.refunds).data);
  if (refunds.length === 0) return [ignored('The charge does not name its refunds; refund.created does.')];
  const paymentOf = (refund: Payload) => refund.payment_intent ?? charge.payment_intent ?? charge.id;
  return refunds.flatMap((refund) =>
    mapRefund({ ...refund, payment_intent: paymentOf(refund) }, facts, type),
  );
};

const mapped = new Map<string, MapObject>([
  ['checkout.session.completed', mapSession],
  ['checkout.session.async_payment_succeeded', mapSession],
  ['payment_intent.succeeded', mapPayment],
  ['charge.succeeded', mapCharge],
  ['charge.captured', mapCharge],
  ['invoice.paid', mapInvoice],
  ['invoice.payment_succeeded', mapInvoice],
  ['refund.created', mapRefund],
  ['refund.updated', mapRefund],
  ['charge.refund.updated', mapRefund],
  ['charge.refunded', mapRefundedCharge],
]);

/** Of events of the same second the one that tells most counts: its time is that many milliseconds later. */
const ranks = { charge: 0, payment: 1, invoice: 2, session: 3 };

/** An order that is known by all ids of its payment. */
function orderOf(
  report: Payload,
  ids: unknown[],
  { at, isTest }: EventFacts,
  from: keyof typeof ranks,
): SourceEvent[] {
  const keys = [...new Set(ids.map(idIn).filter((id) => id !== null))];
  const changedAt = at === null ? null : isoTime(Date.parse(at) + ranks[from]);
  return [{ kind: 'order', report, keys, changedAt, isTest, at }];
}
