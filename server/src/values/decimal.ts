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
  return isDecimal(text) && isExactNumber(text) ? Number(text) : null;
}

/**
 * True when reading a decimal into a 64-bit float and printing that float gives the same decimal. This holds for all
 * decimals of up to 15 significant digits. Also true for a fraction of up to 17 digits that another program printed
 * from a float: 49.899999999999999 is the float 49.9.
 */
export function isExactNumber(decimal: string): boolean {
  const value = Number(decimal);
  if (!Number.isFinite(value)) return false;
  const sent = normalise(decimal);
  const digits = sent.indexOf('e');
  if (digits === 0) return true;
  if (value === 0) return false;
  if (normalise(String(value)) === sent) return true;
  const isFraction = sent.includes('e-');
  return isFraction && digits <= 17 && normalise(value.toPrecision(digits)) === sent;
}

/** Significant digits and exponent, such as `499e-1`. Equal decimals give equal texts; the sign is ignored. */
function normalise(decimal: string): string {
  const [mantissa, exponent = '0'] = decimal.replace(/^-/, '').split(/[eE]/) as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  // The regex /0+$/ would take a second for 60,000 zeros before a last digit.
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
