/** True for a plain decimal such as `24.95`, of at most 17 digits before and behind the point. */
export function isDecimal(text: string): boolean {
  return /^-?\d{1,17}(\.\d{1,17})?$/.test(text);
}

/** True for a decimal such as `1.000` or `1,000`, whose point or comma may separate thousands. */
export function isAmbiguousDecimal(text: string): boolean {
  return /^-?[1-9]\d{0,2}([.,]\d{3})+$/.test(text);
}

/** Reads a plain decimal. Null for any other text, and for a decimal that a number would round. */
export function readDecimal(text: string): number | null {
  return isDecimal(text) ? readExactNumber(text) : null;
}

/** Subtracts a plain decimal from another one, exactly. */
export function subtractDecimals(from: string, amount: string): string {
  const places = Math.max(...[from, amount].map((text) => text.split('.')[1]?.length ?? 0));
  const units = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(places, '0'));
  };
  const left = units(from) - units(amount);
  const digits = String(left < 0n ? -left : left).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${left < 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
}

/** The smallest float with all its 53 bits. Below it decimals of 15 digits fall together. */
const smallestNormal = 2.2250738585072014e-308;

/**
 * Reads a decimal into a 64-bit float. Null where printing that float gives another decimal. Exact are:
 * - decimals of up to 15 significant digits, between 2.3e-308 and 1.7e308;
 * - those of more digits that JavaScript prints with the same ones, as it prints the float 103718810960647.625 as
 *   103718810960647.62;
 * - fractions of 16 or 17 digits that another program printed from a float: 49.899999999999999 is the float 49.9;
 * - below 2.3e-308 what JavaScript itself prints: `5e-324` is exact, `4.9e-324` is not.
 */
export function readExactNumber(decimal: string): number | null {
  const value = Number(decimal);
  if (!Number.isFinite(value)) return null;
  if (value === 0) return /[1-9]/.test(decimal.split(/[eE]/, 1)[0]!) ? null : value;
  const size = Math.abs(value);
  if (size < smallestNormal) return String(value) === decimal ? value : null;
  // Most of them, told without a look at each digit.
  if (decimal.length <= 15) return value;
  const { digits, exponent } = normalise(decimal);
  if (digits.length <= 15) return value;
  if (digits.length > 17) return null;
  // The value is the nearest float, so the same digits are the same number.
  const isSame =
    digits === normalise(String(size)).digits || (exponent < 0 && digits === digitsOf(size, digits.length));
  return isSame ? value : null;
}

/** The first significant digits of a number, rounded. */
function digitsOf(value: number, count: number): string {
  const printed = value.toExponential(count - 1);
  return printed.charAt(0) + printed.slice(2, count + 1);
}

const minus = 0x2d;
const zero = 0x30;

/** Significant digits, and the exponent of the last one, such as 499 and -1. The sign is ignored. */
function normalise(decimal: string): { digits: string; exponent: number } {
  let e = decimal.indexOf('e');
  if (e === -1) e = decimal.indexOf('E');
  const mantissa = e === -1 ? decimal : decimal.slice(0, e);
  const point = mantissa.indexOf('.');
  const digits = point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let from = digits.charCodeAt(0) === minus ? 1 : 0;
  while (digits.charCodeAt(from) === zero) from++;
  // The regex /0+$/ would take a second for 60,000 zeros before a last digit.
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === zero) end--;
  const exponent =
    (e === -1 ? 0 : Number(decimal.slice(e + 1))) + (point === -1 ? digits.length : point) - end;
  return { digits: digits.slice(from, end), exponent };
}
