import type {
  Enrollment,
  EnrollmentRequest,
  Order,
  OrderReport,
  PlacedOrder,
  Product,
  Refund,
  RefundRequest,
} from '@orderbeacon/sdk/contract';

const person = 'ppl_2v7r4d9k3w8m5s9h1c6x0b4n7t';

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

/** The sequence of every demo team. */
export const exampleSequenceId = 'seq_01kaefr2caz8k4w6m1x9c3v5hd';

/** The ids in the examples' requests. */
export interface ExampleIds {
  teamId: string;
  sequenceId: string;
}

/** For a server without a demo team: the reader sees what to replace. */
export const placeholderIds: ExampleIds = {
  teamId: 'team_PUT_YOUR_TEAM_HERE',
  sequenceId: 'seq_PUT_YOUR_SEQUENCE_HERE',
};

/** The example request of an enrollment. */
export function exampleEnrollmentRequest({ sequenceId }: ExampleIds): EnrollmentRequest {
  return { email: exampleEmail, sequenceId };
}

/** The answer to that request. */
export function exampleEnrollment({ sequenceId }: ExampleIds): Enrollment {
  return { enrolled: true, subscriptionId: 'sub_01kaefr2cb5t7n2d9q4j8g0r6p', peopleId: person, sequenceId };
}

/** Reports as they come, by what they show; each can be sent with a key and without one. */
export function exampleReports({ teamId }: ExampleIds) {
  return {
    fromAPage: {
      summary: 'As the tracking script sends it',
      value: {
        teamId,
        email: exampleEmail,
        amount: 49.9,
        orderId: 'A-1001',
        currency: 'USD',
        source: 'STRIPE',
        name: 'Ann Example',
        items: [{ sku: 'TEE-M', name: 'T-shirt, size M', quantity: 2, price: 24.95 }],
        visitorId: '9f0c4d5e-6a7b-4c8d-9e0f-1a2b3c4d5e6f',
        landings: 'MTc3NzYyMjQwMDAwMCBtYWlsLmV4YW1wbGUgP3V0bV9zb3VyY2U9bmV3c2xldHRlciAv.',
        reportId: '018f6b1c-7d2e-7a3b-8c4d-5e6f7a8b9c0d',
        sdkVersion: '0.2.0',
      },
    },
    fromABackend: {
      summary: 'As a backend sends it when a payment arrives',
      value: {
        teamId,
        email: 'bob@shop.example',
        amount: 120,
        orderId: 'A-1002',
        currency: 'EUR',
        source: 'PAYPAL',
        name: 'Bob Example',
      },
    },
    smallest: {
      summary: 'No more than it must have',
      value: { teamId, email: 'cyd@shop.example', amount: 9.5 },
    },
  } satisfies Record<string, { summary: string; value: OrderReport }>;
}

export const exampleOrder: Order = {
  id: 'ord_01kaefr2ccv1x8h5k7b3n9s4mw',
  orderNumber: 'ORD-7K3V9QW2XM',
  amount: 49.9,
  currency: 'USD',
  paymentStatus: 'PAID',
  peopleId: person,
  isTest: false,
  isNew: true,
  createdAt: '2026-05-01T18:00:00.000Z',
};

export const exampleRefundRequest = {
  orderId: 'A-1001',
  refundId: 're_1001',
  amount: 24.95,
  reason: 'One shirt came back',
} satisfies RefundRequest;

/** The answer to that request. */
export const exampleRefund: Refund = {
  refundId: 're_1001',
  orderId: 'A-1001',
  order: exampleOrder.id,
  amount: 24.95,
  currency: 'USD',
  paymentStatus: 'PARTIALLY_REFUNDED',
  refundedAmount: 24.95,
  reason: 'One shirt came back',
  isTest: false,
  isNew: true,
  createdAt: '2026-05-08T09:00:00.000Z',
};

/** The order of that refund, as it is read. */
export const examplePlacedOrder: PlacedOrder = {
  id: exampleOrder.id,
  orderNumber: exampleOrder.orderNumber,
  orderId: 'A-1001',
  reportId: null,
  idempotencyKey: null,
  peopleId: person,
  email: exampleEmail,
  name: 'Ann Example',
  amount: 49.9,
  currency: 'USD',
  paymentStatus: 'PARTIALLY_REFUNDED',
  refundedAmount: 24.95,
  source: 'STRIPE',
  items: [{ sku: 'TEE-M', name: 'T-shirt, size M', quantity: 2, price: 24.95 }],
  visitorId: '9f0c4d5e-6a7b-4c8d-9e0f-1a2b3c4d5e6f',
  firstTouch: {
    at: '2026-05-01T08:00:00.000Z',
    path: '/',
    referrer: 'mail.example',
    source: 'newsletter',
    medium: null,
    campaign: null,
    term: null,
    content: null,
    clickId: null,
  },
  lastTouch: null,
  extra: null,
  isTest: false,
  reportedBy: 'browser',
  createdAt: exampleOrder.createdAt,
  refunds: [
    {
      refundId: 're_1001',
      amount: 24.95,
      reason: 'One shirt came back',
      createdAt: '2026-05-08T09:00:00.000Z',
    },
  ],
};

/** The `requestId` of every refusal that the document shows. */
export const exampleRequestId = '5f1c9f0e-3b7a-4d2c-8e61-0a9b8c7d6e5f';
