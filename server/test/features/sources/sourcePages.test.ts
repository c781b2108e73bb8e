import { describe, expect } from 'vitest';
import { type Shop, test } from '../../kit/shop.js';
import { paidOrder } from './kit/shopifySamples.js';
import { addTestSource, type TestSource } from './kit/sources.js';
import { wooOrder } from './kit/wooCommerceSamples.js';

/** Sends an event. */
async function say(source: TestSource, payload: unknown): Promise<void> {
  const { status } = await source.say(
    payload,
    source.kind === 'shopify' ? 'orders/updated' : 'order.updated',
  );
  expect(status).toBe(200);
}

const wooOf = ({ server, team }: Shop) => addTestSource(server, team, { kind: 'woocommerce' });
const page = { email: 'ann@shop.example', amount: 49.9, currency: 'EUR', visitorId: 'v' };
const nextYear = new Date().getUTCFullYear() + 1;
/** Makes an order of cash on delivery, as its shop sends it at an hour of next year, after the page. */
const onDelivery = (hour: string, more: object = {}, id = 229) =>
  wooOrder(id, {
    payment_method: 'cod',
    date_paid: null,
    date_paid_gmt: null,
    meta_data: [],
    date_modified_gmt: `${nextYear}-03-02T${hour}:00:00`,
    ...more,
  });
const read = async (shop: Shop, id: string) => (await shop.read(id)).body.data;

describe('an order on delivery that a page reports before it is paid', () => {
  test.for(['cancelled', 'failed', 'refunded', 'trash'])(
    'is taken back when it ends unpaid, as %s, and counts again once it is paid',
    async (status, { shop }) => {
      const woo = await wooOf(shop);
      await shop.report({ ...page, orderId: '229' });
      await say(woo, onDelivery('10'));
      expect(await read(shop, '229')).toMatchObject({ paymentStatus: 'PAID', refundedAmount: 0 });
      for (const hour of ['11', '12']) await say(woo, onDelivery(hour, { status }));
      expect(await read(shop, '229')).toMatchObject({ paymentStatus: 'REFUNDED', refundedAmount: 49.9 });
      await say(woo, onDelivery('13', { status: 'completed' }));
      await say(woo, onDelivery('12', { status }));
      expect(await read(shop, '229')).toMatchObject({
        paymentStatus: 'PAID',
        refundedAmount: 0,
        reportedBy: 'both',
      });
      expect(await shop.stored()).toHaveLength(1);
    },
  );

  test('and whose number changed between two pages is one order, which is taken back', async ({ shop }) => {
    const woo = await wooOf(shop);
    for (const orderId of ['WC-1', 'WC-2']) await shop.report({ ...page, orderId });
    const end = (hour: string, number: string) => onDelivery(hour, { number, status: 'cancelled' });
    await say(woo, end('11', 'WC-1'));
    await say(woo, end('12', 'WC-2'));
    expect(await read(shop, 'WC-1')).toMatchObject({ paymentStatus: 'REFUNDED' });
    expect((await read(shop, 'WC-2')).id).toBe((await read(shop, 'WC-1')).id);
    expect(await shop.refused()).toEqual([]);
  });

  test('leaves nothing that nobody paid after a refund of a part', { tags: ['all'] }, async ({ shop }) => {
    const woo = await wooOf(shop);
    const refunds = [{ id: 1, reason: '', total: '-30.01' }];
    await shop.report({ ...page, orderId: '229' });
    await say(woo, onDelivery('10', { refunds }));
    await say(woo, onDelivery('11', { refunds, status: 'cancelled' }));
    expect(await read(shop, '229')).toMatchObject({ paymentStatus: 'REFUNDED', refundedAmount: 49.9 });
    await say(woo, onDelivery('12', { refunds, status: 'completed' }));
    expect(await read(shop, '229')).toMatchObject({ refundedAmount: 30.01 });
  });

  test('stays when it was paid, by whoever said so, and another order is none of it', async ({ shop }) => {
    const woo = await wooOf(shop);
    await shop.reportByKey({ ...page, orderId: '1' });
    await say(woo, wooOrder(2));
    await shop.report({ ...page, orderId: '2' });
    await shop.report({ ...page, orderId: '3' });
    for (const id of [1, 2, 4]) await say(woo, onDelivery('11', { status: 'cancelled' }, id));
    for (const id of ['1', '2', '3']) expect(await read(shop, id)).toMatchObject({ refundedAmount: 0 });
    expect(await shop.sql`select from refund where team_id = ${shop.team}`).toHaveLength(0);
  });

  test('of Shopify is taken back, too', async ({ shop }) => {
    const shopify = await addTestSource(shop.server, shop.team, { kind: 'shopify' });
    await shop.report({ ...page, orderId: '229' });
    const cancelled = { financial_status: 'voided', cancelled_at: `${nextYear}-03-02T10:00:00Z` };
    await say(shopify, paidOrder(229, { ...cancelled, updated_at: `${nextYear}-03-02T10:00:00Z` }));
    expect(await read(shop, '229')).toMatchObject({ paymentStatus: 'REFUNDED' });
    await say(shopify, paidOrder(229, { updated_at: `${nextYear}-03-02T11:00:00Z` }));
    expect(await read(shop, '229')).toMatchObject({ paymentStatus: 'PAID' });
  });
});

describe('an order that a page reports by its id, and that is numbered when it is paid,', () => {
  const number = 'RE-2026/00229';

  test('is one order', async ({ shop }) => {
    const woo = await wooOf(shop);
    await shop.report({ ...page, orderId: '229' });
    for (const hour of ['11', '12'])
      await say(
        woo,
        onDelivery(hour, { status: 'completed', number, refunds: [{ id: 1, total: '-10.00' }] }),
      );
    expect(await shop.stored()).toMatchObject([{ orderId: number, reportedBy: 'both', visitorId: 'v' }]);
    expect(await read(shop, '229')).toMatchObject({ refundedAmount: 10 });
  });

  test.for<[string, object]>([
    ['of another buyer', { email: 'bob@shop.example' }],
    ['of another amount', { amount: 50 }],
  ])('is none with an order %s whose number is its id', async ([_, other], { shop }) => {
    const woo = await wooOf(shop);
    await shop.report({ ...page, ...other, orderId: '229' });
    await say(woo, onDelivery('11', { status: 'completed', number }));
    expect((await shop.stored()).map(({ orderId }) => orderId)).toEqual(['229', number]);
  });

  test('is none with one that the shop has told already', async ({ shop }) => {
    const woo = await wooOf(shop);
    await say(woo, onDelivery('10', { status: 'completed', number: '229' }, 800));
    await say(woo, onDelivery('11', { status: 'completed', number }));
    expect((await shop.stored()).map(({ orderId }) => orderId)).toEqual(['229', number]);
  });
});
