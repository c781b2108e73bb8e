import type { Product } from '@orderbeacon/sdk/contract';

/*
 * Values that the examples of the documentation use. Each demo team has them, so that the examples work there
 * unchanged.
 */

/** The example value of `:id`. */
export const exampleSlug = 't-shirt';

/** The answer to a lookup of `exampleSlug`. */
export const exampleProduct: Product = {
  id: 'prd_01kaefr2c9e6hs4h0d1v3n5b7x',
  title: 'T-shirt',
  slug: exampleSlug,
  type: 'PHYSICAL',
  pricingType: 'SINGLE',
  price: 24.95,
  currency: 'USD',
  category: { id: 'cat_01kaefr2c9f0a8k3m2t9r5w1qz', name: 'Clothes', slug: 'clothes' },
  isActive: true,
  hasVariants: true,
  exposesVariants: true,
  requiresVariantSelection: true,
  buyUrl: 'https://shop.example/buy/t-shirt',
  productPageUrl: 'https://shop.example/products/t-shirt',
  optionGroups: [
    {
      id: 'grp_01kaefr2c9g7p4d2x8j6c0h5ny',
      name: 'Size',
      order: 0,
      values: [{ id: 'val_01kaefr2c9h3v6s1q9z7t4b8mk', name: 'M', order: 0 }],
    },
  ],
  counts: { downloads: 0, media: 3, reviews: 12 },
  skus: [
    {
      id: 'sku_01kaefr2c9j9w2n5r8k1f6d3gt',
      sku: 'TEE-M',
      title: 'M',
      price: 24.95,
      inventory: 7,
      tracksInventory: true,
      isSoldOut: false,
      unitsGranted: null,
      sortOrder: 0,
      isRetired: false,
      options: [{ group: 'Size', value: 'M' }],
      variantRef: 'tee-m',
      buyPath: '/buy/t-shirt?variant=tee-m',
      buyUrl: 'https://shop.example/buy/t-shirt?variant=tee-m',
    },
  ],
  createdAt: '2026-05-01T18:00:00.000Z',
  updatedAt: '2026-05-02T09:30:00.000Z',
};

/** The buyer in the examples, who is also the person to enroll. */
export const exampleEmail = 'ann@shop.example';

/** The order id in the snippets that a reader pastes. */
export const exampleOrderId = '1001';

/** The amount in these snippets. */
const exampleAmount = 49.9;

/** @returns true for the example order of the snippets that a reader pastes. Its values may be unchecked. */
export const isExampleOrder = (order: { email?: unknown; orderId?: unknown; amount?: unknown }): boolean =>
  textOf(order.orderId) === exampleOrderId &&
  textOf(order.email).toLowerCase() === exampleEmail &&
  Number(textOf(order.amount)) === exampleAmount;

/** Returns a text or number as text, trimmed. Empty for a list or object: thousands of them in each other exceed the stack. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** The sequence of every demo team. */
export const exampleSequenceId = 'seq_01kaefr2caz8k4w6m1x9c3v5hd';

/** The id of the buyer in the examples. */
export const examplePerson = 'ppl_2v7r4d9k3w8m5s9h1c6x0b4n7t';

/** The ids in the examples' requests. */
export interface ExampleIds {
  teamId: string;
  sequenceId: string;
}

/** Ids for a server without a demo team. They show the reader what to replace. */
export const placeholderIds: ExampleIds = {
  teamId: 'team_PUT_YOUR_TEAM_HERE',
  sequenceId: 'seq_PUT_YOUR_SEQUENCE_HERE',
};

/** The `requestId` of every refusal in the API document. */
export const exampleRequestId = '5f1c9f0e-3b7a-4d2c-8e61-0a9b8c7d6e5f';
