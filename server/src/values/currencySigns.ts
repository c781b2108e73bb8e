import { readCurrencyCode } from './currency.js';

/** No amount is longer. Texts of many combining marks would take long to normalize. */
const longest = 64;

/** Codes of the currencies that a sign such as `€`, `$` or `zł` stands for, by the sign in upper case. */
let bySign: Map<string, Set<string>> | undefined;

/**
 * Finds the currencies in which an amount is written, by its sign or code: `€49.90` is in EUR, `49.90 USD` in USD, and `$49.90` in
 * any dollar or peso.
 * @returns their codes; null if the amount has neither, or another word
 */
export function currenciesOf(amount: string): ReadonlySet<string> | null {
  if (amount.length > longest) return null;
  const sign = amount
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{Sc}]/gu, '');
  if (sign === '') return null;
  bySign ??= listSigns();
  const code = readCurrencyCode(sign.replace(/\p{Sc}/gu, ''));
  if (bySign.has(code)) return bySign.get(code)!;
  // `C$` is a dollar of Canada and of Nicaragua, and each country writes more such signs than `Intl` knows.
  return bySign.get(sign.includes('$') ? '$' : sign) ?? null;
}

/** @returns true if an amount has the sign or code of another currency */
export const isInAnotherCurrency = (amount: string, currency: string): boolean =>
  currenciesOf(amount)?.has(readCurrencyCode(currency)) === false;

function listSigns(): Map<string, Set<string>> {
  const signs = new Map<string, Set<string>>();
  const add = (sign: string, code: string) => {
    const of = signs.get(sign) ?? new Set();
    signs.set(sign, of.add(code));
  };
  for (const code of Intl.supportedValuesOf('currency')) {
    add(code, code);
    for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
      const form = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay });
      const sign = form
        .formatToParts(0)
        .find(({ type }) => type === 'currency')!
        .value.toUpperCase();
      if (sign === code) continue;
      add(sign, code);
      if (sign.includes('$')) add('$', code);
    }
  }
  // India has its own sign, but also writes that of its neighbours.
  add('RS', 'INR');
  return signs;
}
