import type { Source } from '@orderbeacon/sdk/contract';

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
