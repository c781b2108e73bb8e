import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../../src/core/orders/receive/readReport.js';
import { parseJson } from '../../../src/values/json.js';
import { fewAndMany } from '../../kit/fewAndMany.js';
import { test } from '../../kit/shop.js';
import { warningsOf } from '../../kit/warnings.js';

const rest = { teamId: 't', email: 'ann@buyer.example', amount: 49.9, orderId: 'p-1' };
const withJson = (body: object, field: string, text: string) =>
  JSON.stringify({ ...body, [field]: 0 }).replace(`"${field}":0`, `"${field}":${text}`);

/** Reads a report with a field as a JSON text, which may be no value of JavaScript. */
function read(by: 'page' | 'key', field: string, text: string) {
  const {
    report,
    warnings,
    issues: found,
  } = readReport(parseJson(withJson(rest, field, text)), by === 'page');
  const issues = found?.map(({ path, message }) => ({ path: path.join('.'), message }));
  return { report, warnings, issues };
}

const long = 'x'.repeat(254);

describe('a page report is read whatever its items are, and a key report is refused where they are wrong:', () => {
  it.each<[string, string, unknown, string[]]>([
    ['a field that is null is left out', '[{"sku":null,"name":"Tee"}]', [{ name: 'Tee' }], ['items.0.sku']],
    ['items that are a text but no JSON are left out', '"{{ order.items }}"', null, ['items']],
    ['items that are null are none', 'null', null, ['items']],
    ['an entry that is null is left out', '[null,{"sku":"A"}]', [{ sku: 'A' }], ['items.0']],
    ['a price in a text is a number', '[{"price":"24.95"}]', [{ price: 24.95 }], ['items.0.price']],
    ['a quantity in a text is a number', '[{"quantity":" 2 "}]', [{ quantity: 2 }], ['items.0.quantity']],
    ['four decimals are no thousands', '[{"price":"24.9500"}]', [{ price: 24.95 }], ['items.0.price']],
    [
      'a price that may be 1 or 1000 is left out',
      '[{"sku":"A","price":"1.000"}]',
      [{ sku: 'A' }],
      ['items.0.price'],
    ],
    ['a decimal comma is left out', '[{"sku":"A","price":"49,90"}]', [{ sku: 'A' }], ['items.0.price']],
    ['NaN in a text is left out', '[{"sku":"A","price":"NaN"}]', [{ sku: 'A' }], ['items.0.price']],
    ['hexadecimal is left out', '[{"sku":"A","price":"0x10"}]', [{ sku: 'A' }], ['items.0.price']],
    ['a quantity below 0 is left out', '[{"quantity":-1}]', [{}], ['items.0.quantity']],
    ['a price below 0 is a discount and stays', '[{"price":-5}]', [{ price: -5 }], []],
    ['a name that is a number is a text', '[{"name":501}]', [{ name: '501' }], ['items.0.name']],
    ['an id that is a number stays one', '[{"sku":501}]', [{ sku: 501 }], []],
    ['an empty field is left out', '[{"sku":"","name":"Tee"}]', [{ name: 'Tee' }], ['items.0.sku']],
    ['a long name is cut', `[{"name":"${'x'.repeat(300)}"}]`, [{ name: 'x'.repeat(255) }], ['items.0.name']],
    ['a long sku is cut', `[{"sku":"${'x'.repeat(300)}"}]`, [{ sku: 'x'.repeat(255) }], ['items.0.sku']],
    ['no pair of surrogates is cut in two', `[{"name":"${long}😀"}]`, [{ name: long }], ['items.0.name']],
    ['NUL goes out of a text', '[{"name":"T\\u0000ee"}]', [{ name: 'Tee' }], ['items.0.name']],
    [
      'U+001E and U+001F go out of a text',
      '[{"name":"T\\u001e\\u001fee"}]',
      [{ name: 'Tee' }],
      ['items.0.name'],
    ],
    [
      'half a pair of surrogates goes out of a text',
      '[{"name":"Tee \\ud83d"}]',
      [{ name: 'Tee ' }],
      ['items.0.name'],
    ],
    [
      'NUL goes out of a field of the shop’s own',
      '[{"note":["a\\u0000"]}]',
      [{ note: ['a'] }],
      ['items.0.note.0'],
    ],
    [
      'a field with U+001F in its name is left out',
      '[{"a\\u001f":1,"b":2}]',
      [{ b: 2 }],
      ['items.0.a\u001f'],
    ],
    ['a field with NUL in its name is left out', '[{"a\\u0000":1,"b":2}]', [{ b: 2 }], ['items.0.a\u0000']],
    [
      'a field that is no text is left out',
      '[{"name":true,"sku":["A"]}]',
      [{}],
      ['items.0.name', 'items.0.sku'],
    ],
    ['a text is no list of items', '"TEE-M"', null, ['items']],
    ['an object is no list of items', '{"sku":"A"}', null, ['items']],
    [
      'what is no object is no item',
      '["A",[],{"sku":"B"},7]',
      [{ sku: 'B' }],
      ['items.0', 'items.1', 'items.3'],
    ],
    ['a number beyond all numbers is no price', '[{"price":1e400}]', [{}], ['items.0.price']],
    ['a number beyond all numbers is no item', '[1e400]', [], ['items.0']],
    [
      'an id of 20 digits stays, as a text',
      '[{"sku":12345678901234567890}]',
      [{ sku: '12345678901234567890' }],
      [],
    ],
    [
      'a number of 20 digits in a field of the shop’s own stays, as a text',
      '[{"gid":12345678901234567890}]',
      [{ gid: '12345678901234567890' }],
      [],
    ],
    ['null in a field of the shop’s own is kept', '[{"gift":null}]', [{ gift: null }], []],
  ])('%s', (_, text, items, paths) => {
    const { report, warnings } = read('page', 'items', text);
    expect(report).toMatchObject(rest);
    expect(report!.items ?? null).toEqual(items);
    expect(warnings!.map(({ path }) => path)).toEqual(paths);
    for (const { message } of warnings!) expect(message).toMatch(/\w{3}/);
    // A backend can be fixed: with a key the same items are refused, and the refusal names the field.
    const refused = read('key', 'items', text).issues ?? [];
    expect(refused.slice(0, 1).map(({ path }) => paths.includes(path))).toEqual(
      paths.length > 0 ? [true] : [],
    );
    for (const { message } of refused) expect(message).toMatch(/^must /);
  });

  it('items that a template has made a text are read', () => {
    const text = JSON.stringify('[{"sku":"A"}]');
    expect(read('page', 'items', text)).toMatchObject({ report: { items: [{ sku: 'A' }] }, warnings: [] });
    expect(read('key', 'items', text).issues).toMatchObject([{ path: 'items' }]);
  });

  it('of 501 entries the first 500 are kept', () => {
    const { report, warnings } = read('page', 'items', JSON.stringify(Array(501).fill({ sku: 'A' })));
    expect(report!.items).toHaveLength(500);
    expect(warnings).toEqual([
      { path: 'items', message: 'has more than 500 entries; the first 500 are kept' },
    ]);
    const more = JSON.stringify(Array(501).fill({}));
    expect(read('key', 'items', more).issues).toMatchObject([{ path: 'items' }]);
  });

  it('what nests 2,000 deep is left out, and what lies above it stays', () => {
    const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
    const { report, warnings } = read('page', 'items', `[{"sku":"A","deep":${deep}}]`);
    expect(JSON.stringify(report!.items)).toBe(`[{"sku":"A","deep":${'['.repeat(15)}${']'.repeat(15)}}]`);
    expect(warnings).toEqual([
      { path: `items.0.deep${'.0'.repeat(15)}`, message: 'nests deeper than 16 levels; left out' },
    ]);
    const [issue] = read('key', 'items', `[{"deep":${deep}}]`).issues!;
    expect(issue!.path).toBe(`items.0.deep${'.0'.repeat(15)}`);
  });

  it('at most 20 warnings are told, and how many more there are', () => {
    const { warnings } = read('page', 'items', JSON.stringify(Array(100).fill({ sku: null })));
    expect(warnings).toHaveLength(21);
    expect(warnings!.at(-1)).toEqual({ path: '', message: '80 more were changed or left out' });
  });

  it('a field with a name of 30,000 letters does not come back in each warning', () => {
    const item = { ['x'.repeat(30_000)]: Array(20).fill('\u0000') };
    const { warnings } = read('page', 'items', JSON.stringify([item]));
    expect(JSON.stringify(warnings).length).toBeLessThan(10_000);
  });

  for (const { numRuns, tags } of fewAndMany(500))
    it(`whatever JSON they are, the check takes them, and a second look finds nothing left to repair (${numRuns})`, {
      tags,
    }, () => {
      const known = ['productId', 'sku', 'name', 'variant', 'category', 'quantity', 'price'];
      const { tie } = fc.letrec((tie) => ({
        tie: fc.oneof(
          { maxDepth: 4 },
          fc.oneof(
            fc.constant(null),
            fc.boolean(),
            fc.double({ noNaN: true, noDefaultInfinity: true }),
            fc.string({ unit: 'binary', maxLength: 300 }),
            fc.constantFrom('1.000', '2', '24.95', '', '\u0000', '\ud800', '__proto__'),
          ),
          fc.array(tie('tie'), { maxLength: 4 }),
          fc.dictionary(
            fc.oneof(fc.constantFrom(...known, '__proto__', 'constructor'), fc.string()),
            tie('tie'),
            {
              maxKeys: 6,
            },
          ),
        ),
      }));
      fc.assert(
        fc.property(
          fc.oneof(tie, fc.array(tie), fc.array(fc.dictionary(fc.constantFrom(...known), tie))),
          (items) => {
            const sent = JSON.parse(JSON.stringify({ ...rest, items }));
            const first = readReport(sent, true);
            expect(first.issues).toBeUndefined();
            const again = readReport({ ...rest, items: first.report!.items }, false);
            expect(again.issues).toBeUndefined();
            expect(again.report!.items).toEqual(first.report!.items);
          },
        ),
        { numRuns },
      );
    });
});

