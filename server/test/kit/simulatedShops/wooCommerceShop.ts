import type { Random } from '../random.js';
import { meta, wooOrder } from '../wooCommerceSamples.js';
import { cents, type HeldOrder, type Message, type Moment, type ShopKind } from './simulatedShop.js';

/** An order as WooCommerce has it. */
interface WooOrder {
  id: number;
  key: string;
  number: string;
  status: string;
  /** Status before it went into the trash. */
  trashedFrom: string;
  method: string;
  total: number;
  /** Empty for a guest whom the till did not ask. */
  email: string;
  isErased: boolean;
  createdMs: number;
  paidMs: number | null;
  modifiedMs: number;
  refunds: { id: number; amount: number }[];
  /** Placed and paid years before the source was added. */
  isOld: boolean;
  /** Numbers that reached the server with money, and those of them that webhooks brought. */
  told: Set<string>;
  toldByShop: Set<string>;
  /** Set if a webhook has brought it while it named its buyer. */
  isToldNamed: boolean;
  page: { number: string; amount: number; email: string } | null;
  pageMs: number;
  backend: { amount: number; email: string } | null;
  /** Buyers whom webhooks have named. */
  toldBuyers: Set<string>;
  /** A page alone has told its number before it got another one: buyer and amount tell that it is the same. */
  isFrozen: boolean;
}

const paidStates = new Set(['processing', 'completed']);
const heldStates = new Set([...paidStates, 'cancelled', 'refunded']);
const awaited = new Set(['pending', 'on-hold', 'failed']);
/** Seconds that a page's report may take to the server: its order ends not sooner. */
const pageMs = 60_000;

/**
 * A shop of WooCommerce, whose webhook `order.updated` has the order of the REST API v3 as it is then
 * (woocommerce.github.io/woocommerce-rest-api-docs/#order-properties).
 */
