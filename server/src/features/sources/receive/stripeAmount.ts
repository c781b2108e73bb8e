/**
 * Currencies that Stripe counts in whole units, and in thousandths (docs.stripe.com/currencies). Stripe counts all
 * others in hundredths. That includes ISK and UGX, which have no decimals elsewhere. HUF and TWD lack decimals only in
 * payouts.
 */
const wholeUnits = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const thousandths = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * Converts an amount of Stripe, an integer in the currency's smallest unit, into an exact decimal in major units.
 * @throws Error for any other value
 */
export function stripeAmount(amount: unknown, currency: string): string {
  if (!Number.isSafeInteger(amount) || (amount as number) < 0) throw new Error('The amount is no integer.');
  const decimals = decimalsOf(currency.toUpperCase());
  const digits = String(amount).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function decimalsOf(currency: string): number {
  if (wholeUnits.has(currency)) return 0;
  return thousandths.has(currency) ? 3 : 2;
}