test.for(['page', 'backend'])(
  'fields of items that are named __proto__ and constructor are stored as any other, from a %s, and pollute nothing',
  async (by, { shop }) => {
    const items = '[{"__proto__":{"sku":"P"},"constructor":{"prototype":{"x":1}},"sku":"A"}]';
    const body = withJson(shop.order(), 'items', items);
    const answer = await (by === 'page' ? shop.report : shop.reportByKey)(body);
    expect(warningsOf(answer.body)).toEqual([]);
    const stored = await shop.sql`select items::text from placed_order where team_id = ${shop.team}`;
    expect(stored).toEqual([{ items }]);
    expect({}).not.toHaveProperty('x');
    const { report } = read('page', 'items', items.replace('"A"', 'null'));
    expect(JSON.stringify(report!.items)).toBe(items.replace(',"sku":"A"', ''));
  },
);

test('a page’s report with null in a field that it may leave out is stored as if it had left it out, and says so', async ({
  shop,
}) => {
  const fields = ['orderId', 'currency', 'source', 'name', 'visitorId', 'reportId', 'items'];
  const { body } = await shop.report(Object.fromEntries(fields.map((name) => [name, null])));
  expect(body.data.warnings).toEqual(
    expect.arrayContaining(fields.map((path) => ({ path, message: 'is null; left out' }))),
  );
  expect(await shop.stored()).toMatchObject([
    { orderId: null, currency: 'USD', source: 'OTHER', name: null, items: null, visitorId: null },
  ]);
});

