import { readJsonText } from './readJsonText.js';

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

/** Matches every text that holds such a number, and few others, so that `JSON.parse` reads most bodies. */
const suspicious = /[:,[]\s*-?(?:\d[\d.]{15,}|\d[\d.]*[eE])/;

/**
 * Parses a JSON text like `JSON.parse`, but returns an `InexactNumber` for each number that would change.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text);
  const root = { value: undefined };
  readJsonText(text, root);
  return root.value;
}
