import { paidOrder, refundOf, returned, set } from '../shopifySamples.js';
import { cents, type HeldOrder, type Message, type Moment, type ShopKind } from './simulatedShop.js';

/** An order as Shopify has it. Amounts are in the buyer's currency. */
interface ShopifyOrder {
  id: number;
  /** What all goods cost that ever were in it, and those that are in it now. */
  total: number;
  current: number;
  /** Money that came in. */
  paid: number;
  state: 'pending' | 'authorized' | 'deposit' | 'paid';
  email: string | null;
  isErased: boolean;
  createdMs: number;
  updatedMs: number;
  cancelledMs: number | null;
  refunds: ShopifyRefund[];
  disputes: { id: number; amount: number; status: string }[];
  /** Set once a webhook has brought it as paid, and the buyer whom the last one of these named. */
  isToldPaid: boolean;
  toldBuyer: string | null;
  page: { amount: number; email: string } | null;
  pageMs: number;
  backend: { amount: number; email: string } | null;
  /** Buyers whom webhooks have named. */
  toldBuyers: Set<string>;
}

interface ShopifyRefund {
  id: number;
  amount: number;
  status: 'success' | 'pending' | 'failure';
  /** False for money that was given back beside the goods. */
  isOfGoods: boolean;
  atMs: number;
}

/** Seconds that a page's report may take to the server: its order ends not sooner. */
const pageMs = 60_000;

/**
 * A shop of Shopify, whose webhooks about orders have the whole order of the REST Admin API as it is then
 * (shopify.dev/docs/api/admin-rest/2025-10/resources/order), and whose `updated_at` has seconds. Its list of orders has no disputes.
 */
