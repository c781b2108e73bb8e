import { cents, type Moment, pageMs } from './simulatedShop.js';
import { heldStates, paidStates, returnedOf, type WooOrder } from './wooCommerceOrder.js';

const awaited = new Set(['pending', 'on-hold', 'failed']);

/** Changes an order as somebody in the shop does. False if that cannot be done now. */
export function changeOrder(turn: string, order: WooOrder, { nowMs, random, arrives }: Moment): boolean {
  const isPaidOnce = order.paidMs !== null;
  const isHeld = isPaidOnce && heldStates.has(order.status);
  const rest = cents(order.total - returnedOf(order));
  /** The shop's end of an order takes back the page's of the same buyer and amount. */
  const mayChangeWords = !order.isErased && !order.isFrozen && (isPaidOnce || order.page === null);
  /** A backend's order of another buyer and amount than the shop ever named would be another order. */
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
      // Of two orders with one number the words of a buyer whom the shop has never named could be of either.
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
      // One that was paid and is no longer holds nothing; what a cancelled one returns its refunds say.
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
      // The server forgets at once that an order was erased of which it has not heard.
      if (order.isOld && order.modifiedMs > order.createdMs) return false;
      order.isErased = true;
      return true;
    case 'trash':
      // The API does not list it, so nobody could tell this later.
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
