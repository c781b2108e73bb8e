import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReport } from '../src/orders/readReport.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
});
afterAll(() => server.close());

let count = 0;
const order = (more: object = {}) => ({
  teamId: team.teamId,
  email: 'ann@buyer.example',
  amount: 49.9,
  orderId: `p-${++count}`,
  ...more,
});
const orderCount = async () => Number((await server.sql`select count(*) from placed_order`)[0]!.count);

/** Reports as a page with `items` as a JSON text, which may say what no JavaScript value can. */
async function reportItems(itemsText: string) {
  const sent = order({ items: 0 });
  const { status, body } = await server.report(
    JSON.stringify(sent).replace('"items":0', `"items":${itemsText}`),
  );
  const [row] = await server.sql`select items::text, amount from placed_order
    where team_id = ${team.uuid} and order_id = ${sent.orderId}`;
  return {
    status,
    amount: row?.amount,
    items: row?.items == null ? null : JSON.parse(row.items),
    itemsText: row?.items as string | null,
    warnings: body.data?.warnings as { path: string; message: string }[] | undefined,
  };
}

const long = 'x'.repeat(254);

describe('a page report is stored whatever its items are:', () => {
  it.each<[string, string, unknown, string[]]>([
    ['a field that is null is left out', '[{"sku":null,"name":"Tee"}]', [{ name: 'Tee' }], ['items.0.sku']],
    ['items that a template has made a text are read', '"[{\\"sku\\":\\"A\\"}]"', [{ sku: 'A' }], []],
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
  ])('%s', async (_, text, items, paths) => {
    const stored = await reportItems(text);
    expect([stored.status, stored.amount]).toEqual([200, '49.9']);
    expect(stored.items).toEqual(items);
    // Without anything to tell there is no such field, rather than an empty list.
    expect(stored.warnings?.map(({ path }) => path)).toEqual(paths.length === 0 ? undefined : paths);
    for (const { message } of stored.warnings ?? []) expect(message).toMatch(/\w{3}/);
  });

  it('of 501 entries the first 500 are kept', async () => {
    const { status, items, warnings } = await reportItems(JSON.stringify(Array(501).fill({ sku: 'A' })));
    expect([status, items.length]).toEqual([200, 500]);
    expect(warnings).toEqual([
      { path: 'items', message: 'has more than 500 entries; the first 500 are kept' },
    ]);
  });

  it('what nests 2,000 deep is left out, and what lies above it stays', async () => {
    const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
    const { status, items, warnings } = await reportItems(`[{"sku":"A","deep":${deep}}]`);
    expect([status, items[0].sku]).toEqual([200, 'A']);
    expect(JSON.stringify(items[0].deep)).toBe(`${'['.repeat(15)}${']'.repeat(15)}`);
    expect(warnings).toEqual([
      { path: `items.0.deep${'.0'.repeat(15)}`, message: 'nests deeper than 16 levels; left out' },
    ]);
  });

  it('at most 20 warnings are told, and how many more there are', async () => {
    const { status, warnings } = await reportItems(JSON.stringify(Array(100).fill({ sku: null })));
    expect(status).toBe(200);
    expect(warnings).toHaveLength(21);
    expect(warnings!.at(-1)).toEqual({ path: '', message: '80 more were changed or left out' });
  });

  it('a field with a name of 30,000 letters does not come back in each warning', async () => {
    const { status, warnings } = await reportItems(
      JSON.stringify([{ ['x'.repeat(30_000)]: Array(20).fill('\u0000') }]),
    );
    expect(status).toBe(200);
    expect(JSON.stringify(warnings).length).toBeLessThan(10_000);
  });

  it('whatever JSON they are, the check takes them, and a second look finds nothing left to repair', () => {
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
    const rest = { teamId: 't', email: 'ann@buyer.example', amount: 1 };
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
      { numRuns: 500 },
    );
  });
});

