import { randomUUID } from 'node:crypto';

/**
 * A number in a JSON text that `JSON.parse` would change, such as `1e400` or a number of 20 digits. Its description
 * is the number as it was sent. It is a symbol because JSON has no other symbols and every schema refuses them.
 */
export type InexactNumber = symbol;

/** True for a number that `JSON.parse` would change. */
export function isInexactNumber(value: unknown): value is InexactNumber {
  return typeof value === 'symbol';
}

/** The number as it stood in the JSON text. */
export function textOfInexact(number: InexactNumber): string {
  return number.description!;
}

/** Matches every text that holds such a number, and few others, so that most bodies need no scan. */
const suspicious = /[:,[]\s*-?(?:\d[\d.]{15,}|\d[\d.]*[eE])/;
/** Matches strings, too, so that the scan skips the digits in them. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Marks a replaced number. A sender cannot know it, so no string of a body begins with it. */
const mark = randomUUID();

/**
 * Parses a JSON text like `JSON.parse`, but returns an `InexactNumber` for each number that would change. It scans
 * the text, because Node 20 has no `context.source` in revivers.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!suspicious.test(text)) return value;
  const marked = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') || isExactNumber(token) ? token : `"${mark}${token}"`,
  );
  return marked === text ? value : unmark(JSON.parse(marked));
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

/** Replaces marked strings by symbols. Without recursion: JSON.parse takes 20,000 levels, the call stack does not. */
function unmark(root: unknown): unknown {
  const holder = [root];
  const open: object[] = [holder];
  for (let container = open.pop(); container; container = open.pop()) {
    for (const [key, value] of Object.entries(container)) {
      if (typeof value === 'string' && value.startsWith(mark)) {
        // An assignment to the key `__proto__` would set the prototype.
        Object.defineProperty(container, key, { value: Symbol(value.slice(mark.length)) });
      } else if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return holder[0];
}
