import { cents, type Moment, pageMs } from './simulatedShop.js';
import { heldStates, paidStates, returnedOf, type WooOrder } from './wooCommerceOrder.js';

const awaited = new Set(['pending', 'on-hold', 'failed']);

/** Changes an order as a person in the shop does. Returns false if the change is not possible now. */
export function changeOrder(turn: string, order: WooOrder, { nowMs, random, arrives }: Moment): boolean {
  const isPaidOnce = order.paidMs !== null;
  const isHeld = isPaidOnce && heldStates.has(order.status);
  const rest = cents(order.total - returnedOf(order));
  /** Set if the order's fields may change. If the shop ends an order, a page's order of the same buyer and amount ends, too. */
  const mayChangeWords = !order.isErased && !order.isFrozen && (isPaidOnce || order.page === null);
  /** Set if a backend has reported a buyer whom the shop never named. Another amount would make that another order. */
  const isBackends = order.backend !== null && !order.sentBuyers.has(order.backend.email);
  const mayEnd = nowMs >= order.pageMs + pageMs;
  switch (turn) {
    case 'pay':
      if (isPaidOnce ? !awaited.has(order.status) : ['completed', 'trash'].includes(order.status))
        return false;
      if (order.status === 'processing' && order.method !== 'cod') return false;
      order.paidMs ??= nowMs;
      order.status = random.pick('processing', 'processing', 'completed');
      return true;
    case 'complete':
      if (order.status !== 'processing') return false;
      order.paidMs ??= nowMs;
      order.status = 'completed';
      return true;
    case 'edit': {
      const by = random.pick(0.5, 10, -0.5, -5, -20);
      if (!mayChangeWords || order.status === 'trash' || rest + by < 1) return false;
      if (isBackends && order.backend?.email !== order.email) return false;
      order.total = cents(order.total + by);
      return true;
    }
    case 'correct':
      if (!mayChangeWords || order.email === '' || order.status === 'trash') return false;
      if (isBackends && order.backend?.amount !== order.total) return false;
      // If two orders have the same number, reports of a buyer whom the shop has never named could be of either.
      if (order.number.startsWith('RE-') && order.words.some(({ email }) => !order.sentBuyers.has(email)))
        return false;
      order.email = `${order.id}-${random.below(1_000)}@corrected.example`;
      return true;
    case 'save':
      return order.status !== 'trash';
    case 'refund': {
      if (!isPaidOnce || !paidStates.has(order.status) || rest <= 0) return false;
      const amount = random.pick(rest, cents(rest / 2), cents(rest / 3), Math.min(rest, 1));
      if (amount <= 0) return false;
      order.refunds.push({ id: order.id * 100 + ++order.refundsMade, amount });
      if (returnedOf(order) >= order.total) order.status = 'refunded';
      return true;
    }
    case 'unrefund':
      if (!isHeld || order.refunds.length === 0) return false;
      order.refunds.splice(random.below(order.refunds.length), 1);
      return true;
    case 'cancel':
      if (!mayEnd || !['pending', 'on-hold', 'processing'].includes(order.status)) return false;
      // An order that was paid and is not any more has no effect. The refunds of a cancelled one state what it returned.
      if (isPaidOnce && order.status !== 'processing') return false;
      order.status = 'cancelled';
      return true;
    case 'fail':
      if (!mayEnd || !['pending', 'on-hold', 'processing'].includes(order.status)) return false;
      order.status = 'failed';
      return true;
    case 'hold':
      if (!isPaidOnce || !paidStates.has(order.status)) return false;
      order.status = random.pick('on-hold', 'pending');
      return true;
    case 'erase':
      if (!isHeld || !mayChangeWords) return false;
      // If the server has never stored an order, it immediately forgets that the order was erased.
      if (order.isOld && order.modifiedMs > order.createdMs) return false;
      order.isErased = true;
      return true;
    case 'trash':
      // The API does not list orders in the trash, so the server could not read this later.
      if (!mayEnd || order.isOld || !arrives(0) || order.modifiedMs >= nowMs) return false;
      if (order.status === 'trash' || order.status === 'partially-paid') return false;
      if (isPaidOnce && !isHeld) return false;
      order.trashedFrom = order.status;
      order.status = 'trash';
      return true;
    case 'restore':
      if (order.status !== 'trash') return false;
      order.status = order.trashedFrom;
      return true;
    case 'renumber':
      if (order.number !== `${order.id}` || order.isOld) return false;
      if (order.status === 'trash') return false;
      if (order.words.length > 0 && !order.sentByShop.has(order.number)) {
        const { isErased, words, total, email } = order;
        if (isErased || words.some((stated) => stated.amount !== total || stated.email !== email))
          return false;
        order.isFrozen = true;
      }
      order.number = `RE-${order.id}`;
      return true;
    case 'deposit':
      if (isPaidOnce || order.page !== null || order.status !== 'pending') return false;
      order.status = 'partially-paid';
      return true;
    default:
      return false;
  }
}
