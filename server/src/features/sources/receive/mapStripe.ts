import { madeUpEmail } from '../../../values/email.js';
import { type Payload, readEmail, readObject, readObjects, readText, withoutEmpty } from './payload.js';
import { ignored, type MapEvent, type SourceEvent, type SourceOrder } from './sourceEvent.js';
import { stripeAmount } from './stripeAmount.js';
import {
  currencyOf,
  emailOf,
  idIn,
  ownId,
  referenceOf,
  shippingName,
  timeOf,
  visitorOf,
} from './stripeFields.js';
import { readStripeItems } from './stripeItems.js';
import {
  type EventFacts,
  type MapObject,
  mapDispute,
  mapRefund,
  mapRefundedCharge,
} from './stripeRefunds.js';

/**
 * Maps a snapshot event of Stripe. The ids of the Checkout session, the payment, the invoice and the charge are
 * identifiers, so that the events of one payment become one order. `orderId` is the shop's id in `metadata.orderId` or
 * `metadata.order_id`, or else a shop's own `order_reference`. `client_reference_id` does not count, because it is
 * often a customer.
 */
export const mapStripe: MapEvent = ({ payload }) => {
  const event = readObject(payload);
  const type = readText(event.type);
  if (type === null) return [];
  if (type === 'v2.core.event_destination.ping')
    return [{ kind: 'ping', why: 'Stripe tries the destination.' }];
  if (event.object === 'v2.core.event') {
    const why =
      'is a thin event, which holds no order; choose the payload style Snapshot for the destination in Stripe';
    return [{ kind: 'misread', why }];
  }
  const map = mapped.get(type);
  if (map === undefined) return [ignored(`Stripe's event ${type} holds no order.`)];
  const object = readObject(readObject(event.data).object);
  if (readText(object.id) === null) return [];
  const isTest = typeof event.livemode === 'boolean' ? !event.livemode : null;
  return map(object, { isTest, at: timeOf(event.created) }, type);
};

/** Values of `payment_status` with which a session is an order. */
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
  const report = {
    orderId: ownId(session),
    email: readEmail(buyer.email) ?? readEmail(session.customer_email),
    amount: stripeAmount(session.amount_total, currency),
    currency,
    name: readText(buyer.name) ?? shippingName(session),
    visitorId: visitorOf(session),
    items: readStripeItems(session.line_items, currency),
    tax: part(total.amount_tax),
    shipping: part(total.amount_shipping),
    discount: part(total.amount_discount),
  };
  return orderOf(session, report, [session.id, session.payment_intent, session.invoice], facts, 'session');
};

const mapPayment: MapObject = (payment, facts) => {
  const charge = readObject(readObjects(readObject(payment.charges).data)[0] ?? payment.latest_charge);
  const invoice = idIn(payment.invoice) ?? referenceOf(payment, 'in');
  const currency = currencyOf(payment);
  const report = {
    orderId: ownId(payment),
    email: readEmail(payment.receipt_email) ?? emailOf(charge),
    amount: stripeAmount(payment.amount_received ?? payment.amount, currency),
    currency,
    name: shippingName(payment) ?? readText(readObject(charge.billing_details).name),
    visitorId: visitorOf(payment),
  };
  const ids = [payment.id, charge.id ?? payment.latest_charge, invoice, referenceOf(payment, 'cs')];
  return orderOf(payment, report, ids, facts, 'payment');
};

const mapCharge: MapObject = (charge, facts) => {
  if (charge.captured !== true || charge.status !== 'succeeded')
    return [ignored('The charge is not captured yet; charge.captured follows.')];
  const currency = currencyOf(charge);
  const report = {
    orderId: ownId(charge),
    email: emailOf(charge),
    amount: stripeAmount(charge.amount_captured ?? charge.amount, currency),
    currency,
    name: readText(readObject(charge.billing_details).name) ?? shippingName(charge),
    visitorId: visitorOf(charge),
  };
  return orderOf(charge, report, [charge.payment_intent, charge.id, charge.invoice], facts, 'charge');
};

const mapInvoice: MapObject = (invoice, facts) => {
  if (invoice.amount_paid === 0) return [ignored('The invoice is of nothing.')];
  const currency = currencyOf(invoice);
  const payments = readObjects(readObject(invoice.payments).data).map(({ payment }) => readObject(payment));
  const report = {
    orderId: ownId(invoice),
    email: readEmail(invoice.customer_email),
    amount: stripeAmount(invoice.amount_paid, currency),
    currency,
    name: readText(invoice.customer_name),
    visitorId: visitorOf(invoice),
    items: readStripeItems(invoice.lines, currency),
  };
  const paid = payments.flatMap(({ payment_intent, charge }) => [payment_intent, charge]);
  return orderOf(
    invoice,
    report,
    [invoice.id, invoice.payment_intent, invoice.charge, ...paid],
    facts,
    'invoice',
  );
};

/**
 * Maps the payment of an invoice. Since the API of 2025-03-31, only this object names the charge of an invoice. It has
 * no buyer: the events of the charge and of the invoice name it.
 */
const mapInvoicePayment: MapObject = (invoicePayment, facts) => {
  const { payment_intent, charge } = readObject(invoicePayment.payment);
  const currency = currencyOf(invoicePayment);
  const report = { amount: stripeAmount(invoicePayment.amount_paid, currency), currency };
  return orderOf(
    invoicePayment,
    report,
    [invoicePayment.invoice, payment_intent, charge],
    facts,
    'invoicePayment',
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
  ['invoice_payment.paid', mapInvoicePayment],
  ['refund.created', mapRefund],
  ['refund.updated', mapRefund],
  ['refund.failed', mapRefund],
  ['charge.refund.updated', mapRefund],
  ['charge.refunded', mapRefundedCharge],
  ['charge.dispute.closed', mapDispute],
]);

/**
 * Makes the paid order that an object of Stripe, such as a charge, stands for. Without an email, its buyer is Stripe's customer, or
 * an unknown buyer of this payment.
 * @param ids other ids of the payment, which also become identifiers of the order
 */
function orderOf(
  object: Payload,
  report: Payload,
  ids: unknown[],
  { at, isTest }: EventFacts,
  of: SourceOrder['of'],
): SourceEvent[] {
  const providerIds = [...new Set([object.id, ...ids].map(idIn).filter((id) => id !== null))];
  const email =
    report.email ?? madeUpEmail('stripe', idIn(object.customer) ?? idIn(ids[0]) ?? providerIds[0] ?? '');
  const stated = withoutEmpty({ ...report, email });
  return [
    {
      kind: 'order',
      of,
      report: stated,
      providerIds,
      isTest,
      at,
      changedAt: at,
      state: 'paid',
      wasPaid: true,
    },
  ];
}
