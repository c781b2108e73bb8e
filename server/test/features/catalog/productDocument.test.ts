import { describe, expect, it } from 'vitest';
import { parseProductFile } from '../../../src/features/catalog/parseProductFile.js';
import { type ProductDocument, toDocument } from '../../../src/features/catalog/productDocument.js';
import { productSchema } from '../../../src/features/catalog/productSchema.js';
import { toProduct } from '../../../src/features/catalog/toProduct.js';
import { newUuid } from '../../../src/values/ids.js';

const startsAt = '2026-05-01T18:00:00.000Z';

/** Imports a shirt with these variants. It replaces the stored document. */
function withSkus(skus: object[], stored: ProductDocument | null = null): ProductDocument {
  const product = { title: 'Shirt', slug: 'shirt', type: 'PHYSICAL', price: 20, currency: 'USD', skus };
  return toDocument(productSchema.parse(product), stored);
}

const refs = (document: ProductDocument) =>
  Object.fromEntries(document.skus.map(({ sku, variantRef }) => [sku, variantRef]));

describe('the reference of a variant', () => {
  it('is made of the sku, with a number when another variant has the same', () => {
    expect(
      refs(withSkus([{ sku: 'TEE M' }, { sku: 'tee-m' }, { sku: 'Größe 42' }, { sku: '日本' }])),
    ).toEqual({
      'TEE M': 'tee-m',
      'tee-m': 'tee-m-2',
      'Größe 42': 'gro-e-42',
      日本: 'x',
    });
  });

  it('stays when the product is imported again in another order or without the reference', () => {
    const first = withSkus([{ sku: 'A', variantRef: 'first' }, { sku: 'TEE M' }, { sku: 'tee-m' }]);
    const again = withSkus([{ sku: 'tee-m' }, { sku: 'TEE M' }, { sku: 'A' }], first);
    expect(refs(again)).toEqual(refs(first));
  });

  it('of a new variant is never that of a stored variant, at any place in the file', () => {
    const first = withSkus([{ sku: 'TEE-M' }]);
    expect(refs(withSkus([{ sku: 'TEE/M' }, { sku: 'TEE-M' }], first))).toEqual({
      'TEE/M': 'tee-m-2',
      'TEE-M': 'tee-m',
    });
  });

  it('goes to the variant that names it in the file; the variant that had it gets another', () => {
    const first = withSkus([{ sku: 'TEE-M' }]);
    expect(refs(withSkus([{ sku: 'TEE-M' }, { sku: 'NEW', variantRef: 'tee-m' }], first))).toEqual({
      'TEE-M': 'tee-m-2',
      NEW: 'tee-m',
    });
  });
});

describe('a variant', () => {
  it.each<[string, object[], [sku: string, ref: string][]]>([
    [
      'without a sku has its reference',
      [{}, { sku: '' }],
      [
        ['variant', 'variant'],
        ['variant-2', 'variant-2'],
      ],
    ],
    [
      'without a sku is called by its options, else by its title',
      [{ options: [{ group: 'Size', value: 'M' }] }, { title: 'Large', sku: null }],
      [
        ['m', 'm'],
        ['large', 'large'],
      ],
    ],
    [
      'with the sku of another is one of its own',
      [{ sku: 'A' }, { sku: 'A' }],
      [
        ['A', 'a'],
        ['A', 'a-2'],
      ],
    ],
  ])('%s, and keeps its id', (_name, skus, expected) => {
    const first = withSkus(skus);
    expect(first.skus.map(({ sku, variantRef }) => [sku, variantRef])).toEqual(expected);
    // The variants of the same file, and of an export.
    for (const file of [skus, first.skus]) expect(withSkus(file, first)).toEqual(first);
  });

  it.each([
    [undefined, false],
    [null, false],
    [0, true],
    [-1, true],
    [3, false],
  ])('with the inventory %s is sold out: %s, after an export and its import too', (inventory, isSoldOut) => {
    const show = (document: ProductDocument) =>
      toProduct(document, { id: newUuid(), createdAt: '', updatedAt: '', storefrontUrl: '' }).skus[0]!;
    const document = withSkus([{ sku: 'A', inventory }]);
    expect(show(document).isSoldOut).toBe(isSoldOut);
    expect(show(withSkus([show(document)]))).toMatchObject({ isSoldOut, inventory: inventory ?? 0 });
  });
});

