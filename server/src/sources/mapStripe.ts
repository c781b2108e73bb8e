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
 * Maps a snapshot event of Stripe. The events of one payment share its id, so they are one order. Its `orderId` is the
 * shop's own id in `metadata.orderId` or `metadata.order_id`, else the id that the page can print: of the Checkout session,
 * the payment, the invoice or the charge. `client_reference_id` does not count, because it is often a customer.
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
    orderId: ownId(session) ?? session.id,
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
  return ordersOf(report, [idIn(session.payment_intent), idIn(session.invoice)], facts);
};

const mapPayment: MapObject = (payment, facts) => {
  if (isOfUnnamedInvoice(payment)) return [ignored('An invoice tells of this payment.')];
  const charge = readObject(readObjects(readObject(payment.charges).data)[0] ?? payment.latest_charge);
  const invoice = idIn(payment.invoice) ?? referenceOf(payment, 'in');
  const currency = currencyOf(payment);
  const report = withoutEmpty({
    orderId: ownId(payment) ?? referenceOf(payment, 'cs') ?? invoice ?? payment.id,
    email: readText(payment.receipt_email) ?? emailOf(charge),
    amount: stripeAmount(payment.amount_received ?? payment.amount, currency),
    currency,
    name: shippingName(payment) ?? readText(readObject(charge.billing_details).name),
    visitorId: visitorOf(payment),
  });
  return ordersOf(report, [readText(payment.id), invoice], facts);
};

const mapCharge: MapObject = (charge, facts) => {
  if (charge.captured !== true || charge.status !== 'succeeded')
    return [ignored('The charge is not captured yet; charge.captured follows.')];
  if (isOfUnnamedInvoice(charge)) return [ignored('An invoice tells of this payment.')];
  const payment = idIn(charge.payment_intent) ?? readText(charge.id);
  const invoice = idIn(charge.invoice);
  const currency = currencyOf(charge);
  const report = withoutEmpty({
    orderId: ownId(charge) ?? invoice ?? payment,
    email: emailOf(charge),
    amount: stripeAmount(charge.amount_captured ?? charge.amount, currency),
    currency,
    name: readText(readObject(charge.billing_details).name) ?? shippingName(charge),
    visitorId: visitorOf(charge),
  });
  return ordersOf(report, [payment, invoice], facts);
};

const mapInvoice: MapObject = (invoice, facts) => {
  if (invoice.amount_paid === 0) return [ignored('The invoice is of nothing.')];
  const currency = currencyOf(invoice);
  const payments = readObjects(readObject(invoice.payments).data).map(({ payment }) => readObject(payment));
  const report = withoutEmpty({
    orderId: ownId(invoice) ?? invoice.id,
    email: readText(invoice.customer_email),
    amount: stripeAmount(invoice.amount_paid, currency),
    currency,
    name: readText(invoice.customer_name),
    visitorId: visitorOf(invoice),
    items: readStripeItems(invoice.lines, currency),
  });
  return ordersOf(
    report,
    [
      readText(invoice.id),
      idIn(invoice.payment_intent),
      ...payments.map(({ payment_intent }) => idIn(payment_intent)),
    ],
    facts,
  );
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

/** An order once for each payment that it is known by: then each of them leads to it, and a refund of each. */
function ordersOf(report: Payload, paymentIds: (string | null)[], facts: EventFacts): SourceEvent[] {
  const ids = [...new Set(paymentIds.filter((id) => id !== null))];
  const known = ids.length > 0 ? ids.map((id) => [id]) : [[]];
  return known.map((keys) => ({ kind: 'order', report, keys, changedAt: null, ...facts }));
}