test('an id that is sent as a number of 20 digits keeps its digits, from a page and from a backend', async ({
  shop,
}) => {
  const number = '12345678901234567890';
  for (const [last, report] of Object.entries([shop.report, shop.reportByKey])) {
    const body = JSON.stringify(shop.order({ orderId: 7, items: [{ sku: 0 }], gid: { a: 0 } }))
      .replace('"orderId":7', `"orderId":${number}${last}`)
      .replace('"sku":0', `"sku":${number}`)
      .replace('"a":0', `"a":${number}`);
    expect((await report(body)).status).toBe(200);
    expect((await shop.stored()).at(-1)).toMatchObject({
      orderId: `${number}${last}`,
      items: [{ sku: number }],
      extra: { gid: { a: number } },
    });
  }
});

describe('the SDK’s version', () => {
  test('of a page report is in the log line, of a stored order and of a refused one', async ({
    shop,
    server,
  }) => {
    await shop.report({ sdkVersion: '1.2.3-rc.1' }, { 'x-request-id': 'version-1' });
    await shop.report({ sdkVersion: '1.2.3', email: 'no' }, { 'x-request-id': 'version-2' });
    const lines = server.lines.map((line) => JSON.parse(line));
    expect(lines.filter(({ requestId }) => /^version-/.test(requestId))).toMatchObject([
      { requestId: 'version-1', status: 200, sdkVersion: '1.2.3-rc.1' },
      { requestId: 'version-2', status: 400, sdkVersion: '1.2.3' },
    ]);
  });

  test.for([7, null, '', 'x'.repeat(33), 'ann@buyer.example', 'a\nb', { a: 1 }])(
    'is ignored when it is %j, and no order is refused for it',
    async (sdkVersion, { shop, server }) => {
      const requestId = `bad-${shop.domain}`;
      expect((await shop.report({ sdkVersion }, { 'x-request-id': requestId })).status).toBe(200);
      const line = server.lines.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId);
      expect(line).not.toHaveProperty('sdkVersion');
      expect((await shop.reportByKey({ sdkVersion })).status).toBe(200);
    },
  );
});

