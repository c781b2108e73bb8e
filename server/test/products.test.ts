import type { Product } from '@orderbeacon/sdk/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeId } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

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

async function shop() {
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const run = (args: string[], input: unknown = '') =>
    runOrderbeacon(
      [...args, '--team', teamId, '--json'],
      server.env,
      typeof input === 'string' ? input : JSON.stringify(input),
    );
  return {
    teamId,
    key,
    async load(products: unknown) {
      const { code, stdout, stderr } = await run(['product', 'import', '-'], products);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    },
    refused: async (products: unknown) => {
      const { code, stderr } = await run(['product', 'import', '-'], products);
      expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
      return stderr;
    },
    exported: async () => JSON.parse((await run(['product', 'export'])).stdout) as Product[],
    moveTo: (url: string) => run(['team', 'update', '--storefront-url', url]),
    get: (name: string, headers: Record<string, string> = {}) =>
      server.send('GET', `/svc-api/v1/products/${encodeURIComponent(name)}`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
      }),
  };
}

describe('a product', () => {
  it('is found by id and by slug, with its derived fields', async () => {
    const { load, get } = await shop();
    const imported = await load([tee]);
    expect(imported).toEqual({
      imported: 1,
      products: [{ id: expect.stringMatching(/^prd_/), slug: 't-shirt' }],
    });
    const bySlug = await get('t-shirt');
    const byId = await get(imported.products[0].id);
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

  it.each([
    [
      'MEETING',
      { durationMinutes: 30, timezone: 'Europe/Berlin', location: null, bookingUrl: 'https://cal.example/x' },
    ],
    ['MEMBERSHIP', { interval: 'MONTH', intervalCount: 1, trialDays: null, benefits: ['All of it'] }],
    [
      'WEBINAR',
      {
        startsAt: '2026-05-01T18:00:00.000Z',
        durationMinutes: null,
        timezone: null,
        joinUrl: null,
        replayUrl: null,
        speakers: ['Ann'],
      },
    ],
    [
      'EVENT',
      {
        startsAt: '2026-05-01T18:00:00.000Z',
        endsAt: null,
        timezone: null,
        onlineUrl: null,
        capacity: 100,
        venue: { name: 'Hall', address: null, city: 'Berlin', country: null },
      },
    ],
    ['DIGITAL', {}],
  ])('of type %s has the fields of its kind beside the common ones', async (type, fields) => {
    const { load, get } = await shop();
    await load([{ title: 'X', slug: 'x', type, price: 0, ...fields }]);
    const { data } = (await get('x')).body;
    expect(data).toMatchObject({ type, hasVariants: false, skus: [], ...fields });
    expect(Object.keys(data)).toHaveLength(19 + Object.keys(fields).length);
  });

  it('that was exported imports back without a change, even of its ETag', async () => {
    const { load, exported, get } = await shop();
    await load([tee]);
    const before = await get('t-shirt');
    await load(await exported());
    const after = await get('t-shirt');
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
  });

  it('of any kind is the same after an export and its import, whole or one by one', async () => {
    const { load, exported } = await shop();
    const kinds = ['PHYSICAL', 'DIGITAL', 'MEETING', 'MEMBERSHIP', 'WEBINAR', 'EVENT'];
    await load([
      ...kinds.map((type) => ({ title: type, slug: type.toLowerCase(), type, price: 1, currency: 'USD' })),
      { ...tee, category: { name: '日本' }, skus: [{ sku: 'A/1' }, { sku: 'a 1' }, { sku: 'A-1' }] },
    ]);
    const before = await exported();
    expect(before).toHaveLength(7);
    await load(before);
    expect(await exported()).toEqual(before);
    for (const product of before) await load(product);
    expect(await exported()).toEqual(before);
  });

  it('that is imported again keeps its ids and createdAt, and gets the changed fields', async () => {
    const { load, get } = await shop();
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

  it('has the category id of the team’s other products in that category', async () => {
    const { load, get } = await shop();
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

  it('gets new links immediately when the storefront URL changes', async () => {
    const { load, get, moveTo } = await shop();
    await load([tee]);
    const before = await get('t-shirt');
    await moveTo('https://new.example/shop/');
    const after = await get('t-shirt', { 'if-none-match': before.headers.get('etag')! });
    expect(after.status).toBe(200);
    expect(after.body.data.buyUrl).toBe('https://new.example/shop/buy/t-shirt');
    expect(after.body.data.skus[0].buyUrl).toBe('https://new.example/shop/buy/t-shirt?variant=small');
  });

  it('of another team and an unknown one get the same answer, byte for byte', async () => {
    const [ours, theirs] = [await shop(), await shop()];
    const { products } = await theirs.load([tee]);
    const answers = [
      await ours.get('t-shirt'),
      await ours.get(products[0].id),
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

  it('is answered to the request that asked for it, of many concurrent ones, and to no revoked key', async () => {
    const { key, teamId, load, get } = await shop();
    const dead = await server.addKey(decodeId('team', teamId)!);
    expect((await get('t-shirt', { authorization: `Bearer ${dead}` })).status).toBe(404);
    await server.sql`update api_key set revoked_at = now() where last_four = ${dead.slice(-4)}`;
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

  it('is found though names that hold the tag of another request are asked for concurrently', async () => {
    const { load, get } = await shop();
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

  it('over 1,400 bytes is compressed for clients that accept gzip: same text, another ETag', async () => {
    const { key, load, get } = await shop();
    await load([tee]);
    const plain = await get('t-shirt');
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    const url = `${server.url}/svc-api/v1/products/t-shirt`;
    const asBrowser = () => fetch(url, { headers: { authorization: `Bearer ${key}` } });
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
      const { headers } = await fetch(url, {
        headers: { authorization: `Bearer ${key}`, 'accept-encoding': accepted },
      });
      expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encoding]);
    }
    await load([{ ...tee, title: 'Another shirt' }]);
    expect(await (await asBrowser()).text()).toContain('Another shirt');
  });

  it('that the caller already has is 304 with the same ETag and no body', async () => {
    const { load, get } = await shop();
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

  it('is answered alike however its URL is spelled, and HEAD gets the headers of GET', async () => {
    const { key, load } = await shop();
    await load([{ ...tee, slug: 'tee.v2' }]);
    const path = `${server.url}/svc-api/v1/products/`;
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
    const ask = async (method: string, name: string) => {
      const response = await fetch(path + name, { method, headers });
      const shown = Object.fromEntries(response.headers);
      for (const own of ['date', 'x-request-id', 'connection', 'keep-alive']) delete shown[own];
      return [response.status, shown, await response.text()];
    };
    const [status, shown, text] = await ask('GET', 'tee.v2');
    const id = (JSON.parse(text as string) as { data: Product }).data.id;
    expect(status).toBe(200);
    for (const name of [id, `${id}?`, 'tee.v2?from=cache']) {
      expect(await ask('GET', name)).toEqual([200, shown, text]);
      expect(await ask('HEAD', name)).toEqual([200, shown, '']);
    }
    for (const name of ['nothing', 'nothing?']) expect((await ask('HEAD', name))[0]).toBe(404);
  });
});

describe('an import is refused as a whole, naming the field,', () => {
  it.each([
    ['no JSON', '{', /valid JSON/],
    ['a product without title', [{ ...tee, title: undefined }], /0\.title is required/],
    ['an unknown type', [tee, { ...tee, slug: 'b', type: 'BOX' }], /1\.type must be one of PHYSICAL/],
    ['a negative price', [{ ...tee, price: -1 }], /0\.price must be at least 0/],
    ['a price that is text', [{ ...tee, price: '24.95' }], /0\.price must be a number/],
    ['a variant without sku', [{ ...tee, skus: [{}] }], /0\.skus\.0\.sku is required/],
    [
      'more than 2,000 variants',
      [{ ...tee, skus: Array.from({ length: 2001 }, (_, n) => ({ sku: `TEE-${n}` })) }],
      /0\.skus must have at most 2000 entries/,
    ],
    ['a sku twice', [{ ...tee, skus: [{ sku: 'A' }, { sku: 'A' }] }], /0\.skus\.1\.sku must be unique/],
    ['a slug twice', [tee, tee], /1\.slug must be unique/],
    ['a slug that ends with a dash', [{ ...tee, slug: 'a-' }], /0\.slug must be .* only between them/],
    ['a slug that looks like an id', [{ ...tee, slug: 'prd_x' }], /0\.slug must/],
    [
      'an option that is in no group',
      [{ ...tee, skus: [{ sku: 'A', options: [{ group: 'Size', value: 'XXL' }] }] }],
      /0\.skus\.0\.options\.0 must name/,
    ],
    [
      'a URL that is none',
      [{ title: 'M', slug: 'm', type: 'MEETING', price: 1, bookingUrl: 'javascript:alert(1)' }],
      /0\.bookingUrl must/,
    ],
  ])('%s', async (_, products, expected) => {
    const { refused, exported } = await shop();
    expect(await refused(products)).toMatch(expected);
    expect(await exported()).toEqual([]);
  });
});
