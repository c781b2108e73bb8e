import type { Product } from '@orderbeacon/sdk/contract';
import { describe, expect } from 'vitest';
import { importProducts } from '../../../src/features/catalog/importProducts.js';
import { parseProductFile } from '../../../src/features/catalog/parseProductFile.js';
import { encodeId } from '../../../src/values/ids.js';
import { json } from '../../kit/command.js';
import { test as base, openShop, type Shop } from '../../kit/shop.js';

const tee = {
  title: 'T-shirt',
  slug: 't-shirt',
  type: 'PHYSICAL',
  price: 24.95,
  currency: 'eur',
  category: { name: 'Clothes & more' },
  optionGroups: [
    { name: 'Size', values: [{ name: 'S' }, { name: 'M' }] },
    { name: 'Colour', values: [{ name: 'Red' }] },
  ],
  skus: [
    {
      sku: 'TEE-M',
      inventory: 0,
      options: [
        { group: 'Size', value: 'M' },
        { group: 'Colour', value: 'Red' },
      ],
      sortOrder: 1,
    },
    {
      sku: 'TEE S',
      inventory: 3,
      price: 19.95,
      options: [{ group: 'Size', value: 'S' }],
      sortOrder: 0,
      variantRef: 'small',
    },
  ],
};

/** Returns functions that import the products of a team and look them up. */
function catalogOf(shop: Shop) {
  const { server, sql, team } = shop;
  return {
    async load(products: unknown) {
      const parsed = parseProductFile(products);
      const stored = await importProducts(sql, team, parsed.products);
      return stored.map(({ id, slug }) => ({ id: encodeId('prd', id), slug }));
    },
    get: (name: string, headers: Record<string, string> = {}) =>
      shop.send('GET', `/svc-api/v1/products/${encodeURIComponent(name)}`, undefined, { headers }),
    /** Requests a product with headers that Node's `fetch` makes. */
    async fetch(name: string, headers: Record<string, string> = {}) {
      const authorization = `Bearer ${await shop.liveKey()}`;
      return fetch(`${server.url}/svc-api/v1/products/${name}`, { headers: { authorization, ...headers } });
    },
  };
}

const test = base.extend('catalog', ({ shop }) => catalogOf(shop));