describe('a product', () => {
  it('without option groups gets the groups that its variants name, in that order', () => {
    const options = (size: string) => [
      { group: 'Size', value: size },
      { group: 'Colour', value: 'Red' },
    ];
    const { optionGroups, skus } = withSkus([
      { sku: 'L', options: options('L') },
      { sku: 'S', options: options('S') },
    ]);
    expect(optionGroups.map(({ name, values }) => [name, values.map((value) => value.name)])).toEqual([
      ['Size', ['L', 'S']],
      ['Colour', ['Red']],
    ]);
    expect(skus.map(({ title }) => title)).toEqual(['L / Red', 'S / Red']);
  });

  it('shows groups, values and variants by their order fields, not by their place in the file', () => {
    const product = productSchema.parse({
      title: 'Shirt',
      slug: 'shirt',
      type: 'PHYSICAL',
      price: 20,
      optionGroups: [
        { name: 'Colour', order: 1, values: [{ name: 'Red' }] },
        {
          name: 'Size',
          order: 0,
          values: [
            { name: 'M', order: 1 },
            { name: 'S', order: 0 },
          ],
        },
      ],
      skus: [
        { sku: 'B', sortOrder: 1 },
        { sku: 'A', sortOrder: 0 },
      ],
    });
    const { optionGroups, skus } = toDocument(product, null);
    expect(optionGroups.map(({ name }) => name)).toEqual(['Size', 'Colour']);
    expect(optionGroups[0]!.values.map(({ name }) => name)).toEqual(['S', 'M']);
    expect(skus.map(({ sku }) => sku)).toEqual(['A', 'B']);
  });
});

describe('a product of type', () => {
  const venue = { name: 'Hall', address: null, city: 'Berlin', country: null };
  it.each([
    [
      'MEETING',
      { durationMinutes: 30, timezone: 'Europe/Berlin', location: null, bookingUrl: 'https://c.example/x' },
    ],
    ['MEMBERSHIP', { interval: 'MONTH', intervalCount: 1, trialDays: null, benefits: ['All of it'] }],
    [
      'WEBINAR',
      { startsAt, durationMinutes: null, timezone: null, joinUrl: null, replayUrl: null, speakers: ['Ann'] },
    ],
    ['EVENT', { startsAt, endsAt: null, timezone: null, onlineUrl: null, capacity: 100, venue }],
    ['DIGITAL', {}],
  ])('%s has the fields of its kind beside the common ones', (type, fields) => {
    const document = toDocument(
      productSchema.parse({ title: 'X', slug: 'x', type, price: 0, ...fields }),
      null,
    );
    const row = {
      id: newUuid(),
      createdAt: startsAt,
      updatedAt: startsAt,
      storefrontUrl: 'https://shop.example',
    };
    const product = toProduct(document, row);
    expect(product).toMatchObject({ type, hasVariants: false, skus: [], ...fields });
    expect(Object.keys(product)).toHaveLength(19 + Object.keys(fields).length);
    // An export and its import.
    expect(toDocument(productSchema.parse(product), document)).toEqual(document);
  });
});

describe('an import refuses a product, naming the field, and takes the others: ', () => {
  const shirt = { title: 'Shirt', slug: 'shirt', type: 'PHYSICAL', price: 20 };
  const groups = (...values: string[]) => [{ name: 'Size', values: values.map((name) => ({ name })) }];
  const options = (...values: string[]) => values.map((value) => ({ group: 'Size', value }));
  it.each<[string, object, string]>([
    ['no title', { title: undefined }, 'title is required'],
    ['a type that is none', { type: 'BOX' }, 'type must be one of PHYSICAL'],
    ['a price below 0', { price: -1 }, 'price must be at least 0'],
    ['a price that is text', { price: '24.95' }, 'price must be a number'],
    ['counts that are null', { counts: null }, 'counts must be an object, not null'],
    ['a category that is text', { category: 'Shirts' }, 'category must be an object'],
    ['a slug that ends with a dash', { slug: 'a-' }, 'slug must be letters and digits'],
    ['a slug with a slash', { slug: 'a/b' }, 'slug must be letters and digits'],
    ['a price that is null', { price: null }, 'price must be a number, not null'],
    ['a slug that looks like an id', { slug: 'prd_x' }, 'slug must not look like a product id'],
    [
      'a URL that is none',
      { type: 'MEETING', bookingUrl: 'javascript:alert(1)' },
      'bookingUrl must be an absolute',
    ],
    ['a variant that is text', { skus: ['s'] }, 'skus.0 must be an object'],
    [
      'more than 2,000 variants',
      { skus: Array.from({ length: 2_001 }, (_, n) => ({ sku: `TEE-${n}` })) },
      'skus must have at most 2000 entries',
    ],
    [
      'a variantRef twice, for two variants would have one link',
      { skus: ['A', 'B'].map((sku) => ({ sku, variantRef: 'r' })) },
      'skus.1.variantRef must be unique',
    ],
    [
      'a value twice in a group',
      { optionGroups: groups('S', 'M', 'S') },
      'optionGroups.0.values.2.name must be unique',
    ],
    [
      'an option that is in no group',
      { optionGroups: groups('S'), skus: [{ sku: 'A', options: options('XXL') }] },
      'skus.0.options.0 must name a group and value of optionGroups, not "Size: XXL"',
    ],
    [
      'a variant of two values of one group',
      { optionGroups: groups('S', 'M'), skus: [{ sku: 'A', options: options('S', 'M') }] },
      'skus.0.options.1.group must be unique',
    ],
  ])('%s', (_, fields, complaint) => {
    const { products, issues } = parseProductFile([shirt, { ...shirt, slug: 'other', ...fields }]);
    expect(products.map(({ slug }) => slug)).toEqual(['shirt']);
    expect(issues.map(({ path, message }) => `${path} ${message}`)).toEqual([
      expect.stringMatching(`^1\\.${complaint}`),
    ]);
  });

  it('a slug twice', () => {
    const message = 'must be unique, but "shirt" occurs twice';
    expect(parseProductFile([shirt, shirt]).issues).toEqual([{ path: '1.slug', message }]);
  });

  it('every bad field of a product without a type', () => {
    const { issues } = parseProductFile([{ title: '', slug: 'c', price: '9' }]);
    expect(issues.map(({ path }) => path)).toEqual(['0.type', '0.title', '0.price']);
  });
});

