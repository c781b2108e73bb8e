import {
  giftsOf,
  lostOf,
  outstandingOf,
  pendingOf,
  returnedOf,
  type ShopifyOrder,
  type ShopifyRefund,
} from './shopifyOrder.js';
import { cents, type Moment, pageMs } from './simulatedShop.js';

/** Changes an order. Returns the topics of the events about it; null if the change is not possible now. */
export function changeOrder(
  turn: string,
  order: ShopifyOrder,
  moment: Moment,
  { withholds, newId }: { withholds: boolean; newId: () => number },
): string[] | null {
  const { nowMs, random, arrives } = moment;
  const isPaid = order.state === 'paid';
  const isOpen = order.cancelledMs === null;
  const rest = cents(order.paid - returnedOf(order) - pendingOf(order) - lostOf(order));
  /** Set if a backend has reported a buyer whom the shop never named. Another amount would make that another order. */
  const isBackends = order.backend !== null && !order.sentBuyers.has(order.backend.email);
  const give = (amount: number, isOfGoods: boolean, status: ShopifyRefund['status'] = 'success') =>
    order.refunds.push({ id: newId(), amount, isOfGoods, status, atMs: nowMs });
  switch (turn) {
    case 'pay':
      if (isPaid || !isOpen) return null;
      order.state = 'paid';
      order.paid = order.total;
      return ['orders/paid', 'orders/updated'];
    case 'deposit':
      if (order.state !== 'pending' || !isOpen) return null;
      order.state = 'deposit';
      order.paid = cents(order.total / 3);
      return ['orders/partially_paid', 'orders/updated'];
    case 'add': {
      if (!isPaid || !isOpen || (isBackends && order.backend?.email !== order.email)) return null;
      // Nor could the server do so if money was given back in addition to goods, and the buyer pays less than the goods cost.
      if (giftsOf(order) > 0 && outstandingOf(order) !== 0) return null;
      const more = random.pick(10, 0.5, 33.33);
      order.total = cents(order.total + more);
      order.current = cents(order.current + more);
      // The buyer immediately pays the missing price of the goods.
      order.paid = cents(order.paid + Math.max(0, outstandingOf(order)));
      return ['orders/paid', 'orders/updated'];
    }
    case 'exchange': {
      const price = cents(order.current / 2);
      if (!isPaid || !isOpen || price <= 0 || giftsOf(order) > 0) return null;
      order.total = cents(order.total + price);
      return ['orders/updated'];
    }
    case 'remove': {
      const price = cents(order.current / random.pick(2, 3, 5));
      if (!isPaid || !isOpen || price <= 0 || price > rest) return null;
      order.current = cents(order.current - price);
      return ['orders/updated'];
    }
    case 'refund': {
      const owed = Math.max(0, -outstandingOf(order));
      const price = owed > 0 ? owed : random.pick(order.current, cents(order.current / 2), 1);
      const amount = Math.min(price, rest);
      if (!isPaid || amount <= 0) return null;
      if (owed === 0) {
        if (price > rest || price > order.current) return null;
        order.current = cents(order.current - price);
      }
      give(amount, true, random.pick('success', 'success', 'pending'));
      return ['refunds/create', 'orders/updated'];
    }
    case 'gift':
      // If an order had an exchange, the server could not compute how much was paid.
      if (!isPaid || !isOpen || order.total !== order.paid || rest <= 5 || outstandingOf(order) !== 0)
        return null;
      give(5, false);
      return ['refunds/create', 'orders/updated'];
    case 'settle': {
      const pending = order.refunds.find(({ status }) => status === 'pending');
      if (!pending) return null;
      pending.status = random.pick('success', 'success', 'failure');
      return ['orders/updated'];
    }
    case 'cancel':
      if (!isOpen || nowMs < order.pageMs + pageMs) return null;
      if (pendingOf(order) > 0) return null;
      order.cancelledMs = nowMs;
      if (order.state === 'deposit' || (isPaid && rest > 0 && random.next() < 0.6)) {
        give(rest, true);
        order.current = 0;
        return ['refunds/create', 'orders/cancelled', 'orders/updated'];
      }
      if (isPaid) order.current = 0;
      return ['orders/cancelled', 'orders/updated'];
    case 'lose': {
      // No list has disputes.
      if (!isPaid || !isOpen || rest <= 0 || !arrives(0) || outstandingOf(order) !== 0) return null;
      order.disputes.push({ id: newId(), amount: rest, status: random.pick('lost', 'accepted') });
      return ['disputes/update'];
    }
    case 'win': {
      const lost = order.disputes.at(-1);
      if (!lost || lost.status === 'won' || !arrives(0)) return null;
      lost.status = 'won';
      return ['disputes/update'];
    }
    case 'correct':
      if (!isPaid || order.email === null || order.isErased || (withholds && !arrives(0))) return null;
      if (isBackends && order.backend?.amount !== order.paid) return null;
      order.email = `${order.id}-${random.below(1_000)}@corrected.example`;
      return ['orders/updated'];
    case 'save':
      return ['orders/updated'];
    case 'erase':
      // If no buyer was ever named, none can be erased: such an order is a till's.
      if (!isPaid || order.email === null || order.isErased || order.sentBuyer === null) return null;
      // A list without a buyer looks the same for a key that may not read buyers.
      if (!arrives(0) || nowMs === order.updatedMs) return null;
      order.isErased = true;
      return ['orders/updated'];
    default:
      return null;
  }
}
