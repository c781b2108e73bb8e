import type { HeldOrder } from './simulatedShop.js';
import {
  firstShare,
  hasSession,
  invoiceId,
  isPaid,
  numberOf,
  type Purchase,
  paidOf,
  returnedOf,
  type StripeHabits,
  sessionId,
} from './stripePurchase.js';

/**
 * Lists the orders that a purchase makes; none before it is paid.
 * @param all all purchases of the shop
 */
export function heldOf(purchase: Purchase, all: readonly Purchase[], habits: StripeHabits): HeldOrder[] {
  const { currency, unit, numbered } = habits;
  const { form, payments, email, chargeEmail, statedEmail } = purchase;
  if (!isPaid(purchase)) return [];
  const back = payments.reduce((sum, paid) => sum + returnedOf(paid), 0);
  const named = form === 'invoice' && paidOf(purchase) < purchase.total ? chargeEmail : email;
  const order = { currency, buyer: named ?? statedEmail };
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
    ...(isNumbered && ownsNumber(purchase, all, habits) ? [numberOf(purchase, habits)] : []),
  ];
  return [{ ...order, numbers, amount: paidOf(purchase) / unit, refunded: back / unit }];
}

/** @returns true if the number finds this purchase: if two have the same number, it finds the one that was paid first */
function ownsNumber(purchase: Purchase, all: readonly Purchase[], habits: StripeHabits): boolean {
  if (!habits.hasTwins) return true;
  const number = numberOf(purchase, habits);
  const others = all.filter(
    (other) =>
      other !== purchase &&
      isPaid(other) &&
      other.form !== 'two invoices' &&
      numberOf(other, habits) === number,
  );
  return others.every((other) => purchase.payments[0]!.atMs < other.payments[0]!.atMs);
}
