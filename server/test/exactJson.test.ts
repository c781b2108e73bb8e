import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExactNumber } from '../src/values/decimal.js';
import { isInexactNumber, parseExactJson, textOfInexact, tooManyValues } from '../src/values/exactJson.js';

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
    '-0',
    '1e5',
    '1e22',
    '1e23',
    '123456789012345e22',
    '123456789012345e-22',
    '0.000000000000000000000000001',
    '2.2250738585072014e-308',
    '1e-307',
    '1e308',
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
    // Floats that lie halfway between two decimals, as JavaScript prints them.
    '103718810960647.62',
    '1037188109606476.2',
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
    '0.1e-400',
    '4.9e-324',
    '4.94e-324',
    '4.9406564584124654e-324',
    '-4.9e-324',
    '1.8e308',
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
    fc.assert(fc.property(fifteenDigits, (decimal) => readExactNumber(decimal) !== null));
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        any,
        (value) => readExactNumber(String(value)) === value && parsed(String(value)) === value,
      ),
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

/** Reads inexact numbers as JSON.parse does. */
function withNumbers(value: unknown): unknown {
  if (isInexactNumber(value)) return Number(textOfInexact(value));
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withNumbers(child)]));
}

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

  it('with such a number is JSON, and has the same other values, exactly where JSON.parse says so', () => {
    const outcome = (parse: (text: string) => unknown, text: string) => {
      try {
        return { value: withNumbers(parse(text)) };
      } catch (error) {
        return { isSyntaxError: error instanceof SyntaxError };
      }
    };
    const piece = fc.oneof(
      fc.constantFrom('[', ']', '{', '}', ',', ':', ' ', '\n', '\t', '\u00a0', '"', '\\', '"a"', '"\\u00e9"'),
      fc.constantFrom(
        '"\\"',
        '"a\nb"',
        '"__proto__":',
        'null',
        'true',
        'nul',
        '-',
        '.',
        'e5',
        '+1',
        '0',
        '1',
      ),
      fc.constantFrom(
        '01',
        '1.',
        '.5',
        '1e',
        '1e+',
        '1.e5',
        '-0',
        '1E-2',
        '12.50',
        '0x1',
        '1e5',
        '-1e-7',
        'é',
      ),
    );
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
        // The number in front makes that the text is not left to JSON.parse. A float holds it.
        const withLarge = `[1e300,${text}]`;
        expect(outcome(parseExactJson, withLarge)).toEqual(outcome(JSON.parse, withLarge));
      }),
      { numRuns: 3_000 },
    );
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

