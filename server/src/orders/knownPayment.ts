import type { StoredOrder } from './storedOrder.js';

/** The stored order that a payment means. */
export interface KnownPayment {
  order: StoredOrder;
  /** Another order of the same payment, which the order has to absorb; null for none. */
  absorbed: StoredOrder | null;
}

/** Ids that a payment provider gave: of a payment, an invoice or a charge, and of a Checkout session. */
const paymentId = /^(?:pi|in|ch|py)_/;
const sessionId = /^cs_/;

/**
 * Ranks an `orderId`. The events of one payment name its order differently, in no certain order: by the id of the payment
 * alone, by the id of the session, which the shop's page can print, or by the shop's own id. The strongest one counts.
 */
export function strengthOf(orderId: string | null): number {
  if (orderId === null) return 0;
  if (paymentId.test(orderId)) return 1;
  return sessionId.test(orderId) ? 2 : ownStrength;
}

const ownStrength = 3;

/**
 * Finds the order of a payment among the one that has the report's `orderId` and the one that is known by the payment.
 * They are one order, which keeps the stronger id. Two orders with ids of the shop's own stay two: then the one that is
 * known by the payment counts.
 */
export function knownPayment(
  byOrderId: StoredOrder | undefined,
  byPayment: StoredOrder | undefined,
): KnownPayment | null {
  const order = byOrderId ?? byPayment;
  if (order === undefined) return null;
  if (byOrderId === undefined || byPayment === undefined || byOrderId === byPayment)
    return { order, absorbed: null };
  const isStronger = strengthOf(byOrderId.orderId) >= strengthOf(byPayment.orderId);
  const [strong, weak] = isStronger ? [byOrderId, byPayment] : [byPayment, byOrderId];
  if (strengthOf(weak.orderId) === ownStrength) return { order: byPayment, absorbed: null };
  return { order: strong, absorbed: weak };
}
