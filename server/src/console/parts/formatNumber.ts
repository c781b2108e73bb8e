import { numberFormat, type Viewer } from './viewer.js';

/**
 * Money in the viewer's way of writing, from its exact text. Codes that are no currency of ISO 4217's three
 * letters, such as USDC, follow the number.
 */
export function formatMoney(amount: string, currency: string, { locale }: Viewer): string {
  const exact = amount as `${number}`;
  if (currency.length !== 3) return `${formatNumber(exact, { locale })} ${currency}`;
  const inCurrency = { style: 'currency', currency } as const;
  const { maximumFractionDigits = 2 } = numberFormat(locale, inCurrency).resolvedOptions();
  // More digits than the currency has are shown, not rounded: what is stored is what is shown.
  const digits = Math.min(20, Math.max(maximumFractionDigits, exact.split('.')[1]?.length ?? 0));
  return numberFormat(locale, { ...inCurrency, maximumFractionDigits: digits }).format(exact);
}

/** Money as `formatMoney` writes it, without the digits of cents where there are none: `$170`. */
export function formatShortMoney(amount: string, currency: string, viewer: Viewer): string {
  const isWhole = !/[.]0*[1-9]/.test(amount);
  if (currency.length !== 3 || !isWhole) return formatMoney(amount, currency, viewer);
  const whole = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  return numberFormat(viewer.locale, whole).format(amount as `${number}`);
}

/** Sums of some currencies in words, and the number of currencies that have none: `$170`, `€5.00`, `and 2 other currencies`. */
export function formatSums(
  sums: readonly { currency: string; amount: string }[],
  otherCurrencies: number,
  viewer: Viewer,
): string[] {
  const money = sums.map(({ currency, amount }) => formatMoney(amount, currency, viewer));
  if (otherCurrencies === 0) return money;
  return [...money, `and ${counted(otherCurrencies, 'other currency', viewer, 'other currencies')}`];
}

/** A number in the viewer's way of writing. */
export function formatNumber(value: number | `${number}`, { locale }: Pick<Viewer, 'locale'>): string {
  return numberFormat(locale, { maximumFractionDigits: 20 }).format(value);
}

/** A number with what is counted: `1 order`, `2 orders`, `2 currencies` by `counted(2, 'currency', viewer, 'currencies')`. */
export function counted(number: number, one: string, viewer: Viewer, many = `${one}s`): string {
  return `${formatNumber(number, viewer)} ${number === 1 ? one : many}`;
}

/** Money of an average, rounded to the digits of its currency, or to two digits that count where it is less than one. */
export function formatAverage(amount: number, currency: string, { locale }: Viewer): string {
  const isCode = currency.length === 3;
  const number = numberFormat(locale, {
    ...(isCode ? { style: 'currency', currency } : { maximumFractionDigits: 2 }),
    ...(amount < 1 && { maximumSignificantDigits: 2 }),
  }).format(amount);
  return isCode ? number : `${number} ${currency}`;
}

/** A share as a percentage, with at most one decimal. */
export function formatShare(share: number, { locale }: Viewer): string {
  return numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** A change as a whole percentage, without its sign. */
export function formatChange(change: number, { locale }: Pick<Viewer, 'locale'>): string {
  const format = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'never' } as const;
  return numberFormat(locale, format).format(change);
}
