import { expect, onTestFinished, vi } from 'vitest';
import { complaintOf, documentOf, json, runOrderbeacon } from '../../kit/command.js';
import { exampleOf } from '../../kit/examples.js';
import { type Shop, test } from '../../kit/shop.js';

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

test('the example of products.json in the guide is imported, and imported again by what the look-up answers', async ({
  shop,
}) => {
  const imported = await load(shop, exampleOf('server/guides/products.md', 'products'), '--json');
  const { products } = documentOf(imported);
  const lookUp = async ({ slug }: { slug: string }) =>
    (await shop.send('GET', `/svc-api/v1/products/${slug}`)).body.data;
  const found = await Promise.all(products.map(lookUp));
  found.sort((a, b) => a.slug.localeCompare(b.slug));
  expect(found).toMatchObject([
    { slug: 'brewing-tea', startsAt: '2027-03-01T18:00:00.000Z', speakers: ['Ann Lee'] },
    { slug: 'gift-card', price: 25 },
    { slug: 't-shirt', skus: [{ sku: 'TEE-M' }, { sku: 'TEE-L', price: 26.95, isSoldOut: true }] },
  ]);
  await load(shop, JSON.stringify(found));
  expect(await Promise.all(found.map(lookUp))).toEqual(found);
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
