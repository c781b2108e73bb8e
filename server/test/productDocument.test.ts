import { describe, expect, it } from 'vitest';
import { type ProductDocument, toDocument } from '../src/products/productDocument.js';
import { productSchema } from '../src/products/productSchema.js';

/** Imports a shirt with these variants over the stored document. */
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

describe('an import refuses', () => {
  const groups = (...values: string[]) => [{ name: 'Size', values: values.map((name) => ({ name })) }];
  const twice = ['S', 'M'].map((value) => ({ group: 'Size', value }));
  it.each([
    [
      'a variantRef twice, for two variants would have one link',
      {
        skus: [
          { sku: 'A', variantRef: 'r' },
          { sku: 'B', variantRef: 'r' },
        ],
      },
      'skus.1.variantRef',
    ],
    ['a value twice in a group', { optionGroups: groups('S', 'M', 'S') }, 'optionGroups.0.values.2.name'],
    [
      'a variant of two values of one group',
      { optionGroups: groups('S', 'M'), skus: [{ sku: 'A', options: twice }] },
      'skus.0.options.1.group',
    ],
  ])('%s', (_, fields, path) => {
    const product = { title: 'Shirt', slug: 'shirt', type: 'PHYSICAL', price: 20, ...fields };
    const issues = productSchema.safeParse(product).error?.issues ?? [];
    expect(issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
      [path, expect.stringMatching(/must be unique/)],
    ]);
  });
});
