import { setImmediate as nextTurn } from 'node:timers/promises';
import { isInexactNumber } from './decimal.js';

/** Limits of the work that a JSON text causes. */
export interface JsonBounds {
  /**
   * Most values, including lists and objects. A number of more than 15 digits counts as six, because reading it takes that long.
   */
  values: number;
  /** Most different names of fields. Reading an object with a new name takes V8 five times as long. */
  names: number;
  /** Most lists and objects inside each other; default: no limit. Writing a depth of some 5,000 again would exceed the stack. */
  depth?: number;
}

/**
 * Matches strings, numbers, words and brackets of a JSON text. A name includes its colon. In any text, every character is looked at
 * three times at most, because a started string is always matched to its end.
 */
export const jsonTokens = /"(?:[^"\\]|\\.?)*"?(?:\s*:)?|-?\d[\d.eE+-]*(?:\s*:)?|[a-z]+|[[\]{}]/gs;

/**
 * Matches texts that may contain a number which a float would change. It matches nearly no others, so `JSON.parse` reads these
 * directly.
 */
const suspicious = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})/;
/** Matches numbers that a float may change. */
const isSuspicious = /^-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;
const valuesOfSuspicious = 6;

/**
 * Length up to which the values of a text are not counted, because parsing it is cheaper. Such a text has at most 700 names and
 * 2,000 values.
 */
const uncountedCharacters = 4_096;

const unbounded: JsonBounds = { values: Number.POSITIVE_INFINITY, names: Number.POSITIVE_INFINITY };

/**
 * Parses a JSON text like `JSON.parse`, but returns a number that a 64-bit float would change as the text that was sent. Such a
 * number is `1e400` or one of 20 digits.
 * @param bounds of a text of more than 4,096 characters; default: none
 * @throws SyntaxError for a text that is not JSON, RangeError for a text that exceeds the bounds
 */
export function parseJson(text: string, bounds: JsonBounds = unbounded): unknown {
  const isCounted = bounds !== unbounded && text.length > uncountedCharacters;
  if (!isCounted && !suspicious.test(text)) return JSON.parse(text);
  const quoting = quoteInexact(text, bounds);
  for (;;) {
    const { done, value } = quoting.next();
    if (done) return JSON.parse(value);
  }
}

/**
 * Parses a long text like `parseJson`, in several turns of the event loop. Counting the values of 4 MiB takes some 60 ms, three
 * times as long as parsing them.
 * @throws as `parseJson`
 */
export async function parseLongJson(text: string, bounds: JsonBounds): Promise<unknown> {
  const quoting = quoteInexact(text, bounds);
  for (;;) {
    await nextTurn();
    const { done, value } = quoting.next();
    if (!done) continue;
    if (text.length > charactersOfTurn) await nextTurn();
    return JSON.parse(value);
  }
}

/** Characters that are looked at in one turn: some 5 ms. */
const charactersOfTurn = 262_144;

/** Returns the text with quotes around the numbers that a float would change. Yields at the end of each turn. */
function* quoteInexact(text: string, bounds: JsonBounds): Generator<undefined, string, undefined> {
  let quoted = '';
  let copied = 0;
  let values = 0;
  let depth = 0;
  let turnEnd = charactersOfTurn;
  const names = new Set<string>();
  // `replace` would match all tokens of the text before it returns the first one.
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    if (token.endsWith(':')) names.add(token);
    else if (token === ']' || token === '}') depth--;
    else values++;
    if (token === '[' || token === '{') depth++;
    if (isSuspicious.test(token)) {
      values += valuesOfSuspicious - 1;
      if (isInexactNumber(token)) {
        quoted += `${text.slice(copied, index)}"${token}"`;
        copied = index + token.length;
      }
    }
    if (values > bounds.values || names.size > bounds.names || depth > (bounds.depth ?? depth))
      throw new RangeError(
        `The body has more than ${bounds.values} values or ${bounds.names} different names; send fewer items or fields.`,
      );
    if (index < turnEnd) continue;
    turnEnd = index + charactersOfTurn;
    yield;
  }
  return quoted + text.slice(copied);
}
