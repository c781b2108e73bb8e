import { charge, refund, stripeEvent } from '../stripeSamples.js';
import { cents, type HeldOrder, type Message, type Moment, type ShopKind } from './simulatedShop.js';
import type { payloadOf } from './wooCommerceOrder.js';
import { openWooCommerce, wooCommerceShop } from './wooCommerceShop.js';

/** A payment of an order by Stripe. */
interface Charge {
  id: string;
  amount: number;
  email: string | null;
  currency: string;
  atMs: number;
  returned: number;
}

/** Data that Stripe has about an order. */
interface Paid {
  charges: Charge[];
  /** Set if a webhook of the shop has sent the order as it was when it was paid. */
  isSent: boolean;
  /** Set if the buyer paid twice: the second charge is a separate order. */
  isTwice: boolean;
  greatest: number;
}

type Payload = Partial<ReturnType<typeof payloadOf>>;

/**
 * A shop of WooCommerce whose payments by Stripe are also sent to the team. The charge has the order's number as `order_id` in its
 * metadata, as the plugin of WooCommerce writes it. The order may have the charge as its `transaction_id`.
 */
export const wooCommerceWithStripe: ShopKind = {
  providers: ['woocommerce', 'stripe'],
  turns: { ...wooCommerceShop.turns, 'pay again': 4, return: 3 },
  open(habits, startMs) {
    const shop = openWooCommerce(habits, startMs, ['none', 'none', 'sequential', 'later']);
    const namesCharge = habits.pick(true, false);
    const paid = new Map<number, Paid>();
    const last = new Map<number, Payload>();
    const events: Record<string, unknown>[] = [];
    let lastId = 0;

    const seconds = (ms: number) => Math.floor(ms / 1_000);
    const minor = (amount: number) => Math.round(100 * amount);

    function eventOf(type: string, object: Record<string, unknown>, atMs: number): Message {
      const payload = stripeEvent(type, object, { id: `evt_${++lastId}`, created: seconds(atMs) });
      events.push(payload);
      return { by: 'webhook', from: 'stripe', topic: null, payload };
    }

    function take(order: Paid, payload: Payload, amount: number, { nowMs }: Moment): Message {
      const id = `of_charge_${++lastId}`;
      const email = ((payload.billing as { email: string }).email || null) as string | null;
      const currency = String(payload.currency);
      order.charges.push({ id, amount, email, currency, atMs: nowMs, returned: 0 });
      const object = charge({
        id: `ch_${id}`,
        payment_intent: `pi_${id}`,
        amount: minor(amount),
        amount_captured: minor(amount),
        currency: currency.toLowerCase(),
        billing_details: { email, name: null },
        metadata: { order_id: String(payload.number) },
        created: seconds(nowMs),
      });
      return eventOf('charge.succeeded', object, nowMs);
    }

    function giveBack(one: Charge, amount: number, { nowMs }: Moment): Message {
      one.returned = cents(one.returned + amount);
      const object = refund({
        id: `re_${++lastId}`,
        amount: minor(amount),
        charge: `ch_${one.id}`,
        payment_intent: `pi_${one.id}`,
        currency: one.currency.toLowerCase(),
        created: seconds(nowMs),
      });
      return eventOf('refund.created', object, nowMs);
    }

    /** @returns true if the server could not match an order with its charge any more, because the shop has not sent that order */
    const isUnknown = (turn: string, order: Paid) =>
      (['edit', 'correct', 'renumber'].includes(turn) && order.charges.length > 0 && !order.isSent) ||
      (turn === 'edit' && order.isTwice);

    /** Adds Stripe's events about a turn of the shop. */
    function follow(turn: string, order: Paid, payload: Payload, moment: Moment): Message[] {
      const total = Number(payload.total);
      const before = order.charges.reduce((sum, { amount }) => sum + amount, 0);
      const isErased = (payload.meta_data as unknown[] | undefined)?.length !== 0;
      const isFirst = before === 0 && payload.payment_method === 'stripe' && !isErased;
      if (turn === 'deposit' && isFirst) return [take(order, payload, cents(total / 3), moment)];
      if (turn === 'pay' && !order.isSent && (isFirst || (order.charges.length === 1 && before < total))) {
        order.isSent = moment.arrives(0);
        return [take(order, payload, cents(total - before), moment)];
      }
      const [first] = order.charges;
      if (turn !== 'refund' || !first || order.charges.length > 1) return [];
      const amount = Math.abs(Number((payload.refunds as { total: string }[]).at(-1)!.total));
      return amount <= cents(first.amount - first.returned) ? [giveBack(first, amount, moment)] : [];
    }

    return {
      take(turn, at, moment) {
        const order = paid.get(at) ?? { charges: [], isSent: false, isTwice: false, greatest: 0 };
        paid.set(at, order);
        const [first, second] = order.charges;
        const payload = last.get(at);
        if (turn === 'pay again') {
          if (!first || second || !payload || !['processing', 'completed'].includes(String(payload.status)))
            return null;
          if (order.greatest >= 2 * first.amount || moment.nowMs < first.atMs + 2_000) return null;
          order.isTwice = true;
          return [take(order, payload, first.amount, moment)];
        }
        if (turn === 'return') {
          if (!order.isTwice || !second || second.returned >= second.amount) return null;
          const rest = cents(second.amount - second.returned);
          return [giveBack(second, moment.random.pick(rest, cents(rest / 2)), moment)];
        }
        if (isUnknown(turn, order)) return null;
        const messages = shop.take(turn, at, moment);
        const stated = messages?.find((message) => message.by === 'webhook' && 'total' in message.payload);
        if (messages === null || stated?.by !== 'webhook') return messages;
        last.set(at, stated.payload);
        order.greatest = Math.max(order.greatest, Number(stated.payload.total));
        const all = [...messages, ...follow(turn, order, stated.payload, moment)];
        if (namesCharge && order.charges[0]) stated.payload.transaction_id = `ch_${order.charges[0].id}`;
        return all;
      },
      closing: shop.closing,
      answer(provider) {
        if (provider === 'stripe')
          return events.map((payload) => ({ changed: payload.created as number, payload }));
        const chargeOf = new Map([...last].map(([at, { id }]) => [id, paid.get(at)?.charges[0]]));
        return shop.answer(provider).map(({ changed, payload }) => {
          const first = chargeOf.get(payload.id);
          return {
            changed,
            payload: namesCharge && first ? { ...payload, transaction_id: `ch_${first.id}` } : payload,
          };
        });
      },
      holding() {
        const others = [...paid].flatMap(([at, { charges, isTwice }]): HeldOrder[] => {
          const isDeposit = last.get(at)?.status === 'partially-paid';
          const own = isTwice ? charges.slice(1) : isDeposit ? charges : [];
          return own.map(({ id, amount, returned, currency, email }) => ({
            numbers: [`pi_${id}`],
            amount,
            refunded: returned,
            currency,
            // The eraser of WordPress writes an email that no one has.
            buyer: email?.endsWith('.invalid') ? null : email,
          }));
        });
        return [...shop.holding(), ...others];
      },
    };
  },
};
