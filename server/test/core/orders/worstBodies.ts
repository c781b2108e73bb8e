import { jsonBounds } from '../../../src/values/limits.js';

const bytes = 65_400;
/** Nearly as many values as the server reads. */
const valuesRead = jsonBounds.values - 100;
const namesRead = jsonBounds.names - 100;

/** Fills 64 KiB with parts between a head and a tail, separated by commas. */
function fill(head: string, partOf: (n: number) => string, tail: string, valuesAtMost = bytes): string {
  const parts: string[] = [];
  let values = 0;
  for (let left = bytes - Buffer.byteLength(head + tail); ; ) {
    const part = partOf(parts.length);
    left -= Buffer.byteLength(part) + 1;
    // A long number counts as six.
    values += part.split(/[,[{]/).length;
    if (/^[\d.e-]{16}/.test(part)) values += 5;
    if (left < 0 || values > valuesAtMost) return head + parts.join(',') + tail;
    parts.push(part);
  }
}

const nested = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);

/** Lists of values, each of which costs more than its length suggests. */
const values: Record<string, (n: number) => string> = {
  'small numbers': () => '1',
  '1e5': () => '1e5',
  '1e-7': () => '1e-7',
  'negative zeros': () => '-0',
  'numbers of 16 digits': (n) => `49.8999999999${10_000 + n}`,
  'numbers of 17 digits': (n) => `${10 + (n % 90)}.899999999999999`,
  'numbers of 20 digits': (n) => `123456789012345${10_000 + n}`,
  'numbers over all': (n) => `${1 + (n % 9)}e4${10 + (n % 90)}`,
  'numbers under all': (n) => `${1 + (n % 9)}e-31${n % 10}`,
  'empty texts': () => '""',
  'long numbers in texts': (n) => `",123456789012345${10_000 + n}"`,
  'NUL in texts': () => '"\\u0000"',
  'lone surrogates': () => '"\\ud800"',
  nulls: () => 'null',
  'empty lists': () => '[]',
  'lists 20 deep': () => nested(20, '1'),
  'lists 14 deep with NUL': () => nested(14, '"\\u0000"'),
  'objects named __proto__': () => '{"__proto__":1}',
};

/** An invalid item with all fields that the contract names. */
const badItem = '{"productId":{},"sku":[],"name":1,"variant":{},"category":1,"quantity":"a","price":"b"}';
const longTexts = { spaces: ' ', dots: '.', ats: '@', digits: '1', quotes: '\\"', escapes: '\\u0041' };

/** Lists that a page may send as a text instead of its items. */
const listsAsText = { objects: '{}', lists: '[1]', numbers: '1' };

/**
 * Makes the bodies of 64 KiB that cost a server the most for their size, by name.
 * @param id makes the `orderId` and the names, so that no body repeats another
 */
export function worstBodies(teamId: string, id: string): Record<string, string> {
  const order = `"teamId":"${teamId}","email":"ann@mail.example","amount":1,"orderId":"${id}"`;
  const withText = (field: string, text: string) => {
    const fields = { teamId, email: 'ann@mail.example', amount: '1', orderId: id, [field]: '?' };
    return JSON.stringify(fields).replace('"?"', `"${text}"`);
  };
  return {
    ...Object.fromEntries(
      Object.entries(values).flatMap(([name, partOf]) => [
        [`${name}, in an item`, fill(`{${order},"items":[{"a":[`, partOf, ']}]}')],
        [`${name}, in a field of no meaning`, fill(`{${order},"a":[`, partOf, ']}')],
        [`${name}, as the items`, fill(`{${order},"items":[`, partOf, ']}')],
        // As many values as the server reads.
        [`some ${name}, in an item`, fill(`{${order},"items":[{"a":[`, partOf, ']}]}', valuesRead)],
      ]),
    ),
    'prices of 1e5': fill(`{${order},"items":[`, () => '{"price":1e5}', ']}'),
    'fields of 500 items': `{${order},"items":[${Array(500)
      .fill(`{${fill('', (n) => `"${n.toString(36)}":1`, '', 12)}}`)
      .join(',')}]}`,
    '500 invalid items': `{${order},"items":[${Array(500).fill(badItem).join(',')}]}`,
    'an item of many fields': fill(`{${order},"items":[{`, (n) => `"${n.toString(36)}":1e5`, '}]}'),
    'an item of many names with NUL': fill(
      `{${order},"items":[{`,
      (n) => `"${n.toString(36)}\\u0000":1`,
      '}]}',
    ),
    'items whose names are all different': fill(
      `{${order},"items":[`,
      (n) => `{"${n.toString(36)}":1}`,
      ']}',
    ),
    'some items whose names are all different': fill(
      `{${order},"items":[`,
      (n) => `{"${(n % namesRead).toString(36)}":1}`,
      ']}',
      valuesRead,
    ),
    // V8 keeps the shape of each new object for a while, and gets slower if there are too many.
    'some items whose names nobody has sent before': fill(
      `{${order},"items":[`,
      (n) => `{"${id}${(n % namesRead).toString(36)}":1}`,
      ']}',
      valuesRead,
    ),
    'an item of some fields, and fields': fill(
      `{${order},"items":[{${fill('', (n) => `"n${n.toString(36)}":1e5`, '', namesRead)}}],`,
      (n) => `"${n.toString(36)}":1e5`,
      '}',
    ),
    'many fields': fill(`{${order},`, (n) => `"${n.toString(36)}":1e5`, '}'),
    'the same field again and again': fill(`{${order},`, () => '"a":1e5', '}'),
    'only fields of no meaning': fill('{', (n) => `"${n.toString(36)}":[]`, '}'),
    'a list of numbers': fill('[', () => '1e5', ']'),
    'deep nesting': `{${order},"items":[{"a":${nested(30_000, '1e400')}}]}`,
    'a deep amount': `{"teamId":"${teamId}","email":"ann@mail.example","amount":${nested(30_000)}}`,
    'nesting without an end': '['.repeat(bytes),
    'a text without an end': `{"a":[1e400,"${'\\"'.repeat(bytes / 2 - 10)}`,
    'quotes and spaces without an end': `[1e400,${`""${' '.repeat(98)}`.repeat(650)}`,
    'an amount of 60,000 digits': `{"teamId":"${teamId}","email":"ann@mail.example","amount":0.${'0'.repeat(60_000)}1}`,
    ...Object.fromEntries(
      Object.entries(longTexts).flatMap(([name, character]) =>
        ['teamId', 'email', 'amount', 'orderId', 'currency', 'name'].map((field) => [
          `${field} of ${name}`,
          withText(field, character.repeat(60_000 / character.length)),
        ]),
      ),
    ),
    ...Object.fromEntries(
      Object.entries(listsAsText).map(([name, value]) => [
        `${name}, in items that are a text`,
        `{${order},"items":${JSON.stringify(fill('[', () => value, ']', 20_000))}}`,
      ]),
    ),
    // An email may be wrapped in up to 1,024 characters.
    'email of 1,000 brackets': withText('email', '('.repeat(1_000)),
    'email behind 1,000 spaces': withText('email', `mailto:${' '.repeat(1_000)}b`),
    ...Object.fromEntries(
      Object.entries(longTexts).map(([name, character]) => [
        `email of 1,000 ${name}`,
        withText('email', `a@b${character.repeat(1_000 / character.length)}c`),
      ]),
    ),
  };
}
