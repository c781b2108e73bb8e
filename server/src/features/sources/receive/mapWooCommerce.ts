import { createHash } from 'node:crypto';
import { paymentSource } from '../../../core/orders/payment.js';
import { madeUpEmail } from '../../../values/email.js';
import {
  isErasedEmail,
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
import { ignored, type ListedRefund, type MapEvent, type NoEvent } from './sourceEvent.js';
import { readVisitorAttributes } from './visitorAttributes.js';

const topics = new Set(['order.created', 'order.updated', 'order.restored']);
/** States that plugins give to an order of which only a deposit is paid. */
const deposit = /deposit|partial(?:ly)?-pa(?:id|yment)/;

/**
 * Maps a webhook of WooCommerce. Each event contains the order's whole state. An order counts once it is paid: it has a
 * date of payment, or is completed, as after payment on delivery. It still counts when it is cancelled or deleted
 * later. Only refunds return money, and a payment that bounced.
 *
 * `orderId` is the order's number, because pages, the payment provider's metadata and WooCommerce's export use it, too.
 * With a plugin that numbers orders, the number differs from the order's id.
 */
export const mapWooCommerce: MapEvent = ({ payload, topic }) => {
  const order = readObject(payload);
  const fault = readFault(order);
  if (fault) return [fault];
  const orderId = readText(order.number) ?? readText(order.id);
  if (topic && !topics.has(topic)) return [ignored(`WooCommerce's event ${topic} holds no order.`)];
  if (orderId === null || !topic) return [];
  const key = keyOf(order);
  const paidAt = readTime(order.date_paid_gmt) ?? readTime(order.date_paid);
  const state = readText(order.status) ?? '';
  const wasPaid = (paidAt !== null || state === 'completed') && !deposit.test(state);
  const changedAt = readTime(order.date_modified_gmt);
  if (!wasPaid && !ended.has(state)) return [ignored(`The order is not paid: ${state}.`)];
  return [
    {
      kind: 'order',
      of: 'shopOrder',
      report: reportOf(order, orderId),
      providerIds: key === null ? [] : [key],
      shopOrderId: readText(order.id),
      parentId: parentOf(order),
      isTest: null,
      at: readTime(order.date_paid_gmt) ?? readTime(order.date_created_gmt),
      changedAt,
      state: wasPaid ? (notPaidNow.has(state) ? 'unpaid' : 'paid') : 'ended',
      wasPaid,
      buyer: isErased(order)
        ? 'erased'
        : readText(readObject(order.billing).email) === null
          ? 'none'
          : 'named',
      ...refundsOf(order),
    },
  ];
};

/** Last states of an order that was never paid. */
const ended = new Set(['cancelled', 'failed', 'refunded', 'trash']);
/** States of an order that was paid and has lost its money, for example by a direct debit that bounced. */
const notPaidNow = new Set(['failed', 'on-hold', 'pending']);

/** Reads a payload that WooCommerce signs and sends in place of an order; null for an order. */
function readFault({ code, message, order }: Payload): NoEvent | null {
  if (typeof code === 'string' && typeof message === 'string') {
    // WooCommerce reads the order when it sends the webhook. It switches a webhook off after some refusals, so this is
    // none.
    if (/_invalid_id$/.test(code)) return ignored('The order was deleted before its webhook was sent.');
    const why = `is an error of WooCommerce in place of an order (${code}); make the webhook as a user who may read orders`;
    return { kind: 'error', why };
  }
  if (typeof order !== 'object' || order === null) return null;
  const why = 'has the form of WooCommerce’s Legacy API; choose the API Version "WP REST API Integration v3"';
  return { kind: 'misread', why };
}

/**
 * Returns an identifier of the order that stays the same if its buyer or, by a plugin, its number changes. The orders of two shops
 * may have the same id, so the identifier contains a hash of WooCommerce's key of the order, or else of the number. The key itself
 * opens the order's page, so it is not stored.
 */
function keyOf(order: Payload): string | null {
  const [id, secret] = [readText(order.id), readText(order.order_key) ?? readText(order.number)];
  if (id === null || secret === null) return null;
  return `woocommerce_${id}_${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;
}

/**
 * Words in the metadata keys of plugins whose orders have a parent but separate money: the rest of a deposit, a
 * renewal.
 */
const ofOwnMoney = /deposit|subscription|renewal|original_order/;

/** Returns the id of the order that this one may be a part of; null if this one is paid separately. */
function parentOf({ parent_id, created_via, meta_data, line_items }: Payload): string | null {
  const id = readText(parent_id);
  if (id === null || id === '0') return null;
  const lists = [meta_data, ...readObjects(line_items).map((line) => line.meta_data)];
  const providerIds = lists.flatMap((list) => readObjects(list)).map(({ key }) => readText(key) ?? '');
  return [...providerIds, readText(created_via) ?? ''].some((key) => ofOwnMoney.test(key)) ? null : id;
}

/**
 * @returns true if WordPress' eraser or WooCommerce's retention has erased the buyer. The erased names are in the
 * shop's language, so they do not show it.
 */
function isErased({ billing, meta_data }: Payload): boolean {
  const isAnonymized = ({ key, value }: Payload) => key === '_anonymized' && value === 'yes';
  return isErasedEmail(readObject(billing).email) || readObjects(meta_data).some(isAnonymized);
}

function reportOf(order: Payload, orderId: string): Payload {
  const billing = readObject(order.billing);
  const shipping = readObject(order.shipping);
  const isNobodys = isErased(order);
  const customerId = order.customer_id && !isNobodys ? readText(order.customer_id) : null;
  return withoutEmpty({
    orderId,
    email:
      (isNobodys ? null : readText(billing.email)) ??
      // By the id, because two orders may have one number.
      madeUpEmail('woocommerce', customerId ?? `order-${readText(order.id) ?? orderId}`),
    amount: readAmount(order.total),
    currency: readText(order.currency),
    source: paymentSource(readText(order.payment_method)),
    ...(!isNobodys && {
      name:
        joinName(billing.first_name, billing.last_name) ?? joinName(shipping.first_name, shipping.last_name),
      ...readVisitorAttributes(order.meta_data, 'key'),
    }),
    items: readObjects(order.line_items).map(itemOf),
    tax: readAmount(order.total_tax),
    shipping: readAmount(order.shipping_total),
    discount: readAmount(order.discount_total),
    coupons: readTexts(order.coupon_lines, 'code'),
  });
}

function itemOf(line: Payload): Payload {
  return withoutEmpty({
    // The variation if there is one, as in the page's hook.
    productId: line.variation_id || line.product_id || null,
    sku: readText(line.sku),
    name: readText(line.name),
    quantity: line.quantity,
    price: priceOf(line),
  });
}

/** Calculates the price of one unit with tax, as the page's hook reports it. Four decimals suit every currency. */
function priceOf({ total, total_tax, quantity, price }: Payload): unknown {
  const one = (numberOf(total) + numberOf(total_tax ?? 0)) / numberOf(quantity);
  return Number.isFinite(one) ? Math.round(one * 10_000) / 10_000 : readAmount(price);
}

function numberOf(value: unknown): number {
  return Number(readText(value) ?? Number.NaN);
}

/** Reads the refunds that an order lists, in any state of the order. The list has no times. */
function refundsOf(order: Payload): { refunds?: ListedRefund[] } {
  if (!Array.isArray(order.refunds)) return {};
  const refunds = readObjects(order.refunds).flatMap((refund): ListedRefund[] => {
    const refundId = readText(refund.id);
    // Refunds are negative: "-10.00".
    const amount = readRefunded(readText(refund.total)?.replace(/^-/, ''));
    if (refundId === null || amount === 0) return [];
    return [{ refundId, amount, currency: null, reason: readText(refund.reason), at: null }];
  });
  return { refunds };
}

/** Reads a time. Without a zone, such as `2026-03-22T16:28:08`, it is in UTC. */
function readTime(value: unknown): string | null {
  const text = readText(value);
  return text === null || /Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`;
}
