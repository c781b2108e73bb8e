import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExactNumber } from '../../src/values/decimal.js';
import { jsonTokens, parseJson } from '../../src/values/json.js';
import { jsonBounds } from '../../src/values/limits.js';
import { fewAndMany } from '../kit/fewAndMany.js';

/** Parses a number of a JSON text. */
function parsed(number: string): unknown {
  return (parseJson(`{"value":${number}}`) as { value: unknown }).value;
}

describe('a number of a JSON text', () => {
  it.each([
    '-0.0',
    '0e999',
    '0.000000000000000000000000001',
    '2.2250738585072014e-308',
    '49.90',
    '1E+21',
    '5e-324',
    '1.7976931348623157e308',
    // Floats halfway between two decimals, as JavaScript prints them.
    '103718810960647.62',
    '1037188109606476.2',
    // C's %.17g and old PHP print 49.9 like this.
    '49.899999999999999',
  ])('is a number when a float holds it: %s', (number) => {
    expect(parsed(number)).toBe(Number(number));
  });

  it.each([
    '1e400',
    '-1e400',
    '1e-400',
    '4.9e-324',
    '4.94e-324',
    '4.9406564584124654e-324',
    '1.8e308',
    // A float holds it, and every program that prints its shortest digits prints …940.
    '90071992547409936',
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
    fc.assert(fc.property(fifteenDigits, (decimal) => readExactNumber(decimal) !== null));
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        any,
        (value) => readExactNumber(String(value)) === value && parsed(String(value)) === value,
      ),
    );
  });

  it('is a number however many digits of its float a program printed', () => {
    const amount = fc
      .double({ min: 0.01, max: 1e12, noNaN: true })
      .filter((value) => !Number.isInteger(value));
    fc.assert(
      fc.property(amount, fc.integer({ min: 17, max: 100 }), (value, digits) => {
        for (const printed of [value.toPrecision(digits), value.toFixed(60)])
          expect(parsed(printed)).toBe(value);
      }),
    );
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

/** Turns texts with numbers into numbers, so that values that `JSON.parse` rounded equal the kept texts. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'string') return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withNumbers(child)]));
}

describe('a JSON text', () => {
  it('keeps everything around such a number, in strings too, and fields named __proto__', () => {
    const text =
      '{"a":[1e400,"1e400",": 12345678901234567890","\\"[1e400"],"__proto__":{"x":1e400},"constructor":2}';
    const value = parseJson(text) as Record<string, unknown[]>;
    expect(value.a).toEqual(['1e400', '1e400', ': 12345678901234567890', '"[1e400']);
    expect(Object.keys(value)).toEqual(['a', '__proto__', 'constructor']);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')!.value).toEqual({ x: '1e400' });
    expect({}).not.toHaveProperty('x');
  });

  for (const { numRuns, tags } of fewAndMany(1_500))
    it(`with such a number is JSON, and has the same other values, exactly where JSON.parse says so (${numRuns})`, {
      tags,
    }, () => {
      const outcome = (parse: (text: string) => unknown, text: string) => {
        try {
          return { value: withNumbers(parse(text)) };
        } catch (error) {
          return { isSyntaxError: error instanceof SyntaxError };
        }
      };
      const words =
        '"a" "\\u00e9" "\\" "__proto__": null true nul e5 +1 0 1 01 1. .5 1e 1e+ 1.e5 -0 1E-2 12.50 0x1 1e5 -1e-7';
      const piece = fc.constantFrom(...'[]{},: \n\t\u00a0"\\-.é', ...words.split(' '), '"a\nb"');
      /** JSON with some characters replaced, and pieces of JSON in any order. */
      const text = fc.oneof(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        fc
          .tuple(fc.json({ maxDepth: 3 }), fc.nat(), piece)
          .map(
            ([json, at, piece]) =>
              json.slice(0, at % (json.length + 1)) + piece + json.slice(at % (json.length + 1)),
          ),
        fc.json({ maxDepth: 4 }),
      );
      fc.assert(
        fc.property(text, (text) => {
          // Because of the number before it, the text is not passed to JSON.parse. A float holds it, and all others.
          const withLarge = `[1e300,${text}]`;
          expect(outcome(parseJson, withLarge)).toEqual(outcome(JSON.parse, withLarge));
          const withInexact = text.replaceAll('1e5', '1e400');
          expect(outcome(parseJson, withInexact)).toEqual(outcome(JSON.parse, withInexact));
        }),
        { numRuns },
      );
    });

  it('of 300 KB that is made to be slow to look at is read all the same, or refused', () => {
    const size = 300_000;
    // A regular expression with backtracking would take minutes for each of these.
    for (const text of [
      `[1${'0'.repeat(size)}1]`,
      `[0.${'0'.repeat(size)}1]`,
      `["${'\\"'.repeat(size / 2)}",1e400]`,
      `[${'1e400,'.repeat(10_000)}1]`,
      `${'['.repeat(size)}1e400${']'.repeat(size)}`,
      `[1${' '.repeat(size)},1e400]`,
    ]) {
      expect(Array.isArray(parseJson(text))).toBe(true);
    }
    for (const text of [
      `[1e400,"${'\\"'.repeat(size / 2)}`,
      `[1e400,${'"'.repeat(size)}]`,
      `[1e400${`""${' '.repeat(100)}`.repeat(size / 100)}`,
      `[1e400${'-'.repeat(size)}`,
      `[1e400${'1e-'.repeat(size / 3)}`,
    ])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('is matched to its last character in tokens, whatever it is', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', ':', ' ', '1', '-', 'e', '.', '[', '}', ',', 'é'),
    });
    fc.assert(
      fc.property(text, (text) => {
        const others = text.replaceAll(jsonTokens, '');
        expect(others).not.toMatch(/["[\]{}\d]/);
      }),
    );
  });
});

