import { paymentSource } from '../orders/paymentSource.js';
import { readHandedOver } from './handedOver.js';
import {
  joinName,
  type Payload,
  readAmount,
  readObject,
  readObjects,
  readRefunded,
  readText,
  readTexts,
  withoutEmpty,
} from './payload.js';
import { ignored, type MapEvent, type SourceEvent } from './sourceEvent.js';

const topics = new Set(['order.created', 'order.updated', 'order.restored']);
/** States that WooCommerce gives to paid orders alone. A shop can add states of its own; then the date of payment tells. */
const paid = new Set(['processing', 'completed', 'refunded']);

/**
 * Maps a webhook of WooCommerce. Each event holds the order's whole state. An order counts from its payment on, and stays
 * when it is cancelled or deleted later, so that events in any order end in the same state: only refunds return money.
 *
 * The `orderId` is the order's number, because a page, the payment provider's metadata and the export of WooCommerce
 * print it, too. It differs from the order's id where a plugin numbers orders.
 */
export const mapWooCommerce: MapEvent = ({ payload, topic }) => {
  const order = readObject(payload);
  const orderId = readText(order.number) ?? readText(order.id);
  if (topic && !topics.has(topic)) return [ignored(`WooCommerce's event ${topic} holds no order.`)];
  if (orderId === null || !topic) return [];
  const paidAt = readTime(order.date_paid_gmt);
  const state = readText(order.status);
  const isPaid = paidAt !== null || readText(order.date_paid) !== null || paid.has(state ?? '');
  if (!isPaid) return [ignored(`The order is not paid: ${state}.`)];
  return [
    {
      kind: 'order',
      report: reportOf(order, orderId),
      keys: [],
      changedAt: null,
      isTest: null,
      at: paidAt ?? readTime(order.date_created_gmt),
    },
    ...readObjects(order.refunds).flatMap((refund) => mapRefund(refund, order, orderId)),
  ];
};

function reportOf(order: Payload, orderId: string): Payload {
  const billing = readObject(order.billing);
  const shipping = readObject(order.shipping);
  return withoutEmpty({
    orderId,
    email: readText(billing.email),
    amount: readAmount(order.total),
    currency: readText(order.currency),
    source: paymentSource(readText(order.payment_method)),
    name:
      joinName(billing.first_name, billing.last_name) ?? joinName(shipping.first_name, shipping.last_name),
    ...readHandedOver(order.meta_data, 'key'),
    items: readObjects(order.line_items).map(itemOf),
    tax: readAmount(order.total_tax),
    shipping: readAmount(order.shipping_total),
    discount: readAmount(order.discount_total),
    coupons: readTexts(order.coupon_lines, 'code'),
  });
}

function itemOf(line: Payload): Payload {
  return withoutEmpty({
    // As the page's hook says it: the variation where there is one.
    productId: line.variation_id || line.product_id || null,
    sku: readText(line.sku),
    name: readText(line.name),
    quantity: line.quantity,
    price: priceOf(line),
  });
}

/** The price of one unit with tax, as the page's hook says it. Four decimals suit every currency. */
function priceOf({ total, total_tax, quantity, price }: Payload): unknown {
  const one = (numberOf(total) + numberOf(total_tax ?? 0)) / numberOf(quantity);
  return Number.isFinite(one) ? Math.round(one * 10_000) / 10_000 : readAmount(price);
}

function numberOf(value: unknown): number {
  return Number(readText(value) ?? Number.NaN);
}

/** The list of refunds has no dates. The order's last change is closest to that of a new refund. */
function mapRefund(refund: Payload, order: Payload, orderId: string): SourceEvent[] {
  const refundId = readText(refund.id);
  // Refunds are negative: "-10.00".
  const amount = readRefunded(readText(refund.total)?.replace(/^-/, ''));
  if (refundId === null || amount === 0) return [];
  const at = readTime(order.date_modified_gmt);
  const reason = readText(refund.reason);
  return [{ kind: 'refund', orderId, paymentId: null, refundId, amount, reason, isTest: null, at }];
}

/** Reads a time such as `2026-03-22T16:28:08`, which is in UTC. */
function readTime(value: unknown): string | null {
  const text = readText(value);
  return text === null || /Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`;
}
