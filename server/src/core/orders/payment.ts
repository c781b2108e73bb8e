import type { PaymentStatus, Source } from '@orderbeacon/sdk/contract';
import { isSameAmount } from '../../values/currency.js';

/** Matches the prefix of a payment provider's id. */
const ofProvider = /^(?:pi|ch|py|in|cs)_/;
/** Matches the prefix of a shop system's id. A source may put its own prefix before it. */
const ofShopSystem = /^.*(?:shopify|woocommerce)_(?=[0-9])/;

/** @returns true for the id that a shop system gave an order */
export const isShopKey = (id: string): boolean => ofShopSystem.test(id);

/** @returns true for a payment provider's id of a payment, a charge, an invoice or a Checkout session */
export function isProviderId(id: string): boolean {
  return ofProvider.test(id);
}

/** Patterns of payment methods, as shops and their plugins name them. The first match counts. */
const methods: [RegExp, Source][] = [
  [/paypal|ppcp|ppec/, 'PAYPAL'],
  [/nowpayments/, 'NOWPAYMENTS'],
  [/stripe/, 'STRIPE'],
  [/^(?:manual|bacs|cheque|cod|cash|money order)$|bank deposit|cash on delivery/, 'MANUAL'],
];

/** Derives the `source` of an order from the shop's name of its payment method; `OTHER` if no pattern matches. */
export function paymentSource(method: string | null): Source {
  const name = method?.toLowerCase() ?? '';
  return methods.find(([pattern]) => pattern.test(name))?.[1] ?? 'OTHER';
}

/**
 * Describes how much of an order was refunded. An order with the amount 0 is never refunded.
 * @param amount of the order
 * @param refunded sum of its refunds; more than the amount counts as the amount
 */
export function refundState(
  amount: string,
  refunded: string,
  currency: string,
): { paymentStatus: PaymentStatus; refundedAmount: number } {
  const paid = Number(amount);
  const refundedAmount = Math.min(paid, Number(refunded));
  const isWhole = isSameAmount(refundedAmount, paid, currency);
  const paymentStatus = refundedAmount === 0 ? 'PAID' : isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return { paymentStatus, refundedAmount };
}
