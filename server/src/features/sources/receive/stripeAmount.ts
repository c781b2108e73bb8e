/**
 * Currencies that Stripe counts in whole units, and in thousandths (docs.stripe.com/currencies). It counts all others in
 * hundredths, ISK and UGX too, which have no decimals elsewhere; HUF and TWD have none in payouts alone.
 */
const wholeUnits = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const thousandths = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * Reads an amount of Stripe, which is an integer in the smallest unit of the currency, as an exact decimal in major units.
 * @throws Error for anything else
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