describe('a product', () => {
  test('is found by id and by slug, with its derived fields', async ({ catalog: { load, get } }) => {
    const [imported] = await load([tee]);
    expect(imported).toEqual({ id: expect.stringMatching(/^prd_/), slug: 't-shirt' });
    const bySlug = await get('t-shirt');
    const byId = await get(imported!.id);
    expect(byId.text).toBe(bySlug.text);
    expect(bySlug.headers.get('content-type')).toMatch(/^application\/json/);
    const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(bySlug.body).toEqual({
      success: true,
      data: {
        id: id('prd'),
        title: 'T-shirt',
        slug: 't-shirt',
        type: 'PHYSICAL',
        pricingType: 'SINGLE',
        price: 24.95,
        currency: 'EUR',
        category: { id: id('cat'), name: 'Clothes & more', slug: 'clothes-more' },
        isActive: true,
        hasVariants: true,
        exposesVariants: true,
        requiresVariantSelection: true,
        buyUrl: 'https://shop.example/buy/t-shirt',
        productPageUrl: 'https://shop.example/products/t-shirt',
        optionGroups: [
          {
            id: id('grp'),
            name: 'Size',
            order: 0,
            values: [
              { id: id('val'), name: 'S', order: 0 },
              { id: id('val'), name: 'M', order: 1 },
            ],
          },
          { id: id('grp'), name: 'Colour', order: 1, values: [{ id: id('val'), name: 'Red', order: 0 }] },
        ],
        counts: { downloads: 0, media: 0, reviews: 0 },
        skus: [
          {
            id: id('sku'),
            sku: 'TEE S',
            title: 'S',
            price: 19.95,
            inventory: 3,
            tracksInventory: true,
            isSoldOut: false,
            unitsGranted: null,
            sortOrder: 0,
            isRetired: false,
            options: [{ group: 'Size', value: 'S' }],
            variantRef: 'small',
            buyPath: '/buy/t-shirt?variant=small',
            buyUrl: 'https://shop.example/buy/t-shirt?variant=small',
          },
          {
            id: id('sku'),
            sku: 'TEE-M',
            title: 'M / Red',
            price: 24.95,
            inventory: 0,
            tracksInventory: true,
            isSoldOut: true,
            unitsGranted: null,
            sortOrder: 1,
            isRetired: false,
            options: [
              { group: 'Size', value: 'M' },
              { group: 'Colour', value: 'Red' },
            ],
            variantRef: 'tee-m',
            buyPath: '/buy/t-shirt?variant=tee-m',
            buyUrl: 'https://shop.example/buy/t-shirt?variant=tee-m',
          },
        ],
        createdAt: time,
        updatedAt: time,
      },
    });
  });

  test('that is imported again keeps its ids and createdAt, and gets the changed fields', async ({
    catalog: { load, get },
  }) => {
    await load([tee]);
    const before = (await get('t-shirt')).body.data as Product;
    await load([
      {
        ...tee,
        title: 'New',
        skus: [
          { ...tee.skus[0], inventory: 9 },
          { sku: 'TEE-L', options: [] },
        ],
      },
    ]);
    const after = (await get('t-shirt')).body.data as Product;
    expect(after).toMatchObject({
      id: before.id,
      title: 'New',
      createdAt: before.createdAt,
      optionGroups: before.optionGroups,
    });
    expect(after.updatedAt >= before.updatedAt).toBe(true);
    const idOf = (product: Product, sku: string) => product.skus.find((variant) => variant.sku === sku)?.id;
    expect(idOf(after, 'TEE-M')).toBe(idOf(before, 'TEE-M'));
    expect(after.skus.map(({ sku }) => sku).sort()).toEqual(['TEE-L', 'TEE-M']);
  });

  test('is found by its slug in any script, however its letters are composed', async ({
    catalog: { load, get },
  }) => {
    await load(['café', 'чай', '緑茶'].map((slug) => ({ ...tee, slug })));
    for (const name of ['café', 'cafe\u0301', 'чай', '緑茶']) {
      const { status, body } = await get(name);
      expect([name, status, body.data.slug]).toEqual([name, 200, name.normalize()]);
      expect(body.data.buyUrl).toBe(`https://shop.example/buy/${encodeURIComponent(name.normalize())}`);
    }
  });

  test('has the category id of the team’s other products in that category', async ({
    catalog: { load, get },
  }) => {
    const inCategory = (slug: string, category: object) => ({ ...tee, slug, category });
    const idOf = async (slug: string) => ((await get(slug)).body.data as Product).category?.id;
    await load([inCategory('a', { name: 'Shoes' }), inCategory('b', { name: 'Shoes' })]);
    const shoes = await idOf('a');
    expect(await idOf('b')).toBe(shoes);
    await load([
      inCategory('c', { name: 'Shoes', slug: 'shoes' }),
      inCategory('d', { name: 'Shoes', slug: 'womens-shoes' }),
      inCategory('b', { name: 'Shoes', slug: 'womens-shoes' }),
    ]);
    expect([await idOf('a'), await idOf('c')]).toEqual([shoes, shoes]);
    expect(await idOf('d')).not.toBe(shoes);
    expect(await idOf('b')).toBe(await idOf('d'));
  });

  test('gets new links immediately when the storefront URL changes', async ({
    shop,
    catalog: { load, get },
  }) => {
    await load([tee]);
    const before = await get('t-shirt');
    await json(shop, 'team edit --storefront-url https://new.example/shop/');
    const after = await get('t-shirt', { 'if-none-match': before.headers.get('etag')! });
    expect(after.status).toBe(200);
    expect(after.body.data.buyUrl).toBe('https://new.example/shop/buy/t-shirt');
    expect(after.body.data.skus[0].buyUrl).toBe('https://new.example/shop/buy/t-shirt?variant=small');
  });

  test('of another team and an unknown one get the same answer, byte for byte', async ({
    server,
    catalog: ours,
  }) => {
    const theirs = catalogOf(await openShop(server));
    const [imported] = await theirs.load([tee]);
    const answers = [
      await ours.get('t-shirt'),
      await ours.get(imported!.id),
      await ours.get('nothing'),
      await ours.get('%00'),
      await ours.get('\u0000'),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'product_not_found']);
      expect(answer.text.replace(answer.body.requestId, '')).toBe(
        answers[0]!.text.replace(answers[0]!.body.requestId, ''),
      );
    }
  });

  test('is answered to the request that asked for it, of many concurrent ones, and to no revoked key', async ({
    shop: { server, sql, team, liveKey },
    catalog: { load, get },
  }) => {
    const key = await liveKey();
    const dead = await server.addKey(team);
    expect((await get('t-shirt', { authorization: `Bearer ${dead}` })).status).toBe(404);
    await sql`update api_key set revoked_at = now() where team_id = ${team} and last_four = ${dead.slice(-4)}`;
    await load(Array.from({ length: 20 }, (_, n) => ({ ...tee, title: `Tee ${n}`, slug: `tee-${n}` })));
    const slugs = Array.from({ length: 60 }, (_, n) => `tee-${n % 25}`);
    for (const _ of ['fetched from the database', 'remembered']) {
      const answers = await Promise.all(
        slugs.map((slug, n) => get(slug, { authorization: `Bearer ${n % 6 === 5 ? dead : key}` })),
      );
      expect(answers.map(({ status, body }) => [status, body.data?.slug ?? body.error.code])).toEqual(
        slugs.map((slug, n) => {
          if (n % 6 === 5) return [401, 'invalid_api_key'];
          return n % 25 < 20 ? [200, slug] : [404, 'product_not_found'];
        }),
      );
    }
  });

  test('is found though names that hold the tag of another request are asked for concurrently', async ({
    catalog: { load, get },
  }) => {
    await load([tee]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => [
        get('t-shirt', { 'if-none-match': '"seen"' }),
        ...['t-shirt "seen"', '"seen" t-shirt'].map((name) => get(name)),
      ]).flat(),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => [200, 404, 404]).flat());
  });

  test('over 1,400 bytes is compressed for clients that accept gzip: same text, another ETag', async ({
    catalog,
  }) => {
    const { load, get } = catalog;
    await load([tee]);
    const plain = await get('t-shirt');
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    const asBrowser = (headers?: Record<string, string>) => catalog.fetch('t-shirt', headers);
    await expect.poll(async () => (await asBrowser()).headers.get('content-encoding')).toBe('gzip');
    const compressed = await asBrowser();
    const etag = compressed.headers.get('etag')!;
    expect([etag, compressed.headers.get('vary')]).toEqual([
      `W/${plain.headers.get('etag')}`,
      'Accept-Encoding',
    ]);
    expect(await compressed.text()).toBe(plain.text);
    expect((await get('t-shirt', { 'if-none-match': etag, 'accept-encoding': 'gzip' })).status).toBe(304);
    expect((await get('t-shirt', { 'accept-encoding': 'br, gzip;q=0' })).text).toBe(plain.text);
    for (const [accepted, encoding] of [
      ['gzip; q=0', null],
      ['gzip;q=0.000, br', null],
      ['GZIP ; Q=0', null],
      ['GZip', 'gzip'],
      ['br;q=0, gzip; q=0.001', 'gzip'],
    ] as const) {
      const { headers } = await asBrowser({ 'accept-encoding': accepted });
      expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encoding]);
    }
    await load([{ ...tee, title: 'Another shirt' }]);
    expect(await (await asBrowser()).text()).toContain('Another shirt');
  });

  test('that the caller already has is 304 with the same ETag and no body', async ({
    catalog: { load, get },
  }) => {
    await load([tee]);
    const first = await get('t-shirt');
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const seen of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('t-shirt', { 'if-none-match': seen });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get('t-shirt', { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get('nothing', { 'if-none-match': '*' })).status).toBe(404);
  });
});