describe('a JSON text with bounds', () => {
  const bounds = { values: 12, depth: 4, names: 100, topNames: 100 };
  const ones = (count: number) => Array(count).fill(1);

  it('has its other fields when one has too many values, wherever these are', () => {
    const rest = { c: [1, 2, 3, 4], d: { e: null }, f: 'x' };
    for (const large of [ones(12), { a: { b: ones(9) }, c: 1 }, [ones(6), ones(6), '[{"\\]}', {}, []]]) {
      for (const fields of [
        { large, ...rest },
        { ...rest, large },
        { b: 1, large, ...rest, more: large, last: true },
      ]) {
        const text = JSON.stringify(fields, null, 1);
        const expected =
          'more' in fields
            ? { ...fields, large: tooManyValues, more: tooManyValues }
            : { ...fields, large: tooManyValues };
        expect(parseExactJson(text, bounds)).toEqual(expected);
      }
    }
  });

  it('has all its fields when its values are just few enough', () => {
    const text = JSON.stringify({ a: ones(10) }, null, 4);
    expect(parseExactJson(text, bounds)).toEqual({ a: ones(10) });
    expect(parseExactJson(text.replace('1,', '1,1,'), bounds)).toEqual({ a: tooManyValues });
  });

  it('is read to a depth, and keeps what stands beside what lies deeper', () => {
    const text = `{"a":[[${'['.repeat(30)}${']'.repeat(30)},"]"],2],"b":3}`;
    expect(parseExactJson(text, bounds)).toEqual({ a: [[[null], ']'], 2], b: 3 });
  });

  it('that ends too early, or within brackets of another kind, throws a SyntaxError', () => {
    const list = `[${ones(40)}]`;
    for (const text of [
      `{"a":${list}`,
      `{"a":${list}]`,
      `{"a":${list.slice(0, -1)}`,
      `{"a":${list} "b"}`,
      `{"a":["${list}`,
    ])
      expect(() => parseExactJson(text, bounds)).toThrow(SyntaxError);
  });

  it('has its other fields when one has too many names, wherever these are', () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 1]));
    const rest = { a: [{ b: 1, c: 2 }], d: { e: { b: 3 } } };
    for (const large of [named(6), { a: { z: 1, ...named(4) } }, [named(3), { x: 1, y: 2, z: 3 }]]) {
      for (const fields of [
        { large, ...rest },
        { ...rest, large },
        { f: 1, large, ...rest, more: large },
      ]) {
        const expected: object = {
          ...fields,
          large: tooManyValues,
          ...('more' in fields && { more: tooManyValues }),
        };
        expect(
          parseExactJson(JSON.stringify(fields, null, 1), { values: 100, depth: 9, names: 5, topNames: 6 }),
        ).toEqual(expected);
      }
    }
  });

  it('has all its fields when its names are just few enough, however often they come', () => {
    const text = JSON.stringify({ a: Array(20).fill({ a: 1, b: 2, c: { d: 3 } }), b: { e: 1 } });
    expect(parseExactJson(text, { values: 200, depth: 9, names: 5, topNames: 6 })).toEqual(JSON.parse(text));
    expect(parseExactJson(text, { values: 200, depth: 9, names: 4, topNames: 4 })).toEqual({
      ...JSON.parse(text),
      b: tooManyValues,
    });
  });

  it('has the first fields of the top object, and those that are always read', () => {
    const text =
      '{"a":1,"b":[1,{"c":"\\"}"}] , "c" : [2,"]"],"a":3,"keep":{"x":[5]},"d":-1.5, "e":"," , "last":[6]}';
    const fields = new Set(['keep', 'last']);
    expect(parseExactJson(text, { values: 100, depth: 9, names: 2, topNames: 2, fields })).toEqual({
      a: 3,
      b: [1, { c: '"}' }],
      keep: { x: [5] },
      last: [6],
    });
  });

  it('counts a number of more than 15 characters as six values', () => {
    const text = `{"a":[${Array(3).fill('49.899999999999999')},0],"b":1}`;
    expect(parseExactJson(text, { ...bounds, values: 21 })).toEqual(JSON.parse(text));
    expect(parseExactJson(text, { ...bounds, values: 20 })).toEqual({ a: tooManyValues, b: 1 });
  });

  it('counts an object with fields as three values, and an empty one as one', () => {
    const text = `{"a":[${Array(3).fill('{"b":1}')},{}],"b":1}`;
    expect(parseExactJson(text, { ...bounds, values: 15 })).toEqual(JSON.parse(text));
    expect(parseExactJson(text, { ...bounds, values: 14 })).toEqual({ a: tooManyValues, b: 1 });
  });

  it('with anything behind its end throws a SyntaxError', () => {
    const fields = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`n${n}`, 1]));
    const text = JSON.stringify({ ...fields, a: [1] });
    for (const behind of [
      '}',
      ',"b":2}',
      '},"b":2}',
      ',"b":[1,2,3]}',
      `${','.repeat(400)}}`,
      '1e400',
      '[1e400]',
    ]) {
      for (const [values, names] of [
        [1_000, 100],
        [100, 1_000],
      ] as const)
        expect(() => parseExactJson(text + behind, { values, names, topNames: names, depth: 4 })).toThrow(
          SyntaxError,
        );
    }
  });

  it('that keeps them is read as without them', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        // The spaces make it so long that it could have more values.
        const text = `[1e5,${json},${' '.repeat(20_000)}${'""'}]`;
        expect(parseExactJson(text, { values: 5_000, depth: 8, names: 3_000, topNames: 3_000 })).toEqual(
          JSON.parse(text),
        );
      }),
    );
  });
});