describe('fields named __proto__ and constructor', () => {
  const text = '[{"__proto__":{"sku":"P"},"constructor":{"prototype":{"x":1}},"sku":"A"}]';

  it.each(['page', 'backend'])(
    'of items are stored as any other, from a %s, and pollute nothing',
    async (by) => {
      const sent = order({ items: 0 });
      const body = JSON.stringify(sent).replace('"items":0', `"items":${text}`);
      const { status, body: answer } = await (by === 'page'
        ? server.report(body)
        : server.reportByKey(key, body));
      expect([status, answer.data.warnings]).toEqual([200, undefined]);
      const [row] = await server.sql`select items::text from placed_order
      where team_id = ${team.uuid} and order_id = ${sent.orderId}`;
      expect(row!.items).toBe(text);
      expect({}).not.toHaveProperty('x');
    },
  );

  it('are kept by a repair too', async () => {
    const { itemsText } = await reportItems(text.replace('"A"', 'null'));
    expect(itemsText).toBe('[{"__proto__":{"sku":"P"},"constructor":{"prototype":{"x":1}}}]');
  });
});

describe('a page report with null', () => {
  it('in a field that it may leave out is stored as if it had left it out, and says so', async () => {
    const nothing = {
      currency: null,
      source: null,
      name: null,
      visitorId: null,
      reportId: null,
      items: null,
    };
    const sent = order(nothing);
    const { status, body } = await server.report(sent);
    expect(status).toBe(200);
    expect(body.data.warnings).toEqual(
      expect.arrayContaining(Object.keys(nothing).map((path) => ({ path, message: 'is null; left out' }))),
    );
    const [row] = await server.sql`select * from placed_order where order_id = ${sent.orderId}`;
    expect(row).toMatchObject({
      currency: 'USD',
      source: 'OTHER',
      name: null,
      items: null,
      visitor_id: null,
    });
  });

  it('as its orderId is an order without one', async () => {
    const { status, body } = await server.report(order({ orderId: null }));
    expect(status).toBe(200);
    expect(body.data.warnings).toEqual([{ path: 'orderId', message: 'is null; left out' }]);
  });

  it.each(['teamId', 'email', 'amount'])('as its %s is refused', async (field) => {
    const before = await orderCount();
    const { status, body } = await server.report(order({ [field]: null, items: [{ sku: null }] }));
    expect(status).toBe(400);
    expect(body.error.issues).toEqual([
      { path: field, message: expect.stringMatching(/^must be .*not null/) },
    ]);
    expect(await orderCount()).toBe(before);
  });
});

describe('a key report is refused for its items, with the field that is wrong', () => {
  it.each<[string, string]>([
    ['null', 'items'],
    ['"A"', 'items'],
    ['["A"]', 'items.0'],
    ['[[]]', 'items.0'],
    ['[null]', 'items.0'],
    [`[${Array(501).fill('{}').join()}]`, 'items'],
    ['[{"sku":null}]', 'items.0.sku'],
    ['[{"quantity":"2"}]', 'items.0.quantity'],
    ['[{"quantity":-1}]', 'items.0.quantity'],
    ['[{"price":"24.95"}]', 'items.0.price'],
    ['[{"price":1e400}]', 'items.0.price'],
    ['[{},1e400]', 'items.1'],
    [`[{"name":"${'x'.repeat(256)}"}]`, 'items.0.name'],
    ['[{"name":501}]', 'items.0.name'],
    ['[{"note":{"a":["nul \\u0000"]}}]', 'items.0.note.a.0'],
    ['[{"key \\udc00":1}]', 'items.0.key \udc00'],
    [`[{"deep":${'['.repeat(2_000)}${']'.repeat(2_000)}}]`, `items.0.deep${'.0'.repeat(15)}`],
  ])('%j', async (items, path) => {
    const before = await orderCount();
    const text = JSON.stringify(order({ items: 0 })).replace('"items":0', `"items":${items}`);
    const { status, body } = await server.reportByKey(key, text);
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    expect(body.error.issues[0].path).toBe(path);
    expect(body.error.issues[0].message).toMatch(/^must /);
    expect(await orderCount()).toBe(before);
  });
});

