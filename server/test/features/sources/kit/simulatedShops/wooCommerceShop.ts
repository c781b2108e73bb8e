import type { Random } from '../../../../kit/random.js';
import type { HeldOrder, Message, Moment, ShopKind, SimulatedShop } from './simulatedShop.js';
import { changeOrder } from './wooCommerceChanges.js';
import {
  heldStates,
  type Numbering,
  paidStates,
  payloadOf,
  placeOrder,
  returnedOf,
  type WooOrder,
} from './wooCommerceOrder.js';

/**
 * A shop of WooCommerce. Its webhook `order.updated` has the order of the REST API v3 at that time
 * (woocommerce.github.io/woocommerce-rest-api-docs/#order-properties).
 */
export const wooCommerceShop: ShopKind = {
  providers: ['woocommerce'],
  turns: {
    place: 10,
    page: 8,
    backend: 2,
    pay: 12,
    complete: 2,
    edit: 5,
    correct: 4,
    save: 2,
    refund: 8,
    unrefund: 4,
    cancel: 4,
    fail: 4,
    hold: 2,
    erase: 2,
    trash: 2,
    restore: 4,
    renumber: 4,
    deposit: 1,
    old: 1,
  },
  open: (habits, startMs) =>
    openWooCommerce(habits, startMs, ['none', 'none', 'sequential', 'again', 'later', 'later']),
};

/** Opens a shop of WooCommerce that numbers its orders in one of these ways. */
export function openWooCommerce(habits: Random, startMs: number, numberings: Numbering[]): SimulatedShop {
  const orders = new Map<number, WooOrder>();
  const currency = habits.pick('EUR', 'USD');
  const numbering = habits.pick(...numberings);
  /** Set if the page is the plugin's. It reports paid orders, with the order's id. A tag on the page reports every order. */
  const hasPlugin = habits.next() < 0.5;

  function report(order: WooOrder, turn: string, { nowMs, random }: Moment): Message[] | null {
    const { number, total, email, paidMs, isErased, status } = order;
    if (turn === 'backend' && order.backend) return reportAgain(order, nowMs);
    if (email === '' || isErased || order.isOld || status === 'trash') return null;
    const stated = { orderId: number, email, amount: total, currency };
    const ids = hasPlugin ? { shopOrderId: `${order.id}` } : {};
    if (turn === 'backend') {
      if (paidMs === null || !paidStates.has(status)) return null;
      order.backend = { amount: total, email, number, calledMs: nowMs };
      order.words.push(order.backend);
      order.sent.add(number);
      const report = { ...stated, ...ids };
      return [{ by: 'backend', report, calledMs: nowMs, idempotencyKey: `paid-${order.id}` }];
    }
    if (status === 'partially-paid') return null;
    const isEnded = paidMs === null && ['cancelled', 'failed', 'refunded'].includes(status);
    if (isEnded || (paidMs === null && (hasPlugin || numbering === 'again'))) return null;
    order.page = { number, amount: total, email };
    order.words.push(order.page);
    order.pageMs = nowMs;
    order.sent.add(number);
    const visitorId = random.pick(undefined, `visitor-${order.id}`);
    return [{ by: 'page', report: { ...stated, ...ids, visitorId }, calledMs: nowMs }];
  }

  /** A backend's nightly job reports all of its orders again, by the number alone that it knows, and with a new key. */
  function reportAgain({ id, backend }: WooOrder, nowMs: number): Message[] {
    const { number, amount, email, calledMs } = backend!;
    const report = { orderId: number, email, amount, currency };
    return [{ by: 'backend', report, calledMs, idempotencyKey: `nightly-${id}-${nowMs}` }];
  }

  function messagesOf(order: WooOrder, turn: string, { random, arrives }: Moment): Message[] {
    // Before 11.2, WooCommerce sends no webhook if a refund is deleted.
    if (turn === 'unrefund' && random.next() < 0.5) return [];
    if (arrives(0) && order.paidMs !== null) {
      order.sent.add(order.number);
      order.sentByShop.add(order.number);
      order.isSentNamed ||= !order.isErased;
      if (!order.isErased) order.sentBuyers.add(order.email);
    }
    const topic =
      turn === 'place' ? 'order.created' : turn === 'restore' ? 'order.restored' : 'order.updated';
    const event: Message = { by: 'webhook', from: 'woocommerce', topic, payload: payloadOf(order, currency) };
    const deleted: Message = {
      by: 'webhook',
      from: 'woocommerce',
      topic: 'order.deleted',
      payload: { id: order.id },
    };
    return turn === 'trash' ? [event, deleted] : [event];
  }

  return {
    take(turn, at, moment) {
      const order = orders.get(at);
      if (turn === 'place' || turn === 'old') {
        if (order) return null;
        const placed = placeOrder(at, numbering, moment, turn === 'old');
        orders.set(at, placed);
        return turn === 'old' ? [] : messagesOf(placed, turn, moment);
      }
      if (!order) return null;
      if (turn === 'page' || turn === 'backend') return report(order, turn, moment);
      if (turn === 'renumber' && numbering !== 'later') return null;
      if (!changeOrder(turn, order, moment)) return null;
      if (turn !== 'unrefund') order.modifiedMs = moment.nowMs;
      return messagesOf(order, turn, moment);
    },
    closing(at) {
      const order = orders.get(at);
      if (order?.backend) return 'backend';
      if (!order || order.paidMs !== null || order.page === null) return null;
      return ['pending', 'on-hold', 'processing'].includes(order.status) ? 'cancel' : null;
    },
    answer: () =>
      [...orders.values()]
        .filter(({ status }) => status !== 'trash')
        .map((order) => ({ changed: order.modifiedMs / 1_000, payload: payloadOf(order, currency) })),
    holding() {
      const paidAt = ({ paidMs }: WooOrder) => paidMs ?? Number.POSITIVE_INFINITY;
      const oldestFirst = [...orders.values()].sort((a, b) => paidAt(a) - paidAt(b) || a.id - b.id);
      const held = oldestFirst.flatMap((order): HeldOrder[] => {
        const { page, paidMs, total, email, isErased, status } = order;
        if (paidMs === null)
          return page === null
            ? []
            : [
                {
                  numbers: [page.number],
                  amount: page.amount,
                  refunded: page.amount,
                  currency,
                  buyer: page.email,
                },
              ];
        if (order.isOld && !order.isSentNamed && (isErased || order.modifiedMs < startMs)) return [];
        const isGone = status !== 'trash' && !heldStates.has(status);
        const numbers = [...new Set([...order.sent, order.number])];
        const buyer = isErased || email === '' ? null : email;
        return [{ numbers, amount: total, refunded: isGone ? total : returnedOf(order), currency, buyer }];
      });
      return withOwnNumbers(held);
    },
  };
}

/** Leaves each number to one order: if several have it, to the one that was paid first, or has the lowest id. */
function withOwnNumbers(orders: HeldOrder[]): HeldOrder[] {
  const owned = new Set<string>();
  return orders.map((order) => {
    const numbers = order.numbers.filter((number) => !owned.has(number));
    for (const number of numbers) owned.add(number);
    return { ...order, numbers };
  });
}