test.for(['//svc-api/v1/orders', '///svc-api//v1///orders', '/svc-api/v1//orders?1700000000000'])(
  'a report by way of a proxy that adds slashes is stored: %s',
  async (path, { shop }) => {
    const { server, order, origin } = shop;
    const headers = { origin, 'content-type': 'text/plain' };
    const ask = async (to: string, init?: RequestInit) => (await fetch(server.url + to, init)).status;
    expect(await ask(path, { method: 'POST', headers, body: JSON.stringify(order()) })).toBe(200);
    expect(await shop.stored()).toHaveLength(1);
    expect([await ask('//sdk//track.js'), await ask('//metrics')]).toEqual([200, 404]);
  },
);

describe('an order of a page', () => {
  const hourMs = 3_600_000;
  // The clock of this browser is five years behind.
  const calledMs = Date.UTC(2021, 0, 1);
  const reportId = `orderbeacon:${calledMs.toString(36)}1234567890`;

  test.for([
    ['one hour after the call', calledMs + hourMs, hourMs],
    ['72 hours after the call', calledMs + 72 * hourMs, 72 * hourMs],
    ['400 days after the call, which a stub has kept', calledMs + 400 * 24 * hourMs, 400 * 24 * hourMs],
    ['two years after the call', calledMs + 730 * 24 * hourMs, 730 * 24 * hourMs],
    ['more than two years after the call', calledMs + 730 * 24 * hourMs + 1, 0],
    ['before the call, by a clock that was set', calledMs - 1, 0],
    ['at a time that is none', 'x', 0],
  ] as const)(
    'that is sent %s is as old as the call, within two years',
    async ([, sent, ageMs], { shop }) => {
      const { server, order, origin } = shop;
      const response = await server.send('POST', `/svc-api/v1/orders?${sent}`, {
        headers: { origin, 'content-type': 'text/plain' },
        body: JSON.stringify(order({ reportId })),
      });
      expect(response.status).toBe(200);
      const [stored] = await shop.stored();
      const age = Date.now() - stored!.createdAt.getTime();
      expect(age).toBeGreaterThanOrEqual(ageMs);
      expect(age).toBeLessThan(ageMs + hourMs / 2);
    },
  );

  test('stays as it is when a retry travels faster, and has the time of an earlier call', async ({
    shop,
  }) => {
    const { server, origin, sql, team } = shop;
    const body = JSON.stringify(shop.order({ reportId }));
    const report = async (sent: number) => {
      const headers = { origin, 'content-type': 'text/plain' };
      expect((await server.send('POST', `/svc-api/v1/orders?${sent}`, { headers, body })).status).toBe(200);
      return (await shop.stored())[0]!;
    };
    const first = await report(calledMs + 1_000);
    // By the browser's clock 20 s later, which are a few milliseconds here: the first report travelled 20 s.
    expect(await report(calledMs + 21_000)).toEqual(first);
    expect(await sql`select from statement where team_id = ${team}`).toEqual([]);
    const earlier = await report(calledMs + hourMs);
    expect(first.createdAt.getTime() - earlier.createdAt.getTime()).toBeGreaterThan(hourMs / 2);
  });

  test('has the time of its arrival where a key sends a query', async ({ shop }) => {
    await shop.send('POST', `/svc-api/v1/orders?${calledMs + hourMs}`, shop.order({ reportId }));
    const [stored] = await shop.stored();
    expect(Date.now() - stored!.createdAt.getTime()).toBeLessThan(hourMs / 2);
  });
});