it('an id that is sent as a number of 20 digits keeps its digits, from a page and from a backend', async () => {
  const number = '12345678901234567890';
  const send = { page: server.report, backend: (body: string) => server.reportByKey(key, body) };
  for (const [sender, report] of Object.entries(send)) {
    const orderId = `${number}${sender.length}`;
    const body = JSON.stringify(order({ items: [{ sku: 0 }], gid: { a: 0 } }))
      .replace(/"orderId":"[^"]*"/, `"orderId":${orderId}`)
      .replace('"sku":0', `"sku":${number}`)
      .replace('"a":0', `"a":${number}`);
    expect(body).toContain(`"orderId":${orderId}`);
    expect((await report(body)).status).toBe(200);
    const [row] = await server.sql`select items, extra from placed_order where order_id = ${orderId}`;
    expect(row).toEqual({ items: [{ sku: number }], extra: { gid: { a: number } } });
  }
});

describe('an amount', () => {
  const withAmount = (amount: string) =>
    JSON.stringify(order({ amount: 0 })).replace('"amount":0', `"amount":${amount}`);

  it.each<[string, RegExp]>([
    ['"1.000"', /thousands/],
    ['"1.234.567"', /thousands/],
    ['"49,90"', /49\.9 for "49,90"/],
    ['"49.90"', /without quotes/],
    ['"$49.90"', /currency sign/],
    ['""', /must be a number/],
    ['1e400', /15 significant digits/],
    ['12345678901234567890', /15 significant digits/],
    ['0.1234567890123456789', /15 significant digits/],
    ['90071992547409936', /15 significant digits/],
    ['-1', /at least 0/],
    ['4.9e-324', /2\.3e-308/],
    ['1000000000000.01', /at most 1000000000000$/],
    ['1e308', /at most 1000000000000$/],
    ['true', /must be a number/],
  ])('of %s is refused from a page and from a backend, with its fix', async (amount, message) => {
    const before = await orderCount();
    for (const { status, body } of [
      await server.report(withAmount(amount)),
      await server.reportByKey(key, withAmount(amount)),
    ]) {
      expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
      expect(body.error.issues).toEqual([{ path: 'amount', message: expect.stringMatching(message) }]);
    }
    expect(await orderCount()).toBe(before);
  });

  it.each([
    ['49.90', '49.9'],
    ['0.30000000000000004', '0.3'],
    ['1e12', '1000000000000'],
    ['1e-20', '0.00000000000000000001'],
    // What a program printed of the float that is 49.9.
    ['49.899999999999999', '49.9'],
  ])('of %s is stored as %s and answered as that', async (amount, stored) => {
    const { body } = await server.report(withAmount(amount));
    expect(body.data.amount).toBe(Number(stored));
    const [row] = await server.sql`select amount::text from placed_order where team_id = ${team.uuid}
      and order_id = ${`p-${count}`}`;
    expect(row!.amount).toBe(stored);
  });
});

describe('the SDK’s version', () => {
  const lineOf = (requestId: string) =>
    server.lines.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId);
  const shop = { origin: 'https://shop.example' };

  it('of a page report is in the log line, of a stored order and of a refused one', async () => {
    await server.report(order({ sdkVersion: '1.2.3-rc.1' }), { ...shop, 'x-request-id': 'version-1' });
    await server.report(order({ sdkVersion: '1.2.3', email: 'no' }), {
      ...shop,
      'x-request-id': 'version-2',
    });
    expect(lineOf('version-1')).toMatchObject({ status: 200, sdkVersion: '1.2.3-rc.1' });
    expect(lineOf('version-2')).toMatchObject({ status: 400, sdkVersion: '1.2.3' });
  });

  it.each([7, null, '', 'x'.repeat(33), 'ann@buyer.example', 'a\nb', { a: 1 }])(
    'is ignored when it is %j, and no order is refused for it',
    async (sdkVersion) => {
      const headers = { ...shop, 'x-request-id': `bad-version-${++count}` };
      const { status } = await server.report(order({ sdkVersion }), headers);
      expect(status).toBe(200);
      expect(lineOf(headers['x-request-id'])).not.toHaveProperty('sdkVersion');
      expect((await server.reportByKey(key, order({ sdkVersion }))).status).toBe(200);
    },
  );
});
