import { readExactNumber } from './decimal.js';
import { type Cut, findCuts } from './findCuts.js';
import { isWithin, type JsonBounds } from './jsonBounds.js';

/**
 * A number in a JSON text that `JSON.parse` would change, such as `1e400` or a number of 20 digits. Its description
 * is the number as it was sent. It is a symbol because JSON has no other symbols and every schema refuses them.
 */
export type InexactNumber = symbol;

/** Value of a field that was left unread because of the bounds. A symbol as no JSON has it. */
export const tooManyValues = Symbol('too many values');

/** True for a number that `JSON.parse` would change. */
export function isInexactNumber(value: unknown): value is InexactNumber {
  return typeof value === 'symbol' && value !== tooManyValues;
}

/** The number as it stood in the JSON text. */
export function textOfInexact(number: InexactNumber): string {
  return number.description!;
}

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Matches every text that holds such a number, and few others, so that `JSON.parse` reads most bodies. */
const suspicious = /[:,[]\s*-?(?:\d[\d.]{15,}|\d[\d.]*[eE])/;

const infinite = Number.POSITIVE_INFINITY;
const unbounded: JsonBounds = { values: infinite, depth: infinite, names: infinite, topNames: infinite };

/**
 * Parses a JSON text like `JSON.parse`, but returns an `InexactNumber` for each number that would change.
 * @param bounds of a text of any sender; default: none
 * @throws SyntaxError
 */
export function parseExactJson(text: string, bounds: JsonBounds = unbounded): unknown {
  if (isWithin(bounds, text) && !suspicious.test(text)) return JSON.parse(text);
  const { cuts, isWhole } = findCuts(text, bounds);
  if (!isWhole) throw new SyntaxError('The JSON text ends too early.');
  return parseWithout(text, cuts);
}

/**
 * Parses the complete fields of a JSON object whose text was cut off.
 * @throws SyntaxError also if there are none
 */
export function parseCompleteFields(text: string, bounds: JsonBounds): Record<string, unknown> {
  const { cuts, lastComma } = findCuts(text, bounds);
  const complete = cuts.filter(({ to }) => to <= lastComma);
  return parseWithout(`${text.slice(0, lastComma)}}`, complete) as Record<string, unknown>;
}

function parseWithout(text: string, cuts: readonly Cut[]): unknown {
  const symbols: symbol[] = [];
  let whole = '';
  let at = 0;
  for (const { from, to, kind } of cuts) {
    const part = text.slice(from, to);
    if (kind === 'number' && !(readExactNumber(part) === null && isNumber.test(part))) continue;
    whole += text.slice(at, from);
    at = to;
    if (kind === 'depth') whole += 'null';
    else if (kind !== 'field') {
      whole += `[1e999,${symbols.length}]`;
      symbols.push(kind === 'values' ? tooManyValues : Symbol(part));
    }
  }
  const value: unknown = JSON.parse(whole + text.slice(at));
  return symbols.length === 0 ? value : putSymbols(value, symbols);
}

/**
 * Puts each symbol where the parsed text has its mark: a list of infinity and a number. Nothing else is a mark, because a
 * sender's own `1e999` was cut. Without recursion, because texts nest 30,000 deep and the call stack does not.
 */
function putSymbols(value: unknown, symbols: readonly symbol[]): unknown {
  const root = [value];
  const open: object[] = [root];
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) {
      for (let at = 0; at < container.length; at++) {
        const child: unknown = container[at];
        if (isMark(child)) container[at] = symbols[child[1]!];
        else if (typeof child === 'object' && child !== null) open.push(child);
      }
    } else {
      const fields = container as Record<string, unknown>;
      for (const name in fields) {
        const child = fields[name];
        // Of an own field named `__proto__`, too, this sets the value.
        if (isMark(child)) fields[name] = symbols[child[1]!];
        else if (typeof child === 'object' && child !== null) open.push(child);
      }
    }
  }
  return root[0];
}

function isMark(value: unknown): value is number[] {
  return Array.isArray(value) && value[0] === infinite;
}
