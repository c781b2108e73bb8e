import { decimalsOf } from '../../../values/currency.js';
import { readExactNumber } from '../../../values/decimal.js';
import { amountAtMost } from '../../../values/limits.js';

/** An amount as an exact plain decimal, such as `1234.5`, or the reason why it cannot be read. */
export type Money = { amount: string; problem?: never } | { amount?: never; problem: string };

/** The decimal sign that the user has named. */
export type DecimalSign = 'point' | 'comma';

const longest = 64;
/** The form of most amounts, which has only one reading. */
const plainForm = /^\d{1,12}(?:\.\d{1,2})?$/;
// Letters one by one, because a nested `+` would take exponential time.
const word = String.raw`(?:\p{Sc}|\p{L}\.?)*`;
const form = new RegExp(
  String.raw`^(?<open>\()?(?<minus>-)?${word}(?<inner>-)?(?<digits>[\d.,']*\d)[.,]?${word}(?<after>-)?(?<close>\))?$`,
  'u',
);

/**
 * Reads an amount as shops and spreadsheets write it: `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`, `€49.90`, `49,90
 * EUR`.
 *
 * A point or a comma before exactly three digits may separate thousands or decimals. The named decimal sign decides, or
 * else the number of decimals of the currency. If neither does, the amount is refused.
 * @param options.currency a currency code; null if it is unknown
 */
export function readMoney(
  text: string,
  { currency, decimal }: { currency: string | null; decimal: DecimalSign | null },
): Money {
  if (plainForm.test(text)) return { amount: plain(...(text.split('.') as [string, string?])) };
  const compact =
    text.length > longest
      ? ''
      : text
          // WooCommerce writes `&#36;40.00` into a CSV.
          .replace(/&(?:#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,6});/gi, '')
          .normalize('NFKC')
          .replace(/[\s\p{Cf}]/gu, '')
          .replace(/\u2212/g, '-')
          .replace(/[.,][-\u2013\u2014]{1,2}(?=\D*$)/, '')
          .replace(/\u2019/g, "'");
  const groups = form.exec(compact)?.groups;
  if (!groups) return { problem: `${quote(text)} is not an amount` };
  if (groups.minus || groups.inner || groups.after || groups.open)
    return { problem: `${quote(text)} is negative; a refund is not an order` };
  const digits = groups.digits!;
  const sign = decimal ? { point: '.', comma: ',' }[decimal] : decimalSignOf(digits, currency);
  if (sign === undefined)
    return { problem: `${quote(text)} may be thousands or decimals; name the decimal sign of the file` };
  const [whole = '', fraction, ...more] = digits.split(sign || /$^/);
  const isRead = more.length === 0 && isGrouped(whole) && (fraction === undefined || /^\d+$/.test(fraction));
  const amount = isRead ? plain(whole.replace(/\D/g, ''), fraction) : null;
  const value = amount === null ? null : readExactNumber(amount);
  if (value === null || amount === null) return { problem: `${quote(text)} is not an amount` };
  if (value > amountAtMost) return { problem: `${quote(text)} is more than ${amountAtMost}` };
  return { amount };
}

/** @returns true for an amount with a minus or in brackets */
export function isNegative(text: string): boolean {
  return text.length <= longest && (/^\D*[-\u2212(]\D*\d/.test(text) || /\d[-\u2212]\D*$/.test(text));
}

/** Finds the decimal sign of an amount. Empty if all of its signs separate thousands, undefined if it may be either. */
function decimalSignOf(digits: string, currency: string | null): string | undefined {
  const [last] = /[.,](?=[^.,]*$)/.exec(digits) ?? [];
  if (last === undefined) return '';
  const [before, behind] = [
    digits.slice(0, digits.lastIndexOf(last)),
    digits.slice(digits.lastIndexOf(last) + 1),
  ];
  const other = last === '.' ? ',' : '.';
  if (before.includes(last)) return before.includes(other) ? undefined : '';
  if (before.includes(other) || before.includes("'") || behind.length !== 3) return last;
  if (!/^[1-9]\d{0,2}$/.test(before)) return last;
  const decimals = currency === null ? 2 : decimalsOf(currency);
  if (decimals === 0) return '';
  return decimals === 3 && last === '.' ? last : undefined;
}

/**
 * @returns true for whole digits without separators, with one kind of separator at thousands, or in pairs above them as
 * in India
 */
function isGrouped(whole: string): boolean {
  if (/^\d*$/.test(whole)) return true;
  return /^\d{1,3}([.,'])\d{3}(?:\1\d{3})*$/.test(whole) || /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(whole);
}

function plain(whole: string, fraction = ''): string {
  const decimals = fraction.replace(/0+$/, '');
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (decimals && `.${decimals}`);
}

function quote(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}