export const wooCommerceShop: ShopKind = {
  repeatsDeliveries: false,
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
  open(habits, startMs) {
    const orders = new Map<number, WooOrder>();
    const currency = habits.pick('EUR', 'USD');
    /** How a plugin numbers orders: from the first on, the same number twice, or when an invoice is written. */
    const numbering = habits.pick('none', 'none', 'sequential', 'again', 'later', 'later');
    /** The plugin's page reports what is paid, and says the order's id; a tag on the page reports whatever was ordered. */
    const hasPlugin = habits.next() < 0.5;
    let lastRefund = 9_000;

    function place(at: number, { nowMs, random }: Moment, isOld = false): WooOrder {
      const id = 230 + 2 * at;
      const method = random.pick('stripe', 'stripe', 'bacs', 'cod');
      const numbers: Record<string, string> = { sequential: `${228 + at}`, again: `RE-${at % 2}` };
      const states: Record<string, string> = { bacs: 'on-hold', cod: 'processing' };
      const createdMs = isOld ? Date.UTC(2023, 4, 5 + at) : nowMs;
      return {
        id,
        key: `wc_order_${id}_${random.below(1_000_000)}`,
        number: numbers[numbering] ?? `${id}`,
        status: isOld ? 'completed' : (states[method] ?? 'pending'),
        trashedFrom: '',
        method,
        total: cents(5 + random.below(30_000) / 100),
        email: buyerOf(random),
        isErased: false,
        createdMs,
        paidMs: isOld ? createdMs : null,
        modifiedMs: createdMs,
        refunds: [],
        isOld,
        told: new Set(),
        toldByShop: new Set(),
        isToldNamed: false,
        page: null,
        pageMs: 0,
        backend: null,
        toldBuyers: new Set(),
        isFrozen: false,
      };
    }

    /** Changes an order as somebody in the shop does. False if that cannot be done now. */
    function change(turn: string, order: WooOrder, { nowMs, random, arrives }: Moment): boolean {
      const isPaidOnce = order.paidMs !== null;
      const isHeld = isPaidOnce && heldStates.has(order.status);
      const rest = cents(order.total - returnedOf(order));
      /** The shop's end of an order takes back the page's of the same buyer and amount. */
      const mayChangeWords = !order.isErased && !order.isFrozen && (isPaidOnce || order.page === null);
      /** A backend's order of another buyer and amount than the shop ever named would be another order. */
      const isBackends = order.backend !== null && !order.toldBuyers.has(order.backend.email);
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
          order.email = `${order.id}-${random.below(1_000)}@corrected.example`;
          return true;
        case 'save':
          return order.status !== 'trash';
        case 'refund': {
          if (!isPaidOnce || !paidStates.has(order.status) || rest <= 0) return false;
          const amount = random.pick(rest, cents(rest / 2), cents(rest / 3), Math.min(rest, 1));
          if (amount <= 0) return false;
          order.refunds.push({ id: ++lastRefund, amount });
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
          if (numbering !== 'later' || order.number !== `${order.id}` || order.isOld) return false;
          if (order.status === 'trash') return false;
          if (order.page !== null && !order.toldByShop.has(order.number)) {
            if (order.isErased || order.page.amount !== order.total || order.page.email !== order.email)
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

    function report(order: WooOrder, turn: string, { nowMs, random }: Moment): Message[] | null {
      const { number, total, email, paidMs, isErased, status } = order;
      if (email === '' || isErased || order.isOld || status === 'trash') return null;
      const said = { orderId: number, email, amount: total, currency };
      if (turn === 'backend') {
        if (paidMs === null || order.backend || !paidStates.has(status)) return null;
        order.backend = { amount: total, email };
        order.told.add(number);
        return [{ by: 'backend', report: said, calledMs: nowMs, idempotencyKey: `paid-${order.id}` }];
      }
      if (status === 'partially-paid') return null;
      const isEnded = paidMs === null && ['cancelled', 'failed', 'refunded'].includes(status);
      if (isEnded || (paidMs === null && (hasPlugin || numbering === 'again'))) return null;
      order.page = { number, amount: total, email };
      order.pageMs = nowMs;
      order.told.add(number);
      const visitorId = random.pick(undefined, `visitor-${order.id}`);
      const ids = hasPlugin ? { shopOrderId: `${order.id}` } : {};
      return [{ by: 'page', report: { ...said, ...ids, visitorId }, calledMs: nowMs }];
    }

    function payloadOf(order: WooOrder): Record<string, unknown> {
      const name = order.isErased ? '[deleted]' : 'Ann';
      const email = order.isErased ? 'deleted@site.invalid' : order.email;
      return wooOrder(order.id, {
        number: order.number,
        order_key: order.key,
        status: order.status,
        currency,
        total: order.total.toFixed(2),
        payment_method: order.method,
        transaction_id: '',
        billing: { first_name: name, last_name: name, email },
        shipping: { first_name: name, last_name: name },
        date_created_gmt: gmt(order.createdMs),
        date_modified_gmt: gmt(order.modifiedMs),
        date_paid: order.paidMs === null ? null : gmt(order.paidMs),
        date_paid_gmt: order.paidMs === null ? null : gmt(order.paidMs),
        meta_data: order.isErased ? [meta('_anonymized', 'yes')] : [],
        refunds: order.refunds.map(({ id, amount }) => ({ id, reason: '', total: `-${amount.toFixed(2)}` })),
      });
    }

    function tell(order: WooOrder, turn: string, { random, arrives }: Moment): Message[] {
      // Before 11.2 WooCommerce says nothing of a refund that was deleted.
      if (turn === 'unrefund' && random.next() < 0.5) return [];
      if (arrives(0) && order.paidMs !== null) {
        order.told.add(order.number);
        order.toldByShop.add(order.number);
        order.isToldNamed ||= !order.isErased;
        if (!order.isErased) order.toldBuyers.add(order.email);
      }
      const topic =
        turn === 'place' ? 'order.created' : turn === 'restore' ? 'order.restored' : 'order.updated';
      const event: Message = { by: 'webhook', topic, payload: payloadOf(order) };
      const deleted: Message = { by: 'webhook', topic: 'order.deleted', payload: { id: order.id } };
      return turn === 'trash' ? [event, deleted] : [event];
    }

    return {
      take(turn, at, moment) {
        const order = orders.get(at);
        if (turn === 'place' || turn === 'old') {
          if (order) return null;
          const placed = place(at, moment, turn === 'old');
          orders.set(at, placed);
          return turn === 'old' ? [] : tell(placed, turn, moment);
        }
        if (!order) return null;
        if (turn === 'page' || turn === 'backend') return report(order, turn, moment);
        if (!change(turn, order, moment)) return null;
        if (turn !== 'unrefund') order.modifiedMs = moment.nowMs;
        return tell(order, turn, moment);
      },
      closing(at) {
        const order = orders.get(at);
        if (!order || order.paidMs !== null || order.page === null) return null;
        return ['pending', 'on-hold', 'processing'].includes(order.status) ? 'cancel' : null;
      },
      answer: () =>
        [...orders.values()]
          .filter(({ status }) => status !== 'trash')
          .map((order) => ({ changed: order.modifiedMs / 1_000, payload: payloadOf(order) })),
      holding() {
        const oldestFirst = [...orders.values()].sort((a, b) => a.createdMs - b.createdMs || a.id - b.id);
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
          if (order.isOld && !order.isToldNamed && (isErased || order.modifiedMs < startMs)) return [];
          const isGone = status !== 'trash' && !heldStates.has(status);
          const numbers = [...new Set([...order.told, order.number])];
          const buyer = isErased || email === '' ? null : email;
          return [{ numbers, amount: total, refunded: isGone ? total : returnedOf(order), currency, buyer }];
        });
        return withOwnNumbers(held);
      },
    };
  },
};

/** Of two orders with one number the older one is found by it, else the lesser id. */
function withOwnNumbers(orders: HeldOrder[]): HeldOrder[] {
  const owned = new Set<string>();
  return orders.map((order) => {
    const numbers = order.numbers.filter((number) => !owned.has(number));
    for (const number of numbers) owned.add(number);
    return { ...order, numbers };
  });
}

const returnedOf = ({ refunds }: WooOrder) => cents(refunds.reduce((sum, { amount }) => sum + amount, 0));

const gmt = (ms: number) => new Date(ms).toISOString().slice(0, 19);

const buyerOf = (random: Random) =>
  random.pick('ann@buyer.example', 'bob@buyer.example', 'cid@buyer.example', 'ann@buyer.example', '');
