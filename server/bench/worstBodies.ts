const bytes = 65_400;

/** Fills 64 KiB with parts between a head and a tail, separated by commas. */
function fill(head: string, partOf: (n: number) => string, tail: string): string {
  const parts: string[] = [];
  for (let left = bytes - Buffer.byteLength(head + tail); ; ) {
    const part = partOf(parts.length);
    left -= Buffer.byteLength(part) + 1;
    if (left < 0) return head + parts.join(',') + tail;
    parts.push(part);
  }
}

const nested = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);

/** Lists of values, each of which costs more than its characters show. */
const values: Record<string, (n: number) => string> = {
  'small numbers': () => '1',
  '1e5': () => '1e5',
  '1e-7': () => '1e-7',
  'negative zeros': () => '-0',
  'numbers of 16 digits': (n) => `49.8999999999${10_000 + n}`,
  'numbers of 20 digits': (n) => `123456789012345${10_000 + n}`,
  'numbers over all': (n) => `${1 + (n % 9)}e4${10 + (n % 90)}`,
  'numbers under all': (n) => `${1 + (n % 9)}e-31${n % 10}`,
  'empty texts': () => '""',
  'NUL in texts': () => '"\\u0000"',
  'lone surrogates': () => '"\\ud800"',
  nulls: () => 'null',
  'empty lists': () => '[]',
  'lists 20 deep': () => nested(20, '1'),
  'lists 14 deep with NUL': () => nested(14, '"\\u0000"'),
  'objects named __proto__': () => '{"__proto__":1}',
};

/** Fields of an invalid item, all that the contract names. */
const badItem = '{"productId":{},"sku":[],"name":1,"variant":{},"category":1,"quantity":"a","price":"b"}';
const longTexts = { spaces: ' ', dots: '.', ats: '@', digits: '1', quotes: '\\"', escapes: '\\u0041' };

/**
 * Makes the bodies of 64 KiB that cost a server the most for their size, by name.
 * @param id makes the `orderId`, so that no body repeats another
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
      ]),
    ),
    'prices of 1e5': fill(`{${order},"items":[`, () => '{"price":1e5}', ']}'),
    '500 invalid items': `{${order},"items":[${Array(500).fill(badItem).join(',')}]}`,
    'an item of many fields': fill(`{${order},"items":[{`, (n) => `"${n.toString(36)}":1e5`, '}]}'),
    'an item of many names with NUL': fill(
      `{${order},"items":[{`,
      (n) => `"${n.toString(36)}\\u0000":1`,
      '}]}',
    ),
    'many fields': fill(`{${order},`, (n) => `"${n.toString(36)}":1e5`, '}'),
    'the same field again and again': fill(`{${order},`, () => '"a":1e5', '}'),
    'only fields of no meaning': fill('{', (n) => `"${n.toString(36)}":[]`, '}'),
    'a list of numbers': fill('[', () => '1e5', ']'),
    'deep nesting': `{${order},"items":[{"a":${nested(30_000, '1e400')}}]}`,
    'a deep amount': `{"teamId":"${teamId}","email":"ann@mail.example","amount":${nested(30_000)}}`,
    'nesting without an end': '['.repeat(bytes),
    'an amount of 60,000 digits': `{"teamId":"${teamId}","email":"ann@mail.example","amount":0.${'0'.repeat(60_000)}1}`,
    ...Object.fromEntries(
      Object.entries(longTexts).flatMap(([name, character]) =>
        ['teamId', 'email', 'amount', 'orderId', 'currency', 'name'].map((field) => [
          `${field} of ${name}`,
          withText(field, character.repeat(60_000 / character.length)),
        ]),
      ),
    ),
    // An email may be wrapped in up to 1,024 characters.
    ...Object.fromEntries(
      Object.entries(longTexts).map(([name, character]) => [
        `email of 1,000 ${name}`,
        withText('email', `a@b${character.repeat(1_000 / character.length)}c`),
      ]),
    ),
  };
}
