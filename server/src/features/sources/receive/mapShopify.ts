import { paymentSource } from '../../../core/orders/payment.js';
import { decimalsOf } from '../../../values/currency.js';
import { madeUpEmail } from '../../../values/email.js';
import {
  joinName,
  type Payload,
  readAmount,
  readEmail,
  readObject,
  readObjects,
  readRefunded,
  readText,
  readTexts,
  withoutEmpty,
} from './payload.js';
import { ignored, type ListedRefund, type MapEvent, type SourceEvent } from './sourceEvent.js';
import { readVisitorAttributes } from './visitorAttributes.js';

/** Events that contain a whole order. Shopify's other events about orders contain only a part. */
const orderTopics = new Set(
  ['create', 'paid', 'updated', 'cancelled', 'fulfilled', 'partially_fulfilled', 'partially_paid'].map(
    (name) => `orders/${name}`,
  ),
);
/** Payment states of an order whose whole amount was paid at some time. */
const paid = new Set(['paid', 'partially_refunded']);
/** Payment states of an order that still awaits money. */
const unpaid = new Set(['pending', 'authorized', 'partially_paid', 'expired']);

/** Outcomes of a dispute in which the shop has lost the money. */
const lost = new Set(['lost', 'accepted']);

/**
 * Maps a webhook of Shopify. Each event about an order contains its whole state, so events in any order end in the same
 * state. Each transaction of a refund is a refund here, because a later event can add a transaction that has succeeded.
 *
 * Amounts are in the buyer's currency (`presentment_money`). Shopify states transactions in it, so refunds are exact.
 * The amount less the refunds is what the shop holds; see `amountOf`.
 */
export const mapShopify: MapEvent = ({ payload, topic, isBuyerWithheld = false }) => {
  const body = readObject(payload);
  if (topic === 'refunds/create') return mapRefundEvent(body);
  if (topic === 'disputes/create' || topic === 'disputes/update') return mapDispute(body);
  if (topic === 'customers/redact' || topic === 'shop/redact')
    return [
      {
        kind: 'misread',
        why: 'asks to erase a buyer, or all of a shop; erase the people with “person erase”',
      },
    ];
  if (topic && !orderTopics.has(topic)) return [ignored(`Shopify's event ${topic} holds no order.`)];
  return mapOrder(body, topic, isBuyerWithheld);
};

function mapOrder(order: Payload, topic: string | null, isWithheld: boolean): SourceEvent[] {
  const orderId = readText(order.id);
  if (orderId === null || !topic) return [];
  const isTest = readFlag(order.test);
  const changedAt = readText(order.updated_at);
  const refunds = readObjects(order.refunds).flatMap(refundsIn);
  // If a refund of the list has no transactions, the list does not count.
  const isList =
    Array.isArray(order.refunds) &&
    readObjects(order.refunds).every(({ transactions }) => Array.isArray(transactions));
  const report = reportOf(order, orderId);
  const state = readText(order.financial_status) ?? '';
  // The order of Shopify's "Send test notification" comes as paid, but with the state `voided`.
  const isSentPaid = topic === 'orders/paid' && !unpaid.has(state);
  // Money that was returned was paid before, if only as a deposit.
  const wasPaid = isSentPaid || paid.has(state) || (state === 'refunded' && refunds.length > 0);
  const hasEnded =
    state === 'voided' ||
    state === 'refunded' ||
    (unpaid.has(state) && readText(order.cancelled_at) !== null);
  if (!wasPaid && !hasEnded) return [ignored(`The order is not paid: ${state}.`)];
  return [
    {
      kind: 'order',
      of: 'shopOrder',
      report: wasPaid ? report : { ...report, amount: moneyOf(order, 'total_price') },
      providerIds: [`shopify_${orderId}`],
      isTest,
      at: readText(order.processed_at) ?? readText(order.created_at),
      changedAt,
      state: wasPaid ? 'paid' : 'ended',
      wasPaid,
      buyer: emailIn(order) !== null ? 'named' : isWithheld ? 'withheld' : 'none',
      ...(isList && { refunds }),
    },
  ];
}

/** Maps a dispute to a refund. A lost dispute is a refund; a dispute that was won ends that refund. */
function mapDispute(dispute: Payload): SourceEvent[] {
  const id = readText(dispute.id);
  const orderId = readText(dispute.order_id);
  const status = readText(dispute.status) ?? '';
  if (id === null || orderId === null) return [];
  if (status !== 'won' && !lost.has(status)) return [ignored(`The dispute is not lost: ${status}.`)];
  // The prefix, because ids of disputes may equal those of transactions, which are the ids of refunds.
  const refundId = `dispute_${id}`;
  const at = readText(dispute.finalized_on) ?? readText(dispute.initiated_at);
  const amount = readRefunded(dispute.amount);
  return [
    {
      kind: 'refund',
      id: refundId,
      providerIds: [`shopify_${orderId}`],
      orderId,
      refunds: [{ refundId, amount, currency: readText(dispute.currency), reason: 'dispute', at }],
      isDispute: true,
      isTest: null,
      at,
      changedAt: null,
      state: status === 'won' ? 'ended' : 'paid',
    },
  ];
}

/**
 * Reads the money that the shop got for an order. It is the sum of three parts:
 * - the current cost of the order;
 * - the refunds, also pending ones, because the goods leave the order before the money leaves the shop;
 * - the debt to the buyer, for goods that were removed without a refund.
 *
 * The sum is at most `total_price`, which is never too little, but also counts returned goods: goods of 100 that were
 * exchanged for others of 120 make 220. If a part cannot be read, it is `total_price`. If that cannot be read either,
 * the report is refused and kept.
 */
