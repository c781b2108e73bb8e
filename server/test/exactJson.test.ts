import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExactNumber } from '../src/values/decimal.js';
import { isInexactNumber, parseExactJson, textOfInexact } from '../src/values/exactJson.js';

/** Parses a number of a JSON text. An inexact one is returned as its text. */
function parsed(number: string): unknown {
  const { value } = parseExactJson(`{"value":${number}}`) as { value: unknown };
  return isInexactNumber(value) ? textOfInexact(value) : value;
}

describe('a number of a JSON text', () => {
  it.each([
    '0',
    '-0.0',
    '0e999',
    '49.9',
    '49.90',
    '1e3',
    '1E+21',
    '5e-324',
    '1.7976931348623157e308',
    '9007199254740991',
    '9007199254740992',
    '12345678901234567000',
    '123456789012.345',
    // As C's %.17g and old PHP print 49.9.
    '49.899999999999999',
    '0.30000000000000004',
  ])('is a number when a float holds it: %s', (number) => {
    expect(parsed(number)).toBe(Number(number));
  });

  it.each([
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '12345678901234567',
    // A float holds it, and every program that prints the shortest digits of that makes …940 of it.
    '90071992547409936',
    '12345678901234567890',
    '-12345678901234567890',
    '0.12345678901234567890',
    '1.2345678901234567890e5',
  ])('is kept as its text when reading it would change it: %s', (number) => {
    expect(parsed(number)).toBe(number);
  });

  it('of at most 15 digits is always a number, and so is what JavaScript prints', () => {
    const fifteenDigits = fc
      .tuple(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.integer({ min: -300, max: 290 }))
      .map(([digits, exponent]) => `${digits}e${exponent}`);
    fc.assert(fc.property(fifteenDigits, (decimal) => isExactNumber(decimal)));
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(any, (value) => isExactNumber(String(value)) && parsed(String(value)) === value));
  });

  it('that is whole is a number only where it is stored and answered with the very same digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 21n - 1n }), (whole) => {
        const digits = String(whole);
        expect(parsed(digits)).toBe(JSON.stringify(Number(digits)) === digits ? Number(digits) : digits);
      }),
    );
  });
});

describe('a JSON text', () => {
  it('without such numbers gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps everything around such a number, in strings too, and fields named __proto__', () => {
    const text =
      '{"a":[1e400,"1e400",": 12345678901234567890","\\"[1e400"],"__proto__":{"x":1e400},"constructor":2}';
    const value = parseExactJson(text) as Record<string, unknown[]>;
    const inexact = value.a![0];
    expect(isInexactNumber(inexact)).toBe(true);
    expect(value.a!.slice(1)).toEqual(['1e400', ': 12345678901234567890', '"[1e400']);
    expect(Object.keys(value)).toEqual(['a', '__proto__', 'constructor']);
    const { value: proto } = Object.getOwnPropertyDescriptor(value, '__proto__')!;
    expect(isInexactNumber(proto.x)).toBe(true);
    expect({}).not.toHaveProperty('x');
  });

  it('that is none throws a SyntaxError, though it holds such a number', () => {
    expect(() => parseExactJson('{"a":12345678901234567890')).toThrow(SyntaxError);
  });

  it('of 64 KiB whose digits are made to be slow to look at is read all the same', () => {
    const size = 60_000;
    for (const text of [
      `[1${'0'.repeat(size)}1]`,
      `[0.${'0'.repeat(size)}1]`,
      `["${'\\"'.repeat(size / 2)}",1e400]`,
      `[${'1e400,'.repeat(10_000)}1]`,
      `${'['.repeat(size)}1e400${']'.repeat(size)}`,
      `[1${' '.repeat(size)},1e400]`,
    ]) {
      expect(Array.isArray(parseExactJson(text))).toBe(true);
    }
  });
});
