import { readExactNumber } from './decimal.js';

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const upperE = 0x45;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const lowerE = 0x65;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const words: [string, boolean | null][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const control = /\p{Cc}/u;

/** A float holds every whole number of so many digits. */
const exactDigits = 15;
/** Powers of ten that a float holds. A product or quotient of two such floats is rounded once, as `Number` rounds. */
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

type ParsedObject = Record<string, unknown>;

/**
 * Parses JSON (RFC 8259) as `JSON.parse` does, but a number that `JSON.parse` would change becomes a symbol, as
 * `parseExactJson` promises. Node 20 has no `context.source` in revivers, and to mark such numbers and parse again took
 * twice as long.
 *
 * One pass, without recursion, because texts nest 30,000 deep and the call stack does not.
 * @param root gets the value. When the text ends too early or is no JSON, an object at its top has the fields that are
 * complete.
 * @throws SyntaxError
 */
export function readJsonText(text: string, root: { value?: unknown }): void {
  const hasControl = control.test(text);
  let at = 0;
  /** The containers that are open: an object, or the place in `elements` where the elements of an array begin. */
  const open: (ParsedObject | number)[] = [];
  /** The names of the fields that are being read, one for each open object. */
  const names: string[] = [];
  const elements: unknown[] = [];
  let elementCount = 0;

  for (;;) {
    let value: unknown;
    const code = nextCode();
    if (code === openBrace || code === openBracket) {
      const fields: ParsedObject | null = code === openBrace ? {} : null;
      if (fields && open.length === 0) root.value = fields;
      at++;
      if (nextCode() !== (fields ? closeBrace : closeBracket)) {
        open.push(fields ?? elementCount);
        if (fields) names.push(readName());
        continue;
      }
      at++;
      value = fields ?? [];
    } else value = readScalar(code);

    // The value is complete, and so may be the containers around it.
    for (;;) {
      const next = nextCode();
      if (open.length === 0) {
        if (at < text.length) fail();
        root.value = value;
        return;
      }
      const container = open[open.length - 1]!;
      const isArray = typeof container === 'number';
      if (next !== comma && next !== (isArray ? closeBracket : closeBrace)) fail();
      at++;
      if (isArray) elements[elementCount++] = value;
      else setField(container, names.pop()!, value);
      if (next === comma) {
        if (!isArray) names.push(readName());
        break;
      }
      open.pop();
      value = isArray ? elements.slice(container, elementCount) : container;
      if (isArray) elementCount = container;
    }
  }

  /** Skips white space, and gives the code of the next character; NaN at the end. */
  function nextCode(): number {
    let code = text.charCodeAt(at);
    while (code === space || code === newline || code === carriageReturn || code === tab)
      code = text.charCodeAt(++at);
    return code;
  }

  function readName(): string {
    if (nextCode() !== quote) fail();
    const name = readString();
    if (nextCode() !== colon) fail();
    at++;
    return name;
  }

  function readScalar(code: number): unknown {
    if (code === quote) return readString();
    if (code === minus || isDigit(code)) return readNumber();
    const [word, value] = words.find(([word]) => text.startsWith(word, at)) ?? fail();
    at += word.length;
    return value;
  }

  function readString(): string {
    const from = at;
    do {
      at = text.indexOf('"', at + 1);
      if (at === -1) fail();
    } while (isEscaped(text, at));
    at++;
    const string = text.slice(from + 1, at - 1);
    const isPlain = !string.includes('\\') && !(hasControl && control.test(string));
    return isPlain ? string : (JSON.parse(text.slice(from, at)) as string);
  }

  function readNumber(): number | symbol {
    const from = at;
    const isNegative = text.charCodeAt(at) === minus;
    const whole = isNegative ? from + 1 : from;
    let end = endOfDigits(text, whole);
    if (end > whole + 1 && text.charCodeAt(whole) === zero) fail();
    let digits = end - whole;
    let exponent = 0;
    if (text.charCodeAt(end) === point) {
      exponent = end + 1;
      end = endOfDigits(text, exponent);
      exponent -= end;
      digits -= exponent;
    }
    const mantissaEnd = end;
    const e = text.charCodeAt(end);
    if (e === lowerE || e === upperE) {
      const sign = text.charCodeAt(end + 1);
      const first = sign === plus || sign === minus ? end + 2 : end + 1;
      end = endOfDigits(text, first);
      exponent += (sign === minus ? -1 : 1) * readDigits(text, first, end);
    }
    at = end;
    if (digits <= exactDigits && Math.abs(exponent) < powersOfTen.length) {
      const mantissa = readDigits(text, whole, mantissaEnd);
      const value = exponent < 0 ? mantissa / powersOfTen[-exponent]! : mantissa * powersOfTen[exponent]!;
      return isNegative ? -value : value;
    }
    const number = text.slice(from, end);
    return readExactNumber(number) ?? Symbol(number);
  }
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** Finds the end of one or more digits. */
function endOfDigits(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end))) end++;
  return end > from ? end : fail();
}

/** Reads digits as one whole number. A point between them does not count. */
function readDigits(text: string, from: number, end: number): number {
  let whole = 0;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== point) whole = whole * 10 + code - zero;
  }
  return whole;
}

/** True when an odd number of backslashes precedes: an even number stands for backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}

function setField(fields: ParsedObject, name: string, value: unknown): void {
  // An assignment to `__proto__` would set the prototype.
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
}

function fail(): never {
  throw new SyntaxError('This is not JSON.');
}
