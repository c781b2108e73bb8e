import type { PaymentStatus, Source } from '@orderbeacon/sdk/contract';
import { isSameAmount } from '../../values/currency.js';

/** Matches the beginning of an id that a payment provider gave. */
const ofProvider = /^(?:pi|ch|py|in|cs)_/;
/** Matches the beginning of an id that a shop system gave. A source may put a prefix before its own. */
const ofShopSystem = /^.*(?:shopify|woocommerce)_(?=[0-9])/;

/** True for the key that a shop system gave an order. */
export const isShopKey = (id: string): boolean => ofShopSystem.test(id);

/** True for an id that a payment provider gave: of a payment, a charge, an invoice or a Checkout session. */
export function isProviderId(id: string): boolean {
  return ofProvider.test(id);
}

/** Names of payment methods, as shops and their plugins write them. The first match counts. */
const methods: [RegExp, Source][] = [
  [/paypal|ppcp|ppec/, 'PAYPAL'],
  [/nowpayments/, 'NOWPAYMENTS'],
  [/stripe/, 'STRIPE'],
  [/^(?:manual|bacs|cheque|cod|cash|money order)$|bank deposit|cash on delivery/, 'MANUAL'],
];

/** Names the `source` of an order by the shop's name of its payment method. `OTHER` where that names none. */
export function paymentSource(method: string | null): Source {
  const name = method?.toLowerCase() ?? '';
  return methods.find(([pattern]) => pattern.test(name))?.[1] ?? 'OTHER';
}

/**
 * Describes how much of an order was refunded. An order without money is never refunded.
 * @param amount of the order
 * @param refunded sum of its refunds, which count no further than the amount
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
