import type { Message, Moment } from './simulatedShop.js';
import { isPaid, type Purchase, paidOf, returnedOf } from './stripePurchase.js';
import type { createStripeWebhooks } from './stripeWebhooks.js';

/** Changes a purchase. Returns the events about it; null if the change is not possible now. */
export function changePurchase(
  turn: string,
  purchase: Purchase,
  { nowMs, random }: Moment,
  {
    isBasil,
    newId,
    webhooks,
  }: {
    isBasil: boolean;
    newId: (prefix: string) => string;
    webhooks: ReturnType<typeof createStripeWebhooks>;
  },
): Message[] | null {
  const { pay, refundEvent, disputeEvent } = webhooks;
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
