import { paidOrder, refundOf, returned, set } from '../shopifySamples.js';
import { outstandingOf, type ShopifyOrder, type ShopifyRefund, statusOf } from './shopifyOrder.js';

/**
 * Creates functions that write orders, refunds and disputes as Shopify does.
 * @param rate units of the shop's currency for one of the buyer's; if 1, the currencies are the same
 */
export function createShopifyPayloads(currency: string, rate: number) {
  const money = (amount: number) =>
    set((amount * rate).toFixed(2), amount.toFixed(2), rate === 1 ? currency : 'SEK', currency);
  const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const refundedBy = (order: ShopifyOrder, { id, amount, status, isOfGoods, atMs }: ShopifyRefund) => {
    const at = time(atMs);
    const transaction = returned(id + 50_000, amount.toFixed(2), {
      order_id: order.id,
      currency,
      status,
      created_at: at,
      processed_at: at,
    });
    const more = { created_at: at, processed_at: at, ...(!isOfGoods && { refund_line_items: [] }) };
    return refundOf(order.id, id, [transaction], more);
  };

  function payloadOf(order: ShopifyOrder, isWithheld = false): Record<string, unknown> {
    const { id, email, isErased, total, current, createdMs, updatedMs, cancelledMs } = order;
    const unknownBuyer = {
      email: null,
      contact_email: null,
      customer: null,
      billing_address: null,
      shipping_address: null,
    };
    const shopPrice = (amount: number) => (amount * rate).toFixed(2);
    return paidOrder(id, {
      ...(email === null || isErased
        ? unknownBuyer
        : {
            email,
            contact_email: email,
            customer: { id, email, first_name: 'Ann', last_name: 'Example' },
          }),
      ...(isWithheld && { ...unknownBuyer, customer: { id } }),
      note_attributes: [],
      name: `#${id}`,
      financial_status: statusOf(order),
      currency: rate === 1 ? currency : 'SEK',
      presentment_currency: currency,
      total_price: shopPrice(total),
      total_price_set: money(total),
      current_total_price: shopPrice(current),
      current_total_price_set: money(current),
      total_outstanding: shopPrice(outstandingOf(order)),
      created_at: time(createdMs),
      processed_at: time(createdMs),
      updated_at: time(updatedMs),
      cancelled_at: cancelledMs === null ? null : time(cancelledMs),
      refunds: order.refunds.map((refund) => refundedBy(order, refund)),
    });
  }

  function disputeOf(order: ShopifyOrder, nowMs: number): Record<string, unknown> {
    const { id, amount, status } = order.disputes.at(-1)!;
    return {
      id,
      order_id: order.id,
      type: 'chargeback',
      amount: amount.toFixed(2),
      currency,
      reason: 'fraudulent',
      network_reason_code: '4837',
      status,
      initiated_at: time(nowMs - 1_000),
      finalized_on: time(nowMs).slice(0, 10),
    };
  }

  return { payloadOf, refundedBy, disputeOf };
}
