import { randomUUID } from 'node:crypto';

/**
 * Stands for a number of a JSON text that no 64-bit float holds, such as `1e400` or one of 20 digits, where
 * `JSON.parse` would give another number without a word. A symbol is nothing that JSON can say otherwise, and no
 * schema takes it for anything. Its description is the number as it was sent.
 */
export type InexactNumber = symbol;

/** Whether a value of `parseExactJson` is a number that could not be held. */
export function isInexactNumber(value: unknown): value is InexactNumber {
  return typeof value === 'symbol';
}

/** The number as it stood in the JSON text. */
export function textOfInexact(number: InexactNumber): string {
  return number.description!;
}

/** Found in texts that may hold such a number, and in few others: most bodies are spared the scan. */
const suspicious = /[:,[]\s*-?(?:\d[\d.]{15,}|\d[\d.]*[eE])/;
/** Strings match too, so that digits within them are passed over. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Nobody outside can write it into a text, so it marks a replaced number for sure. */
const mark = randomUUID();

/**
 * Parses a JSON text as `JSON.parse` does, but that numbers which would change become `InexactNumber`s. By a
 * scan, because the `context.source` of a reviver came with Node 21.
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
 * Whether a decimal is still itself after it was read into a 64-bit float and printed, as every one of 15
 * significant digits is. A fraction may also be what other programs print of a float, in up to 17 digits:
 * 49.899999999999999 stands for 49.9.
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

/** Significant digits and exponent, such as `499e-1`: equal for equal decimals, but for their sign. */
function normalise(decimal: string): string {
  const [mantissa, exponent = '0'] = decimal.replace(/^-/, '').split(/[eE]/) as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  // Not by /0+$/, which takes a second over 60,000 zeros that a digit follows.
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/** Walks without recursion: JSON.parse takes 20,000 levels, the call stack does not. */
function unmark(root: unknown): unknown {
  const holder = [root];
  const open: object[] = [holder];
  for (let container = open.pop(); container; container = open.pop()) {
    for (const [key, value] of Object.entries(container)) {
      if (typeof value === 'string' && value.startsWith(mark)) {
        // Not by assignment, which under the key `__proto__` would set a prototype.
        Object.defineProperty(container, key, { value: Symbol(value.slice(mark.length)) });
      } else if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return holder[0];
}
