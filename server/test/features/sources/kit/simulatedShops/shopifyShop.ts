import { changeOrder } from './shopifyChanges.js';
import { lostOf, placeOrder, returnedOf, type ShopifyOrder, statusOf } from './shopifyOrder.js';
import { createShopifyPayloads } from './shopifyPayloads.js';
import { cents, type HeldOrder, type Message, type Moment, type ShopKind } from './simulatedShop.js';

/**
 * A shop of Shopify. Its webhooks about orders have the whole order of the REST Admin API at that time
 * (shopify.dev/docs/api/admin-rest/2025-10/resources/order). Its `updated_at` has seconds. Its list of orders has no disputes.
 */
export const shopifyShop: ShopKind = {
  providers: ['shopify'],
  turns: {
    place: 10,
    page: 8,
    backend: 2,
    pay: 8,
    deposit: 3,
    add: 3,
    remove: 4,
    exchange: 2,
    refund: 8,
    gift: 3,
    settle: 6,
    cancel: 4,
    lose: 2,
    win: 2,
    correct: 3,
    save: 2,
    erase: 2,
  },
  open(habits) {
    const orders = new Map<number, ShopifyOrder>();
    const currency = habits.pick('EUR', 'USD');
    /** Not 1 if the shop counts in another currency than its buyers pay in. */
    const rate = habits.pick(1, 1, 2);
    /** Set if the API's key may not read buyers. */
    const withholds = habits.pick(false, false, false, false, true);
    const { payloadOf, refundedBy, disputeOf } = createShopifyPayloads(currency, rate);
    let lastId = 9_000;
    const newId = () => ++lastId;

    function report(order: ShopifyOrder, by: 'page' | 'backend', nowMs: number): Message[] | null {
      const { id, email, current, isErased, state } = order;
      if (email === null || isErased || order.cancelledMs !== null) return null;
      const stated = { orderId: `${id}`, email, amount: current, currency };
      if (by === 'backend') {
        if (state !== 'paid' || order.backend || withholds || current <= 0) return null;
        order.backend = { amount: current, email };
        return [{ by, report: stated, calledMs: nowMs, idempotencyKey: `paid-${id}` }];
      }
      if (current <= 0 || (withholds && order.page !== null)) return null;
      order.page = { amount: current, email };
      order.pageMs = nowMs;
      return [{ by, report: stated, calledMs: nowMs }];
    }

    function messagesOf(order: ShopifyOrder, topics: string[], { nowMs, arrives }: Moment): Message[] {
      return topics.map((topic, message) => {
        if (topic.startsWith('disputes/'))
          return { by: 'webhook', from: 'shopify', topic, payload: disputeOf(order, nowMs) };
        if (topic === 'refunds/create')
          return { by: 'webhook', from: 'shopify', topic, payload: refundedBy(order, order.refunds.at(-1)!) };
        const isSent = arrives(message) && (order.state === 'paid' || statusOf(order) === 'refunded');
        if (isSent && !order.isErased && order.email !== null) {
          order.sentBuyer = order.email;
          order.sentBuyers.add(order.email);
        }
        return { by: 'webhook', from: 'shopify', topic, payload: payloadOf(order) };
      });
    }

    function buyerOf({ isErased, email, sentBuyer, page }: ShopifyOrder): string | null {
      if (isErased) return null;
      return withholds ? (sentBuyer ?? page?.email ?? null) : email;
    }

    return {
      take(turn, at, moment) {
        const order = orders.get(at);
        if (turn === 'place') {
          if (order) return null;
          const placed = placeOrder(at, moment);
          orders.set(at, placed);
          return messagesOf(
            placed,
            ['orders/create', ...(placed.state === 'paid' ? ['orders/paid'] : [])],
            moment,
          );
        }
        if (!order) return null;
        if (turn === 'page' || turn === 'backend') return report(order, turn, moment.nowMs);
        const topics = changeOrder(turn, order, moment, { withholds, newId });
        if (topics === null) return null;
        if (topics[0] !== 'disputes/update') order.updatedMs = moment.nowMs;
        return messagesOf(order, topics, moment);
      },
      closing(at) {
        const order = orders.get(at);
        if (!order || order.page === null || order.state === 'paid' || order.cancelledMs !== null)
          return null;
        return 'cancel';
      },
      answer: () =>
        [...orders.values()].map((order) => ({
          changed: order.updatedMs / 1_000,
          payload: payloadOf(order, withholds),
        })),
      holding: () =>
        [...orders.values()].flatMap((order): HeldOrder[] => {
          const { id, page, paid, state } = order;
          const numbers = [`${id}`];
          // A deposit that was returned is an order of that amount.
          if (state !== 'paid' && statusOf(order) !== 'refunded')
            return page === null
              ? []
              : [{ numbers, amount: page.amount, refunded: page.amount, currency, buyer: page.email }];
          const refunded = cents(returnedOf(order) + lostOf(order));
          return [{ numbers, amount: paid, refunded, currency, buyer: buyerOf(order) }];
        }),
    };
  },
};
