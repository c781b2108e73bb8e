import { rememberResults } from '../../values/boundedMap.js';
import { decimalsOf } from '../../values/currency.js';
import { readDecimal } from '../../values/decimal.js';
import { formatMoney } from './format.js';
import type { Viewer } from './viewer.js';

/** Number of languages whose signs are cached. */
const localesCached = 100;

/** Finds the signs of a language's numbers, and the digits in its groups above the thousands: two in India. */
const signsOf = rememberResults(localesCached, (locale) => {
  const parts = new Intl.NumberFormat(locale).formatToParts(123_456_789.5);
  const all = (type: string) => parts.flatMap((part) => (part.type === type ? [part.value] : []));
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)].reverse();
  const [decimal, group] = [unify(all('decimal')[0] ?? '.', digits), unify(all('group')[0] ?? '', digits)];
  return { decimal, group, digits, digitsOfGroup: all('integer')[1]?.length ?? 3 };
});

/** Replaces a language's digits by those of ASCII, every kind of space by a space, and a curly apostrophe by a straight one. */
function unify(text: string, digits: readonly string[]): string {
  return [...text]
    .map((sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign))
    .join('')
    .replace(/\s/g, ' ')
    .replaceAll('’', "'");
}

/**
 * Reads an amount that a person has typed, by the signs of their language: `1.234` is 1234 in German and 1.234 in English. A
 * point or comma that cannot separate thousands is always a decimal sign. Null for any other text, and for a number that
 * would be rounded.
 */
export function readAmount(typed: string, locale: string): number | null {
  const { decimal, group, digits, digitsOfGroup } = signsOf(locale);
  const text = unify(typed.trim(), digits);
  const [whole = '', fraction, ...rest] = text.split(decimal);
  const parts = group === '' ? [whole] : whole.split(group);
  const isGrouped = parts.every((part, at) => {
    if (!/^\d+$/.test(part)) return false;
    const length = at === parts.length - 1 ? 3 : digitsOfGroup;
    return at === 0 ? part.length <= length : part.length === length;
  });
  const isWhole = parts.length === 1 ? /^\d+$/.test(whole) : isGrouped;
  if (isWhole && rest.length === 0 && (fraction === undefined || /^\d+$/.test(fraction))) {
    return readDecimal(parts.join('') + (fraction === undefined ? '' : `.${fraction}`));
  }
  // A comma before the last one or two digits does not separate thousands.
  if (/^\d+,\d{1,2}$/.test(text)) return readDecimal(text.replace(',', '.'));
  return text.startsWith('-') ? null : readDecimal(text);
}

/** The two amounts that an ambiguous text can be, as exact decimals: `1.239` with a sign of thousands, or of decimals. */
export type Readings = [thousands: string, decimals: string];

/** Finds both amounts that a text such as `1.239` can be in its currency. Null if it can be read in one way only. */
export function findReadings(text: string, currency: string): Readings | null {
  const [, whole, part] = /^\D*([1-9]\d{0,2})[.,](\d{3})\D*$/.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  if (whole === undefined || decimals === 3) return null;
  const read = `${whole}.${part}`;
  return [`${whole}${part}`, decimals > 3 ? read : Number(read).toFixed(decimals)];
}

/**
 * Finds both amounts that a person may mean who typed more decimals than the currency has. Null for all other texts, and for
 * thousands that are written as the language does.
 */
export function findTypedReadings(typed: string, currency: string, locale: string): Readings | null {
  const readings = decimalsOf(currency) > 3 ? null : findReadings(typed, currency);
  return readings && readAmount(typed, locale) !== Number(readings[0]) ? readings : null;
}

/** Explains that a text can be two amounts, and how to write each. */
export function askReading(text: string, readings: Readings, currency: string, viewer: Viewer): string {
  const [money, written] = [
    readings.map((amount) => formatMoney(amount, currency, viewer)),
    readings.map((amount) => writeAmount(amount, currency, viewer.locale)),
  ];
  return `“${text}” can be ${money.join(' or ')}. Write ${written.join(' or ')}`;
}

/** Writes an exact decimal with the decimals of its currency, as `readAmount` reads it in that language: `1234,50`. */
export function writeAmount(decimal: string, currency: string, locale: string): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const decimals = decimalsOf(currency);
  // Cryptocurrencies have 8 decimals, and nobody writes them all.
  const digits = decimals > 3 ? fraction : fraction.padEnd(decimals, '0');
  return digits === '' ? whole : `${whole}${signsOf(locale).decimal}${digits}`;
}