function amountOf(order: Payload): unknown {
  const total = moneyOf(order, 'total_price');
  const { current_total_price_set: nowSet, current_total_price: nowOfShop } = order;
  const isOneCurrency = presented(order.total_price_set).currency_code === shopMoney(order).currency_code;
  const now = readAmount(presented(nowSet).amount ?? (isOneCurrency ? nowOfShop : undefined));
  const returned = readObjects(order.refunds)
    .flatMap(({ transactions }) => readObjects(transactions))
    .filter(({ kind, status }) => kind === 'refund' && (status === 'success' || status === 'pending'))
    .map(({ amount }) => readRefunded(amount));
  // A fully refunded order counts what was returned, whatever its goods cost: it may have been a deposit.
  const isReturned = order.financial_status === 'refunded' && returned.length > 0;
  const parts = isReturned ? returned : [now, ...returned, owedOf(order)];
  if (typeof total !== 'number' || !parts.every((part) => typeof part === 'number')) return total;
  // Sums of floats may differ by less than the smallest unit of money.
  const sum = Math.round(parts.reduce((all, part) => all + part, 0) * 10_000) / 10_000;
  return Math.min(sum, total);
}

/** Reads what the shop owes the buyer. Shopify states it only in the shop's currency, as a negative `total_outstanding`. */
function owedOf(order: Payload): number {
  const presentment = presented(order.total_price_set);
  const [shop, buyer] = [shopMoney(order), presentment].map(({ amount }) => Number(amount));
  const rate = shop && buyer ? buyer / shop : 1;
  const units = 10 ** decimalsOf(readText(presentment.currency_code) ?? readText(order.currency) ?? '');
  return Math.max(0, Math.round(-Number(order.total_outstanding ?? 0) * rate * units) / units) || 0;
}

function reportOf(order: Payload, orderId: string): Payload {
  const customer = readObject(order.customer);
  const billing = readObject(order.billing_address);
  const customerId = readText(customer.id);
  const gateways = Array.isArray(order.payment_gateway_names) ? order.payment_gateway_names : [];
  return withoutEmpty({
    orderId,
    email: emailIn(order) ?? madeUpEmail('shopify', customerId ?? `order-${orderId}`),
    amount: amountOf(order),
    currency: readText(presented(order.total_price_set).currency_code) ?? readText(order.currency),
    source: paymentSource(readText(gateways[0])),
    name:
      joinName(customer.first_name, customer.last_name) ?? joinName(billing.first_name, billing.last_name),
    ...readVisitorAttributes(order.note_attributes, 'name'),
    items: readObjects(order.line_items).map(itemOf),
    tax: moneyOf(order, 'total_tax'),
    shipping: readAmount(presented(order.total_shipping_price_set).amount),
    discount: moneyOf(order, 'total_discounts'),
    coupons: readTexts(order.discount_codes, 'code'),
    // Such as `#1001`, by which a merchant finds the order in Shopify.
    shopOrder: readText(order.name),
  });
}

/** Reads the buyer's email; null if the order has none. */
function emailIn({ email, contact_email, customer }: Payload): string | null {
  return readEmail(email) ?? readEmail(contact_email) ?? readEmail(readObject(customer).email);
}

function itemOf(line: Payload): Payload {
  return withoutEmpty({
    productId: line.product_id,
    sku: readText(line.sku),
    name: readText(line.title) ?? readText(line.name),
    variant: readText(line.variant_title),
    quantity: line.quantity,
    price: moneyOf(line, 'price'),
  });
}

function mapRefundEvent(refund: Payload): SourceEvent[] {
  const [id, orderId] = [readText(refund.id), readText(refund.order_id)];
  if (orderId === null) return [];
  const refunds = refundsIn(refund);
  if (refunds.length === 0) return [ignored('The refund has not returned money yet.')];
  const at = readText(refund.created_at) ?? refunds[0]!.at;
  return [
    {
      kind: 'refund',
      id: `refund_${id ?? refunds[0]!.refundId}`,
      providerIds: [`shopify_${orderId}`],
      orderId,
      refunds,
      isDispute: false,
      // The stored order decides: Shopify marks refunds of live orders as tests, too.
      isTest: null,
      at,
      changedAt: at,
      state: 'paid',
    },
  ];
}

/** Reads the transactions of a refund that have returned money. */
function refundsIn(refund: Payload): ListedRefund[] {
  const transactions = readObjects(refund.transactions).filter(
    ({ kind, status }) => kind === 'refund' && status === 'success',
  );
  return transactions.flatMap((transaction): ListedRefund[] => {
    const refundId = readText(transaction.id);
    const amount = readRefunded(transaction.amount);
    if (refundId === null || amount === 0) return [];
    const at =
      readText(transaction.processed_at) ?? readText(transaction.created_at) ?? readText(refund.created_at);
    return [
      { refundId, amount, currency: readText(transaction.currency), reason: readText(refund.note), at },
    ];
  });
}

/** Reads an amount in the buyer's currency. Takes the field's set, such as `total_price_set`, or else the field itself. */
function moneyOf(of: Payload, field: string): unknown {
  return readAmount(presented(of[`${field}_set`]).amount ?? of[field]);
}

function presented(set: unknown): Payload {
  return readObject(readObject(set).presentment_money);
}

function shopMoney({ total_price_set }: Payload): Payload {
  return readObject(readObject(total_price_set).shop_money);
}

function readFlag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
