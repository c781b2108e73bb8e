import type { Order, OrderReport, PlacedOrder, Refund, RefundRequest } from '@orderbeacon/sdk/contract';
import { exampleFields } from '../core/orders/fields.js';
import { type ExampleIds, exampleEmail, examplePerson } from '../values/examples.js';

const exampleReportId = '018f6b1c-7d2e-7a3b-8c4d-5e6f7a8b9c0d';

/** Example reports, by their topic. Each can be sent with an API key or without one. */
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
        reportId: exampleReportId,
        sdkVersion: '0.3.0',
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
      summary: 'No more than it should have',
      value: { teamId, email: 'cyd@shop.example', amount: 9.5, orderId: 'A-1003', currency: 'USD' },
    },
  } satisfies Record<string, { summary: string; value: OrderReport }>;
}

/** The answer to the first example report. */
export const exampleOrder: Order = {
  id: 'ord_01kaefr2ccv1x8h5k7b3n9s4mw',
  orderNumber: 'ORD-1KQJB53807K3V',
  amount: 49.9,
  currency: 'USD',
  paymentStatus: 'PAID',
  peopleId: examplePerson,
  isTest: false,
  isNew: true,
  createdAt: '2026-05-01T18:00:00.000Z',
  reportId: exampleReportId,
};

/** Example report of a refund of a part of an order. */
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
  ...exampleFields,
  id: exampleOrder.id,
  orderNumber: exampleOrder.orderNumber,
  reportId: null,
  keys: [],
  sharesIdWith: null,
  peopleId: examplePerson,
  email: exampleEmail,
  paymentStatus: 'PARTIALLY_REFUNDED',
  refundedAmount: 24.95,
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
