import '@orderbeacon/sdk/debug.js';
import '@orderbeacon/sdk/stub.js';
import { createTracker, type Tracker, type TrackResult } from '@orderbeacon/sdk';
import { createClient } from '@orderbeacon/sdk/client';
import type { Order, OrderReport } from '@orderbeacon/sdk/contract';
import type {} from '@orderbeacon/sdk/track.js';
import { startOrderbeacon, type TestOrderbeacon } from '@orderbeacon/server/testing';

/** Code of a storefront. A test compiles it against the published types. It never runs. */
export async function confirm(): Promise<Order | string> {
  const tracker: Tracker = createTracker({ teamId: 'team_1', endpoint: 'https://orders.shop.example' });
  const { track } = tracker;
  await import('@orderbeacon/sdk/debug.js');
  const visitor: string | undefined = tracker.visitorId;
  await track('consent', true);
  const result: TrackResult = await track('order', {
    email: 'ann@shop.example',
    amount: '49.90',
    orderId: 1001,
    source: 'stripe',
    name: null,
    items: [{ sku: 'A', quantity: 1, colour: 'red' }],
    tax: 4.2,
    coupon: 'SPRING',
    metadata: { giftWrap: true },
  });
  if (result.status === 'delivered') return result.order;
  if (result.status === 'refused') return `${result.error.message} ${visitor}`;
  const final = await result.final;
  return final.status;
}

/** A line of a cart, as a shop declares it. */
interface CartLine {
  sku: string;
  quantity: number;
}

/** Reports a cart of the shop's own types, which are readonly. */
export async function confirmCart(lines: readonly CartLine[]): Promise<void> {
  const order = { email: 'ann@shop.example', amount: 49.9, items: lines };
  const { track } = createTracker({ teamId: 'team_1', endpoint: 'https://orders.shop.example' });
  await track('order', order);
  const client = createClient({ baseUrl: 'https://orders.shop.example', apiKey: 'ob_live_…' });
  await client.orders.report({ ...order, teamId: 'team_1' });
}

/** Code of a page that has the script tag. */
export async function confirmByTag(): Promise<string | undefined> {
  const result = await window.track?.('order', { email: 'ann@shop.example', amount: 1, orderId: 1001 });
  window.track?.('consent', true);
  return result?.status ?? window.track?.visitorId();
}

/** Code of a backend. */
export async function confirmByKey(): Promise<string> {
  const client = createClient({ baseUrl: 'https://orders.shop.example', apiKey: 'ob_live_…' });
  const order = await client.orders.report({
    teamId: 'team_1',
    email: 'ann@shop.example',
    amount: 1,
    orderId: 1001,
    shipping: { method: 'post', price: 4 },
    discount: null,
  });
  return order.orderNumber;
}

/** Code of a shop's test. */
export async function expectByTest(): Promise<number> {
  const orderbeacon: TestOrderbeacon = await startOrderbeacon({ domains: ['shop.test'] });
  const order = await orderbeacon.expectOrder(null, { orderId: '1001' });
  return order.refunds.length;
}

export const report: OrderReport = { teamId: 'team_1', email: 'ann@shop.example', amount: 1 };

export function mistakes(): void {
  // @ts-expect-error an endpoint is needed
  const { track } = createTracker({ teamId: 'team_1' });
  // @ts-expect-error an email is needed
  track('order', { amount: 1 });
  // @ts-expect-error an amount is a decimal
  track('order', { email: 'a@b.example', amount: '49,90 €' });
  // @ts-expect-error a source is one of the contract's
  track('order', { email: 'a@b.example', amount: 1, source: 'bank' });
  // @ts-expect-error consent is yes or no
  track('consent', 'yes');
  // @ts-expect-error the script may not be there
  window.track('order', { email: 'a@b.example', amount: 1 });
  // @ts-expect-error there is no such call
  track('purchase', {});
}
