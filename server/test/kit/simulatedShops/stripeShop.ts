import type { Random } from '../random.js';
import {
  charge,
  dispute,
  invoice,
  invoicePayment,
  payment,
  refund,
  session,
  stripeEvent,
} from '../stripeSamples.js';
import type { HeldOrder, Message, Moment, Report, ShopKind } from './simulatedShop.js';

/** A purchase that is paid with Stripe. Amounts are in the currency's smallest unit. */
interface Purchase {
  at: number;
  form: 'session' | 'slow' | 'subscription' | 'intent' | 'invoice' | 'two invoices';
  total: number;
  /** Whom the session, the invoice, else the charge names; null for nobody. */
  email: string | null;
  /** Whom the charge names. */
  chargeEmail: string | null;
  placedMs: number;
  payments: Payment[];
  /** Emails that a page or a backend has said. */
  saidEmail: string | null;
  hasBackend: boolean;
}

interface Payment {
  /** `pi_…` and `ch_…` end in it. */
  id: string;
  amount: number;
  atMs: number;
  refunds: { id: string; amount: number; status: 'pending' | 'succeeded' | 'failed'; atMs: number }[];
  dispute: { id: string; amount: number; status: 'lost' | 'won'; atMs: number } | null;
}

/** Decimals of the currencies that shops here have. */
const decimals: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

/**
 * A shop that takes payments by Stripe, whose events have the objects of its API as they are then (docs.stripe.com/api/events/types).
 * It can be asked for all events of 30 days.
 */
