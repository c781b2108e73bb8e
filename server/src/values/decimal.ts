/** @returns true for a plain decimal such as `24.95`, of at most 17 digits before and after the point */
export function isDecimal(text: string): boolean {
  return /^-?\d{1,17}(\.\d{1,17})?$/.test(text);
}

/** @returns true for a decimal such as `1.000` or `1,000`, whose point or comma may separate thousands */
export function isAmbiguousDecimal(text: string): boolean {
  return /^-?[1-9]\d{0,2}([.,]\d{3})+$/.test(text);
}

/** Reads a plain decimal; null for any other text, and for a decimal that a number would round. */
export function readDecimal(text: string): number | null {
  return isDecimal(text) ? readExactNumber(text) : null;
}

/** More decimals than any currency has, and fewer than those in which the noise of floating point appears. */
const decimalsAtMost = 8;
/** Relative size of the noise that remains after adding up a hundred prices. */
const noise = 1e-14;

/** Digits that distinguish a 32-bit float from all others. */
const digitsOf32Bits = 9;

/**
 * Removes the noise of floating point from a decimal: 17.9 + 5.95, which is 23.849999999999998, becomes 23.85. Only a number of 15
 * or more digits can have such noise. It becomes the closest decimal of at most 8 decimals, if that is close enough. A number of
 * more decimals that a 32-bit float represents, such as 49.900001525878906, becomes the shortest decimal of that float. A whole
 * number is unchanged.
 */
export function withoutFloatNoise(value: number): number {
  const text = String(value);
  if (text.length <= decimalsAtMost + 2 || Number.isInteger(value)) return value;
  const decimals = text.length - text.indexOf('.') - 1;
  if (Math.fround(value) === value && decimals > decimalsAtMost) return shortestOf32Bits(value);
  if (text.length <= 15) return value;
  const rounded = Number(value.toFixed(decimalsAtMost));
  return Math.abs(value - rounded) <= Math.abs(value) * noise ? rounded : value;
}

function shortestOf32Bits(value: number): number {
  for (let digits = 1; digits <= digitsOf32Bits; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Subtracts a plain decimal from another one, exactly. */
export function subtractDecimals(from: string, amount: string): string {
  const decimals = Math.max(...[from, amount].map((text) => text.split('.')[1]?.length ?? 0));
  const units = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(decimals, '0'));
  };
  const left = units(from) - units(amount);
  const digits = String(left < 0n ? -left : left).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${left < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

/** Adds a plain decimal of at least 0 to another one, exactly. */
export const addDecimals = (one: string, other: string): string => subtractDecimals(one, `-${other}`);

/** Most digits of a float that are compared. Floats of money above 1e-14 have fewer. */
const digitsPrinted = 101;

/** The smallest float with all its 53 bits. Below it several decimals of 15 digits are the same float. */
const smallestNormal = 2.2250738585072014e-308;

/**
 * Reads a decimal into a 64-bit float; null if printing that float gives another decimal. Exact are:
 * - decimals of up to 15 significant digits, between 2.3e-308 and 1.7e308;
 * - decimals of more digits that JavaScript prints with the same digits, as it prints the float 103718810960647.625 as
 *   103718810960647.62;
 * - fractions of up to 101 digits that another program printed from a float, such as 49.899999999999999 from the float 49.9, or all
 *   of its 46 digits, as PHP prints them;
 * - below 2.3e-308 only what JavaScript itself prints: `5e-324` is exact, `4.9e-324` is not.
 */
export function readExactNumber(decimal: string): number | null {
  const value = Number(decimal);
  if (!Number.isFinite(value)) return null;
  const printed = String(value);
  if (printed === decimal) return value;
  const digits = digitsOf(decimal);
  if (value === 0) return digits === '' ? value : null;
  if (Math.abs(value) < smallestNormal) return null;
  // Most numbers are decided here, without looking at each digit.
  if (decimal.length <= 15) return value;
  // The value is the nearest float, so the same digits are the same number.
  if (isSame(digits, digitsOf(printed))) return value;
  if (Number.isInteger(value) || digits.length > digitsPrinted) return null;
  return isSame(digits, digitsOf(value.toExponential(digits.length - 1))) ? value : null;
}

/** @returns true for the text of a JSON number that a 64-bit float would change */
export function isInexactNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && readExactNumber(text) === null;
}

/** Returns the digits of a number without sign, point, exponent and leading zeros. */
function digitsOf(number: string): string {
  return number.replace(/e.*/i, '').replace('.', '').replace(/^-?0*/, '');
}

/** @returns true for the same digits, except trailing zeros */
function isSame(digits: string, others: string): boolean {
  const length = Math.max(digits.length, others.length);
  return digits.padEnd(length, '0') === others.padEnd(length, '0');
}

/** Writes a number of at least 0 as the shortest plain decimal. */
export function plainDecimal(value: number): string {
  const [mantissa, exponent] = String(value).split('e-');
  return exponent === undefined
    ? mantissa!
    : `0.${'0'.repeat(Number(exponent) - 1)}${mantissa!.replace('.', '')}`;
}
