import type { Random } from '../../../../kit/random.js';
import type { Message, Moment, Report, ShopKind } from './simulatedShop.js';
import { changePurchase } from './stripeChanges.js';
import { heldOf } from './stripeHolding.js';
import {
  hasSession,
  isPaid,
  numberOf,
  type Purchase,
  pickStripeHabits,
  placePurchase,
  sessionId,
} from './stripePurchase.js';
import { createStripeWebhooks } from './stripeWebhooks.js';

/**
 * A shop that takes payments by Stripe. Its events have the objects of the API at that time (docs.stripe.com/api/events/types).
 * Its API answers with all events of 30 days.
 */
export const stripeShop: ShopKind = {
  providers: ['stripe'],
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
    const events: Record<string, unknown>[] = [];
    const chosen = pickStripeHabits(habits);
    const { currency, unit, numbered, isBasil } = chosen;
    let lastId = 0;
    const newId = (prefix: string) => `${prefix}_${String(++lastId).padStart(12, '0')}x`;
    const webhooks = createStripeWebhooks(chosen, newId);

    /** Returns the number that a page can print, or that the shop's backend knows. */
    function printed(purchase: Purchase, random: Random): string | null {
      if (numbered !== 'none') return numberOf(purchase, chosen);
      const intent = `pi_${purchase.payments[0]!.id}`;
      if (!hasSession(purchase)) return purchase.form === 'intent' ? intent : null;
      return purchase.form === 'session' ? random.pick(sessionId(purchase), intent) : sessionId(purchase);
    }

    function report(purchase: Purchase, by: 'page' | 'backend', { nowMs, random }: Moment): Message[] | null {
      const { form, total, email, at, hasBackend } = purchase;
      if (!isPaid(purchase) || form === 'two invoices' || form === 'invoice') return null;
      // If a session has no number, its payment has none, which only a subscription's invoice knows.
      const isFound = numbered !== 'none' && (hasSession(purchase) || numbered !== 'session');
      const orderId =
        isFound || numbered === 'none' ? printed(purchase, random) : `pi_${purchase.payments[0]!.id}`;
      const stated = { email: email ?? `typed-${at}@buyer.example`, amount: total / unit, currency };
      if (by === 'backend' && hasBackend) return null;
      purchase.statedEmail = stated.email;
      if (by === 'page') return [{ by, report: { ...stated, orderId }, calledMs: nowMs }];
      purchase.hasBackend = true;
      const intent = `pi_${purchase.payments[0]!.id}`;
      const isByKey = random.next() < 0.3;
      const ids = isByKey ? {} : { orderId };
      const idempotencyKey = isByKey ? intent : random.pick(intent, `paid-${at}`);
      return [{ by, report: { ...stated, ...ids }, calledMs: nowMs, idempotencyKey } satisfies Report];
    }

    function remember(messages: Message[] | null): Message[] | null {
      for (const message of messages ?? []) if (message.by === 'webhook') events.push(message.payload);
      return messages;
    }

    return {
      take(turn, at, moment) {
        const purchase = purchases.get(at);
        if (turn === 'place') {
          if (purchase) return null;
          const placed = placePurchase(at, chosen, moment);
          purchases.set(at, placed);
          if (placed.form === 'invoice') return [];
          if (placed.form === 'slow') return remember([webhooks.sessionEvent(placed, moment.nowMs)]);
          return remember(webhooks.pay(placed, placed.total, moment.nowMs));
        }
        if (!purchase) return null;
        if (turn === 'page' || turn === 'backend') return report(purchase, turn, moment);
        return remember(changePurchase(turn, purchase, moment, { isBasil, newId, webhooks }));
      },
      closing: () => null,
      answer: () => events.map((payload) => ({ changed: payload.created as number, payload })),
      holding() {
        const all = [...purchases.values()];
        return all.flatMap((purchase) => heldOf(purchase, all, chosen));
      },
    };
  },
};