export const stripeShop: ShopKind = {
  repeatsDeliveries: true,
  turns: {
    place: 14,
    pay: 8,
    part: 8,
    page: 8,
    backend: 4,
    refund: 8,
    settle: 5,
    bounce: 2,
    lose: 2,
    win: 2,
  },
  open(habits) {
    const purchases = new Map<number, Purchase>();
    const told: Record<string, unknown>[] = [];
    const currency = habits.pick('EUR', 'EUR', 'JPY', 'KWD');
    const unit = 10 ** decimals[currency]!;
    /** Where the shop writes its number: what Stripe calls metadata. */
    const numbered = habits.pick('none', 'session', 'payment', 'both', 'both');
    /** A buyer who pays twice pays two times for the same number. */
    const hasTwins = numbered !== 'none' && habits.next() < 0.3;
    /** Before the API of 2025-03-31 charge and invoice named each other. */
    const isBasil = habits.next() < 0.8;
    const choosesPayments = habits.next() < 0.5;
    let lastId = 0;

    const newId = (prefix: string) => `${prefix}_${String(++lastId).padStart(12, '0')}x`;
    const numberOf = ({ at }: Purchase) => `${1_001 + (hasTwins ? at % 2 : at)}`;
    const sessionId = ({ at }: Purchase) => `cs_live_of_purchase_${at}`;
    const invoiceId = ({ at }: Purchase, second = false) => `in_of_purchase_${at}_${second ? 2 : 1}`;
    const seconds = (ms: number) => Math.floor(ms / 1_000);
    /** Metadata of an object, which has the number if the shop writes it there. */
    const metadata = (purchase: Purchase, of: 'session' | 'payment') =>
      numbered === 'both' || numbered === of ? { orderId: numberOf(purchase) } : {};
    const hasSession = ({ form }: Purchase) => ['session', 'slow', 'subscription'].includes(form);
    const isPaid = ({ payments }: Purchase) => payments.length > 0;
    const paidOf = ({ payments }: Purchase) => payments.reduce((sum, { amount }) => sum + amount, 0);
    /** Amount of the first of two invoices that one payment pays. */
    const firstShare = ({ total }: Purchase) => Math.ceil(total * 0.6);

    function place(at: number, { nowMs, random }: Moment): Purchase {
      const email = random.pick('ann@buyer.example', 'bob@buyer.example', 'ann@buyer.example');
      const form = random.pick<Purchase['form']>(
        ...(['session', 'session', 'session', 'slow', 'subscription', 'subscription'] as const),
        ...(['intent', 'intent', 'invoice', 'invoice', 'invoice'] as const),
        isBasil ? 'two invoices' : 'session',
      );
      const isNameless = form === 'intent' && !hasTwins && random.next() < 0.3;
      const isWallet = ['session', 'subscription'].includes(form) && random.next() < 0.3;
      const chargeEmail = random.pick(email, email, null);
      return {
        at,
        form,
        total: Math.ceil((5 + random.below(30_000) / 100) * unit),
        email: isNameless ? null : email,
        chargeEmail: isNameless
          ? null
          : isWallet
            ? `wallet-${at}@buyer.example`
            : form === 'intent'
              ? email
              : chargeEmail,
        placedMs: nowMs,
        payments: [],
        saidEmail: null,
        hasBackend: false,
      };
    }

    function eventOf(type: string, object: Record<string, unknown>, atMs: number): Message {
      const id = newId('evt');
      const payload = stripeEvent(type, object, {
        id,
        created: seconds(atMs),
        api_version: isBasil ? '2025-03-31.basil' : '2024-06-20',
      });
      return { by: 'webhook', topic: null, payload };
    }

    function sessionOf(purchase: Purchase, isUnpaid = false): Record<string, unknown> {
      const { form, total, email, placedMs, payments } = purchase;
      const isSubscription = form === 'subscription';
      return session({
        id: sessionId(purchase),
        amount_subtotal: total,
        amount_total: total,
        created: seconds(placedMs),
        currency: currency.toLowerCase(),
        customer_details: { email, name: 'Ann Example' },
        invoice: isSubscription ? invoiceId(purchase) : null,
        metadata: metadata(purchase, 'session'),
        mode: isSubscription ? 'subscription' : 'payment',
        payment_intent: isSubscription ? null : `pi_${payments[0]?.id ?? `of_purchase_${purchase.at}`}`,
        payment_status: isUnpaid ? 'unpaid' : 'paid',
        total_details: null,
      });
    }

    function invoiceOf(purchase: Purchase, second = false): Record<string, unknown> {
      const { form, total, email, placedMs, payments } = purchase;
      const isOfTwo = form === 'two invoices';
      const amount = !isOfTwo ? total : second ? total - firstShare(purchase) : firstShare(purchase);
      const last = payments.at(-1)!;
      return invoice({
        id: invoiceId(purchase, second),
        amount_due: amount,
        amount_paid: amount,
        billing_reason: form === 'subscription' ? 'subscription_create' : 'manual',
        created: seconds(placedMs),
        currency: currency.toLowerCase(),
        customer_email: email,
        // The session of a subscription has the number, and its invoice not.
        metadata: form === 'subscription' || isOfTwo ? {} : metadata(purchase, 'session'),
        lines: { object: 'list', data: [] },
        parent: null,
        ...(!isBasil && { payment_intent: `pi_${last.id}`, charge: `ch_${last.id}` }),
      });
    }

    /** Events of one payment, in the order in which Stripe makes them. */
    function pay(purchase: Purchase, amount: number, nowMs: number): Message[] {
      const { form, chargeEmail, total } = purchase;
      const isOfInvoice = ['subscription', 'invoice', 'two invoices'].includes(form);
      const id = form === 'slow' || form === 'session' ? `of_purchase_${purchase.at}` : newId('of').slice(3);
      const paid: Payment = { id, amount, atMs: nowMs, refunds: [], dispute: null };
      purchase.payments.push(paid);
      const created = seconds(nowMs);
      const common = {
        amount,
        created,
        currency: currency.toLowerCase(),
        metadata: form === 'two invoices' ? {} : metadata(purchase, 'payment'),
        ...(isOfInvoice && !isBasil && { invoice: invoiceId(purchase) }),
      };
      const messages = [
        eventOf(
          'charge.succeeded',
          charge({
            ...common,
            id: `ch_${id}`,
            amount_captured: amount,
            billing_details: { email: chargeEmail, name: null },
            payment_intent: `pi_${id}`,
          }),
          nowMs,
        ),
      ];
      if (choosesPayments) {
        const intent = {
          id: `pi_${id}`,
          amount_received: amount,
          latest_charge: `ch_${id}`,
          receipt_email: null,
        };
        messages.push(eventOf('payment_intent.succeeded', payment({ ...common, ...intent }), nowMs));
      }
      const link = (part: number, second = false) =>
        eventOf(
          'invoice_payment.paid',
          invoicePayment({
            id: newId('inpay'),
            amount_paid: part,
            amount_requested: part,
            created,
            currency: currency.toLowerCase(),
            invoice: invoiceId(purchase, second),
            payment: { payment_intent: `pi_${id}`, type: 'payment_intent' },
          }),
          nowMs,
        );
      if (form === 'two invoices') {
        const first = firstShare(purchase);
        messages.push(link(first), link(amount - first, true));
        for (const second of [false, true])
          messages.push(eventOf('invoice.paid', invoiceOf(purchase, second), nowMs));
      } else if (isOfInvoice) {
        if (isBasil) messages.push(link(amount));
        if (paidOf(purchase) === total) messages.push(eventOf('invoice.paid', invoiceOf(purchase), nowMs));
      }
      const type =
        form === 'slow' ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed';
      if (hasSession(purchase)) messages.push(eventOf(type, sessionOf(purchase), nowMs));
      return messages;
    }

    function refundEvent(type: string, paid: Payment, at: number, nowMs: number): Message {
      const { id, amount, status, atMs } = paid.refunds[at]!;
      const of = {
        charge: `ch_${paid.id}`,
        payment_intent: `pi_${paid.id}`,
        currency: currency.toLowerCase(),
      };
      return eventOf(type, refund({ ...of, id, amount, status, created: seconds(atMs) }), nowMs);
    }

    function disputeEvent(paid: Payment, nowMs: number): Message {
      const { id, amount, status, atMs } = paid.dispute!;
      const of = {
        charge: `ch_${paid.id}`,
        payment_intent: `pi_${paid.id}`,
        currency: currency.toLowerCase(),
      };
      return eventOf(
        'charge.dispute.closed',
        dispute({ ...of, id, amount, status, created: seconds(atMs) }),
        nowMs,
      );
    }

    function change(turn: string, purchase: Purchase, { nowMs, random }: Moment): Message[] | null {
      const { form, total, payments } = purchase;
      const left = total - paidOf(purchase);
      const paid = payments[random.below(payments.length)];
      switch (turn) {
        case 'pay':
          if (left <= 0 || !['slow', 'invoice'].includes(form) || (isPaid(purchase) && !isBasil)) return null;
          return pay(purchase, left, nowMs);
        case 'part': {
          const amount = Math.min(left, Math.ceil(total / random.pick(2, 3)));
          if (form !== 'invoice' || !isBasil || amount <= 0) return null;
          return pay(purchase, amount, nowMs);
        }
        case 'refund': {
          if (!paid || paid.dispute?.status === 'lost') return null;
          const rest = paid.amount - returnedOf(paid, true);
          if (rest <= 0) return null;
          const amount = random.pick(rest, Math.ceil(rest / 2), Math.ceil(rest / 3));
          const status = random.pick('succeeded', 'succeeded', 'pending');
          paid.refunds.push({ id: newId('re'), amount, status, atMs: nowMs });
          return [refundEvent('refund.created', paid, paid.refunds.length - 1, nowMs)];
        }
        case 'settle':
        case 'bounce': {
          const from = turn === 'settle' ? 'pending' : 'succeeded';
          const at = paid?.refunds.findIndex(({ status }) => status === from) ?? -1;
          if (!paid || at < 0 || paid.dispute) return null;
          const one = paid.refunds[at]!;
          one.status = turn === 'bounce' ? 'failed' : random.pick('succeeded', 'succeeded', 'failed');
          const type = one.status === 'failed' && random.next() < 0.5 ? 'refund.failed' : 'refund.updated';
          return [refundEvent(type, paid, at, nowMs)];
        }
        case 'lose': {
          const rest = paid ? paid.amount - returnedOf(paid, true) : 0;
          if (!paid || paid.dispute || rest <= 0) return null;
          paid.dispute = { id: newId('du'), amount: rest, status: 'lost', atMs: nowMs };
          return [disputeEvent(paid, nowMs)];
        }
        case 'win':
          if (paid?.dispute?.status !== 'lost') return null;
          paid.dispute.status = 'won';
          return [disputeEvent(paid, nowMs)];
        default:
          return null;
      }
    }

    /** The number that a page can print, or the shop's backend knows. */
    function printed(purchase: Purchase, random: Random): string | null {
      if (numbered !== 'none') return numberOf(purchase);
      const intent = `pi_${purchase.payments[0]!.id}`;
      if (!hasSession(purchase)) return purchase.form === 'intent' ? intent : null;
      return purchase.form === 'session' ? random.pick(sessionId(purchase), intent) : sessionId(purchase);
    }

    function report(purchase: Purchase, by: 'page' | 'backend', { nowMs, random }: Moment): Message[] | null {
      const { form, total, email, at, hasBackend } = purchase;
      if (!isPaid(purchase) || form === 'two invoices' || form === 'invoice') return null;
      // A session without a number has none in its payment, which a subscription's invoice alone knows.
      const isFound = numbered !== 'none' && (hasSession(purchase) || numbered !== 'session');
      const orderId =
        isFound || numbered === 'none' ? printed(purchase, random) : `pi_${purchase.payments[0]!.id}`;
      const said = { email: email ?? `typed-${at}@buyer.example`, amount: total / unit, currency };
      if (by === 'backend' && hasBackend) return null;
      purchase.saidEmail = said.email;
      if (by === 'page') return [{ by, report: { ...said, orderId }, calledMs: nowMs }];
      purchase.hasBackend = true;
      const intent = `pi_${purchase.payments[0]!.id}`;
      const isByKey = random.next() < 0.3;
      const ids = isByKey ? {} : { orderId };
      const idempotencyKey = isByKey ? intent : random.pick(intent, `paid-${at}`);
      return [{ by, report: { ...said, ...ids }, calledMs: nowMs, idempotencyKey } satisfies Report];
    }

    function heldOf(purchase: Purchase): HeldOrder[] {
      const { form, payments, email, chargeEmail, saidEmail } = purchase;
      if (!isPaid(purchase)) return [];
      const back = payments.reduce((sum, paid) => sum + returnedOf(paid), 0);
      const named = form === 'invoice' && paidOf(purchase) < purchase.total ? chargeEmail : email;
      const order = { currency, buyer: named ?? saidEmail };
      if (form === 'two invoices') {
        const first = firstShare(purchase);
        const second = purchase.total - first;
        const ofFirst = Math.min(first, back);
        return [
          { ...order, numbers: [invoiceId(purchase)], amount: first / unit, refunded: ofFirst / unit },
          {
            ...order,
            numbers: [invoiceId(purchase, true)],
            amount: second / unit,
            refunded: (back - ofFirst) / unit,
          },
        ];
      }
      const isNumbered =
        numbered === 'both' ||
        numbered === 'payment' ||
        (numbered === 'session' &&
          (hasSession(purchase) || (form === 'invoice' && paidOf(purchase) === purchase.total)));
      const numbers = [
        ...payments.map(({ id }) => `pi_${id}`),
        ...(hasSession(purchase) ? [sessionId(purchase)] : []),
        ...(form === 'invoice' || form === 'subscription' ? [invoiceId(purchase)] : []),
        ...(isNumbered && ownsNumber(purchase) ? [numberOf(purchase)] : []),
      ];
      return [{ ...order, numbers, amount: paidOf(purchase) / unit, refunded: back / unit }];
    }

    /** Of two payments with one number the older one is found by it. */
    function ownsNumber(purchase: Purchase): boolean {
      if (!hasTwins) return true;
      const others = [...purchases.values()].filter(
        (other) =>
          other !== purchase &&
          isPaid(other) &&
          other.form !== 'two invoices' &&
          numberOf(other) === numberOf(purchase),
      );
      return others.every((other) => ageOf(purchase) < ageOf(other));
    }

    /** Time of the oldest object that an event tells of. */
    function ageOf(purchase: Purchase): number {
      const { form, payments, placedMs } = purchase;
      const isTold = hasSession(purchase) || (form === 'invoice' && paidOf(purchase) === purchase.total);
      return isTold ? placedMs : payments[0]!.atMs;
    }

    function remember(messages: Message[] | null): Message[] | null {
      for (const message of messages ?? []) if (message.by === 'webhook') told.push(message.payload);
      return messages;
    }

    return {
      take(turn, at, moment) {
        const purchase = purchases.get(at);
        if (turn === 'place') {
          if (purchase) return null;
          const placed = place(at, moment);
          purchases.set(at, placed);
          if (placed.form === 'invoice') return [];
          if (placed.form === 'slow')
            return remember([eventOf('checkout.session.completed', sessionOf(placed, true), moment.nowMs)]);
          return remember(pay(placed, placed.total, moment.nowMs));
        }
        if (!purchase) return null;
        if (turn === 'page' || turn === 'backend') return report(purchase, turn, moment);
        return remember(change(turn, purchase, moment));
      },
      closing: () => null,
      answer: () => told.map((payload) => ({ changed: payload.created as number, payload })),
      holding: () => [...purchases.values()].flatMap(heldOf),
    };
  },
};

/** Money of a payment that went back. @param all also what is on its way */
function returnedOf({ refunds, dispute: lost }: Payment, all = false): number {
  const counted = refunds.filter(({ status }) => status === 'succeeded' || (all && status === 'pending'));
  const sum = counted.reduce((total, { amount }) => total + amount, 0);
  return sum + (lost?.status === 'lost' ? lost.amount : 0);
}
