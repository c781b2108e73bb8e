import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, onTestFinished, vi } from 'vitest';
import { runCommand } from '../src/commands/program.js';
import { complaintOf, documentOf, json, runOrderbeacon } from './command.js';
import { exampleOf } from './examples.js';
import { type Shop, test } from './shop.js';

const load = (shop: Shop, text: string, ...more: string[]) =>
  runOrderbeacon(['product', 'import', '--team', shop.teamId, '-', ...more], shop.server.env, text);

test.for<[string, string, RegExp]>([
  ['no JSON', '{', /stdin is not valid JSON: /],
  ['a CSV', 'Handle,Title,Variant Price\ntee,T-shirt,24.95\n', /is not valid JSON: .* no CSV\./],
  [
    'a price that would be rounded',
    '{"price":12345678901234567890}',
    /0\.price must be a number; .*15 significant/,
  ],
  ['no product at all', JSON.stringify(Array(150).fill({})), /; and 500 more\.\s*$/],
  ['a control character', '{"type":"\\u001b[2J"}', /^orderbeacon: Nothing was imported: \P{Cc}+\n$/u],
])('a file with %s is refused with one line', async ([, text, words], { shop }) => {
  expect(complaintOf(await load(shop, text))).toMatch(words);
  expect(await json(shop, 'product list')).toEqual([]);
});

test('a wrong product is listed, and the others are stored', async ({ shop }) => {
  const file = [
    { title: 'A', slug: 'a', type: 'DIGITAL', price: 1 },
    { title: 'B', slug: 'b', type: 'DIGITAL' },
  ];
  const { code, stdout } = await load(shop, JSON.stringify(file), '--currency', 'EUR');
  expect([code, stdout]).toEqual([1, '1.price is required\nImported 1 products.\n']);
  expect(await json(shop, 'product list')).toMatchObject([{ slug: 'a', currency: 'EUR' }]);
});

test('the example of products.json in the guide is imported, and imported again by product export', async ({
  shop,
}) => {
  const imported = await load(shop, exampleOf('server/guides/products.md', 'products'), '--json');
  expect(documentOf(imported)).toMatchObject({ imported: 3 });
  const exported = await json(shop, 'product export');
  expect(exported).toMatchObject([
    { slug: 'brewing-tea', startsAt: '2027-03-01T18:00:00.000Z', speakers: ['Ann Lee'] },
    { slug: 'gift-card', price: 25 },
    { slug: 't-shirt', skus: [{ sku: 'TEE-M' }, { sku: 'TEE-L', price: 26.95, isSoldOut: true }] },
  ]);
  await load(shop, JSON.stringify(exported));
  expect(await json(shop, 'product export')).toEqual(exported);
  // JSON leaves these ends of lines within a text as they are.
  exported[0].title = 'Brewing\u2028tea\u2029';
  await load(shop, JSON.stringify(exported));
  exported[0].updatedAt = expect.any(String);
  expect(await json(shop, 'product export')).toEqual(exported);
});

test('product export writes each product by itself, because together they may be longer than a text can be', async ({
  shop,
}) => {
  expect(await json(shop, 'product export')).toEqual([]);
  await load(shop, exampleOf('server/guides/products.md', 'products'));
  const pieces: string[] = [];
  const stdout = new Writable({ write: (piece, _encoding, done) => done(void pieces.push(String(piece))) });
  const io = { env: shop.server.env, stdin: Readable.from([]), stdout, stderr: new PassThrough() };
  expect(await runCommand(['product', 'export', '--team', shop.teamId], io)).toBe(0);
  expect(pieces.length).toBeGreaterThanOrEqual(3);
  const text = pieces.join('');
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
});

test('an import from a stdin that never ends is refused once it is too long', async ({ shop }) => {
  // Long texts that take no memory: `repeat` makes a tree of parts.
  const decode = vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => 'x'.repeat(2 ** 28));
  onTestFinished(() => decode.mockRestore());
  expect(complaintOf(await load(shop, 'x'))).toBe('orderbeacon: stdin is longer than 500 MB: split it.\n');
});

test('a file that is not there is named', async ({ shop }) => {
  expect(complaintOf(await shop.command('product', 'import', 'no-such.json'))).toContain('no-such.json');
});