describe('a JSON text with bounds', () => {
  const bounds = { values: 2_000, names: 200 };
  const ones = (count: number) => Array(count).fill(1);
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 1]));
  /** Makes a text so long that its values are counted. */
  const long = (value: unknown) => JSON.stringify(value) + ' '.repeat(4_096);

  it('is read when its values are just few enough, and refused with one more', () => {
    expect(parseJson(long({ a: ones(1_998) }), bounds)).toEqual({ a: ones(1_998) });
    expect(() => parseJson(long({ a: ones(1_999) }), bounds)).toThrow(RangeError);
    for (const value of ['x', null, [], {}, true, -1.5])
      expect(() => parseJson(long([...ones(1_998), value, 1]), bounds)).toThrow(RangeError);
  });

  it('is read when its names are just few enough, however often they come, and refused with one more', () => {
    const items = Array(20).fill(named(50));
    expect(parseJson(long([items, named(200)]), bounds)).toEqual([items, named(200)]);
    expect(() => parseJson(long([items, named(201)]), bounds)).toThrow(RangeError);
    expect(() => parseJson(long(named(201)), bounds)).toThrow(
      'The body has more than 2000 values or 200 different names; send fewer items or fields.',
    );
  });

  it('counts names that are written with escapes, and none that stand in texts', () => {
    const escaped = Array.from({ length: 201 }, (_, n) => `"${n}\\"":1`).join(',');
    expect(() => parseJson(`{${escaped}}${' '.repeat(4_096)}`, bounds)).toThrow(RangeError);
    const quoted = [JSON.stringify(named(1_000))];
    expect(parseJson(long(quoted), bounds)).toEqual(quoted);
  });

  it('counts a number of more than 15 digits as six values', () => {
    const text = (count: number, last: number) =>
      `[${Array(count).fill('49.899999999999999')},${ones(last)}]${' '.repeat(4_096)}`;
    expect(parseJson(text(300, 199), bounds)).toHaveLength(499);
    expect(() => parseJson(text(300, 200), bounds)).toThrow(RangeError);
  });

  it('of 4 KiB at most never exceeds those of a request', () => {
    const shortest = (before: string, part: string) => {
      const text = before + part.repeat((4_096 - before.length) / part.length);
      return [...text.matchAll(jsonTokens)].length;
    };
    expect(shortest('[', '1,')).toBeLessThan(jsonBounds.values);
    expect(shortest('{', '"a":1,') / 2).toBeLessThan(jsonBounds.names);
  });

  it('that keeps them is read as without them', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const text = `[1e5,${json},${' '.repeat(5_000)}${'""'}]`;
        expect(parseJson(text, jsonBounds)).toEqual(JSON.parse(text));
      }),
    );
  });
});