export const shopifyShop: ShopKind = {
  repeatsDeliveries: true,
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
    /** The shop counts in another currency than its buyers pay in. */
    const rate = habits.pick(1, 1, 2);
    /** The API's key may not read buyers. */
    const withholds = habits.pick(false, false, false, false, true);
    let lastId = 9_000;

    function place(at: number, { nowMs, random }: Moment): ShopifyOrder {
      const total = cents(5 + random.below(30_000) / 100);
      const state = random.pick('paid', 'paid', 'paid', 'authorized', 'pending');
      return {
        id: 5_001 + at,
        total,
        current: total,
        paid: state === 'paid' ? total : 0,
        state,
        email: random.pick('ann@buyer.example', 'bob@buyer.example', 'ann@buyer.example', null),
        isErased: false,
        createdMs: nowMs,
        updatedMs: nowMs,
        cancelledMs: null,
        refunds: [],
        disputes: [],
        isToldPaid: false,
        toldBuyer: null,
        page: null,
        pageMs: 0,
        backend: null,
        toldBuyers: new Set(),
      };
    }

    /** Changes an order. Returns the topics of the events that tell of it; null if that cannot be done now. */
    function change(turn: string, order: ShopifyOrder, moment: Moment): string[] | null {
      const { nowMs, random, arrives } = moment;
      const isPaid = order.state === 'paid';
      const isOpen = order.cancelledMs === null;
      const rest = cents(order.paid - returnedOf(order) - pendingOf(order) - lostOf(order));
      /** A backend's order of another buyer and amount than the shop ever named would be another order. */
      const isBackends = order.backend !== null && !order.toldBuyers.has(order.backend.email);
      const give = (amount: number, isOfGoods: boolean, status: ShopifyRefund['status'] = 'success') =>
        order.refunds.push({ id: ++lastId, amount, isOfGoods, status, atMs: nowMs });
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
          // Neither could it of one with money given back beside the goods, if the buyer pays less than the goods cost.
          if (giftsOf(order) > 0 && outstandingOf(order) !== 0) return null;
          const more = random.pick(10, 0.5, 33.33);
          order.total = cents(order.total + more);
          order.current = cents(order.current + more);
          // The buyer pays at once what the goods cost more than is there.
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
          // An order that was returned whole looks as one of which a deposit was.
          if (amount === rest && order.total !== order.paid && !order.isToldPaid) return null;
          if (owed === 0) {
            if (price > rest || price > order.current) return null;
            order.current = cents(order.current - price);
          }
          give(amount, true, random.pick('success', 'success', 'pending'));
          return ['refunds/create', 'orders/updated'];
        }
        case 'gift':
          // Of an order with an exchange nobody could tell how much was paid.
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
          if (pendingOf(order) > 0 || (isPaid && order.total !== order.paid && !order.isToldPaid))
            return null;
          order.cancelledMs = nowMs;
          if (order.state === 'deposit' || (isPaid && rest > 0 && random.next() < 0.6)) {
            give(rest, true);
            order.current = 0;
            return ['refunds/create', 'orders/cancelled', 'orders/updated'];
          }
          if (isPaid) order.current = 0;
          return ['orders/cancelled', 'orders/updated'];
        case 'lose': {
          // No list has it.
          if (!isPaid || !isOpen || rest <= 0 || !arrives(0) || outstandingOf(order) !== 0) return null;
          order.disputes.push({ id: ++lastId, amount: rest, status: random.pick('lost', 'accepted') });
          return ['disputes/update'];
        }
        case 'win': {
          const lost = order.disputes.find(({ status }) => status !== 'won');
          if (!lost || !arrives(0)) return null;
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
          // Whom nobody has named nobody can forget: such an order is a till's.
          if (!isPaid || order.email === null || order.isErased || order.toldBuyer === null) return null;
          if (withholds && !arrives(0)) return null;
          order.isErased = true;
          return ['orders/updated'];
        default:
          return null;
      }
    }

    function report(order: ShopifyOrder, by: 'page' | 'backend', nowMs: number): Message[] | null {
      const { id, email, current, isErased, state } = order;
      if (email === null || isErased || order.cancelledMs !== null) return null;
      const said = { orderId: `${id}`, email, amount: current, currency };
      if (by === 'backend') {
        if (state !== 'paid' || order.backend || withholds || current <= 0) return null;
        order.backend = { amount: current, email };
        return [{ by, report: said, calledMs: nowMs, idempotencyKey: `paid-${id}` }];
      }
      if (current <= 0 || (withholds && order.page !== null)) return null;
      order.page = { amount: current, email };
      order.pageMs = nowMs;
      return [{ by, report: said, calledMs: nowMs }];
    }

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
      const nobody = {
        email: null,
        contact_email: null,
        customer: null,
        billing_address: null,
        shipping_address: null,
      };
      const shopPrice = (amount: number) => (amount * rate).toFixed(2);
      return paidOrder(id, {
        ...(email === null || isErased
          ? nobody
          : {
              email,
              contact_email: email,
              customer: { id, email, first_name: 'Ann', last_name: 'Example' },
            }),
        ...(isWithheld && { ...nobody, customer: { id } }),
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

    function tell(order: ShopifyOrder, topics: string[], { nowMs, arrives }: Moment): Message[] {
      return topics.map((topic, message) => {
        if (topic.startsWith('disputes/')) return { by: 'webhook', topic, payload: disputeOf(order, nowMs) };
        if (topic === 'refunds/create')
          return { by: 'webhook', topic, payload: refundedBy(order, order.refunds.at(-1)!) };
        if (arrives(message) && order.state === 'paid') {
          order.isToldPaid ||= statusOf(order) !== 'refunded';
          if (!order.isErased && order.email !== null) {
            order.toldBuyer = order.email;
            order.toldBuyers.add(order.email);
          }
        }
        return { by: 'webhook', topic, payload: payloadOf(order) };
      });
    }

    function buyerOf({ isErased, email, toldBuyer, page }: ShopifyOrder): string | null {
      if (isErased) return null;
      return withholds ? (toldBuyer ?? page?.email ?? null) : email;
    }

    return {
      take(turn, at, moment) {
        const order = orders.get(at);
        if (turn === 'place') {
          if (order) return null;
          const placed = place(at, moment);
          orders.set(at, placed);
          return tell(placed, ['orders/create', ...(placed.state === 'paid' ? ['orders/paid'] : [])], moment);
        }
        if (!order) return null;
        if (turn === 'page' || turn === 'backend') return report(order, turn, moment.nowMs);
        const topics = change(turn, order, moment);
        if (topics === null) return null;
        if (topics[0] !== 'disputes/update') order.updatedMs = moment.nowMs;
        return tell(order, topics, moment);
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
          if (state !== 'paid')
            return page === null
              ? []
              : [{ numbers, amount: page.amount, refunded: page.amount, currency, buyer: page.email }];
          const refunded = cents(returnedOf(order) + lostOf(order));
          return [{ numbers, amount: paid, refunded, currency, buyer: buyerOf(order) }];
        }),
    };
  },
};

const sumOf = (refunds: { amount: number }[]) => cents(refunds.reduce((sum, { amount }) => sum + amount, 0));
const returnedOf = ({ refunds }: ShopifyOrder) => sumOf(refunds.filter(({ status }) => status === 'success'));
const pendingOf = ({ refunds }: ShopifyOrder) => sumOf(refunds.filter(({ status }) => status === 'pending'));
const giftsOf = ({ refunds }: ShopifyOrder) => sumOf(refunds.filter(({ isOfGoods }) => !isOfGoods));
const lostOf = ({ disputes }: ShopifyOrder) => sumOf(disputes.filter(({ status }) => status !== 'won'));

/** What the buyer has to pay; less than nothing for what the shop owes. */
function outstandingOf(order: ShopifyOrder): number {
  const { current, paid } = order;
  return cents(current - paid + returnedOf(order) + pendingOf(order) - giftsOf(order));
}

function statusOf(order: ShopifyOrder): string {
  const { state, cancelledMs, paid } = order;
  const back = returnedOf(order);
  if (state === 'authorized' && cancelledMs !== null) return 'voided';
  if (paid > 0 && back >= paid) return 'refunded';
  if (state === 'deposit') return 'partially_paid';
  if (state !== 'paid') return state;
  return back > 0 ? 'partially_refunded' : 'paid';
}