describe('the products of the API of', () => {
  const options = [
    { name: 'Size', position: 1, values: ['M', 'L'] },
    { name: 'Colour', position: 2, values: ['Red'] },
  ];
  const variant = {
    price: '24.95',
    requires_shipping: true,
    inventory_management: 'shopify',
    option2: 'Red',
  };
  const shopify = {
    id: 632910392,
    title: 'T-shirt',
    body_html: '<p>Cotton</p>',
    vendor: 'Acme',
    product_type: 'Clothes',
    handle: 't-shirt',
    status: 'active',
    tags: 'cotton',
    options,
    variants: [
      { ...variant, id: 1, title: 'M / Red', sku: 'TEE-M', position: 1, inventory_quantity: 7, option1: 'M' },
      {
        ...variant,
        id: 2,
        title: 'L / Red',
        sku: '',
        position: 2,
        inventory_quantity: 0,
        option1: 'L',
        price: '26.95',
      },
      {
        ...variant,
        id: 3,
        title: 'XL',
        sku: null,
        position: 3,
        inventory_quantity: 0,
        inventory_policy: 'continue',
      },
      {
        ...variant,
        id: 4,
        title: 'S',
        sku: 'S',
        position: 4,
        inventory_quantity: 0,
        inventory_management: null,
      },
    ],
  };
  const one = { id: 5, title: 'Default Title', sku: 'GIFT', price: '25.00', requires_shipping: false };
  const gift = { title: 'Gift card', handle: 'gift', status: 'draft', product_type: '', variants: [one] };
  const woo = {
    id: 794,
    name: 'Premium tea',
    slug: '%d1%87%d0%b0%d0%b9',
    type: 'variable',
    status: 'publish',
    virtual: false,
    downloadable: false,
    price: '21.99',
    regular_price: '',
    manage_stock: false,
    stock_quantity: null,
    stock_status: 'instock',
    rating_count: 3,
    categories: [{ id: 9, name: 'Tea', slug: 'tea' }],
    variations: [
      {
        id: 795,
        sku: 'TEA-1',
        price: '21.99',
        manage_stock: true,
        stock_quantity: 2,
        stock_status: 'instock',
        attributes: [{ id: 0, name: 'Weight', option: '1 kg' }],
      },
      { id: 796, sku: '', price: '', regular_price: '30', manage_stock: false, stock_status: 'outofstock' },
    ],
  };

  it('Shopify are taken, in its answer or as a list', () => {
    for (const file of [{ products: [shopify, gift] }, [shopify, gift]]) {
      const { products, issues } = parseProductFile(file, 'EUR');
      expect(issues).toEqual([]);
      const [tee, card] = products.map((product) => toDocument(product, null));
      expect(tee).toMatchObject({
        title: 'T-shirt',
        slug: 't-shirt',
        price: 24.95,
        currency: 'EUR',
        isActive: true,
      });
      expect(tee!.category).toMatchObject({ name: 'Clothes', slug: 'clothes' });
      const stock = tee!.skus.map((one) => [
        one.sku,
        one.variantRef,
        one.price,
        one.inventory,
        one.tracksInventory,
      ]);
      expect(stock).toEqual([
        ['TEE-M', '1', 24.95, 7, true],
        ['2', '2', 26.95, 0, true],
        ['3', '3', 24.95, 0, false],
        ['S', '4', 24.95, 0, false],
      ]);
      expect(tee!.skus[0]!.options).toEqual([
        { group: 'Size', value: 'M' },
        { group: 'Colour', value: 'Red' },
      ]);
      expect(card).toMatchObject({
        slug: 'gift',
        type: 'DIGITAL',
        price: 25,
        isActive: false,
        skus: [],
        category: null,
      });
    }
  });

  it('Shopify have prices in cents in a theme’s form, and a variant without a price has that of the product', () => {
    const [first] = shopify.variants;
    const ofTheme = {
      ...gift,
      price_varies: true,
      variants: [2495, 2695].map((price) => ({ ...first, price })),
    };
    const unpriced = { ...shopify, variants: [first, { ...first, price: '' }, { ...first, price: null }] };
    const nothing = { ...shopify, variants: [{ ...first, price: null }] };
    const { products, issues } = parseProductFile([
      { ...ofTheme, variants: ofTheme.variants.map((one, id) => ({ ...one, id })) },
      { ...unpriced, variants: unpriced.variants.map((one, id) => ({ ...one, id })) },
      { ...nothing, handle: 'nothing' },
    ]);
    const prices = products.map((product) => [
      product.price,
      toDocument(product, null).skus.map(({ price }) => price),
    ]);
    expect(prices).toEqual([
      [24.95, [24.95, 26.95]],
      [24.95, [24.95, 24.95, 24.95]],
    ]);
    expect(issues).toEqual([{ path: '2.price', message: 'is required' }]);
  });

  it.each<[string, object, object]>([
    ['options are names, as a theme writes them,', { ...shopify, options: ['Size'] }, { skus: 4 }],
    [
      'options and places are null',
      { ...shopify, options: null, variants: [{ ...one, position: null }] },
      {},
    ],
    ['lists are null', { ...woo, categories: null, variations: null }, { skus: 0, category: null }],
    ['attributes are null', { ...woo, variations: [{ id: 1, sku: 'A', attributes: null }] }, { skus: 1 }],
    [
      'stock is counted in parts',
      { ...woo, variations: [{ id: 1, price: '5', manage_stock: true, stock_quantity: 2.5 }] },
      { inventory: 2 },
    ],
    [
      'names have entities of HTML',
      { ...woo, name: 'Tea &amp; Cake', categories: [{ name: 'Food &#038; Drink' }] },
      { title: 'Tea & Cake', category: 'Food & Drink' },
    ],
  ])('a shop are taken where %s', (_, sent, expected) => {
    const { products, issues } = parseProductFile([sent], 'EUR');
    expect(issues).toEqual([]);
    const { title, category, skus } = toDocument(products[0]!, null);
    const taken = {
      title,
      category: category?.name ?? null,
      skus: skus.length,
      inventory: skus[0]?.inventory,
    };
    expect(taken).toMatchObject(expected);
  });

  it('a shop that are of another form are named, and the others are taken', () => {
    const { products, issues } = parseProductFile([
      { ...shopify, variants: [null] },
      { ...woo, variations: [{ id: 1, attributes: { size: 'M' } }] },
      gift,
    ]);
    expect(products.map(({ slug }) => slug)).toEqual(['gift']);
    const message = 'has not the form of a product of Shopify or WooCommerce';
    expect(issues).toEqual([
      { path: '0', message },
      { path: '1', message },
    ]);
  });

  it('WooCommerce are taken, with variations that stand in them', () => {
    const { products, issues } = parseProductFile([
      woo,
      { ...woo, slug: 'ids', variations: [795] },
      { ...woo, price: '' },
    ]);
    expect(issues).toEqual([{ path: '2.price', message: 'is required' }]);
    const [tea, ids] = products.map((product) => toDocument(product, null));
    expect(tea).toMatchObject({ title: 'Premium tea', slug: 'чай', price: 21.99, counts: { reviews: 3 } });
    expect(tea!.skus.map((one) => [one.sku, one.variantRef, one.title, one.price, one.inventory])).toEqual([
      ['TEA-1', '795', '1 kg', 21.99, 2],
      ['796', '796', '796', 30, 0],
    ]);
    expect(ids!.skus).toEqual([]);
  });
});
