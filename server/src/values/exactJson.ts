import { randomUUID } from 'node:crypto';
import { isExactNumber } from './decimal.js';

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
