import { describe, expect } from 'vitest';
import { test } from './shop.js';

describe('an order whose amount carries the noise of floating point', () => {
  test('is the order of its plain amount, for a page and for a retry with a key', async ({ shop }) => {
    await shop.report({ orderId: 'A-1', amount: 17.9 + 5.95 });
    expect(await shop.stored()).toMatchObject([{ amount: '23.85' }]);
    const { body } = await shop.reportByKey({ orderId: 'A-1', amount: 23.85 }, { idempotencyKey: 'k-1' });
    const retry = await shop.reportByKey(
      { orderId: 'A-1', amount: 23.849999999999998 },
      { idempotencyKey: 'k-1' },
    );
    expect([body.data.isNew, retry.status, retry.body.data.amount]).toEqual([false, 200, 23.85]);
    await shop.report({ orderId: 'A-1', amount: 17.9 + 5.95 });
    expect((await shop.stored()).map(({ amount }) => amount)).toEqual(['23.85']);
    expect(await shop.refused()).toEqual([]);
  });

  test.for([
    [183.60000000000002, 183.6, 'USD'],
    [836.9999999999998, 837, 'USD'],
    [448.753425, 448.75, 'USD'],
    [1634.5, 1635, 'JPY'],
  ] as const)('of %d is refunded by %d %s', async ([amount, refunded, currency], { shop }) => {
    await shop.reportByKey({ orderId: 'A-1', amount, currency });
    const { status, body } = await shop.refund({ orderId: 'A-1', refundId: 'r-1', amount: refunded });
    expect([status, body.data?.paymentStatus]).toEqual([200, 'REFUNDED']);
  });
});

describe('createdAt', () => {
  test('of a key dates the order', async ({ shop }) => {
    const { body } = await shop.reportByKey({ createdAt: '2026-01-31T23:30:00+02:00' });
    expect(body.data.createdAt).toBe('2026-01-31T21:30:00.000Z');
    expect((await shop.stored())[0]!.createdAt).toEqual(new Date('2026-01-31T21:30:00Z'));
  });

  test('of a key whose clock is ahead is the time of its arrival', async ({ shop }) => {
    const ahead = new Date(Date.now() + 4 * 60_000).toISOString();
    const { status, body } = await shop.reportByKey({ createdAt: ahead });
    expect([status, body.data.createdAt < ahead]).toEqual([200, true]);
  });

  test.for([
    ['2999-01-01T00:00:00Z', 'must be in the past'],
    ['0000-01-01T00:00:00Z', 'must be a time since 1990'],
    ['0001-01-01T00:00:00Z', 'must be a time since 1990'],
    ['1970-01-01T01:00:00+01:00', 'must be a time since 1990'],
    ['yesterday', 'must be a time such as 2026-11-26T09:30:00Z'],
    [1769902200000, 'must be a time such as 2026-11-26T09:30:00Z'],
  ] as const)('of a key is refused: %s', async ([createdAt, message], { shop }) => {
    const { status, body } = await shop.reportByKey({ createdAt });
    expect([status, body.error.issues]).toEqual([400, [{ path: 'createdAt', message }]]);
    expect(await shop.stored()).toEqual([]);
  });

  test('of a page is a field of its own', async ({ shop }) => {
    const { body } = await shop.report({ createdAt: '2026-01-31T21:30:00Z' });
    const [order] = await shop.stored();
    expect(order!.extra).toEqual({ createdAt: '2026-01-31T21:30:00Z' });
    expect(body.data.createdAt).toBe(order!.createdAt.toISOString());
  });
});

describe('an id of 255 characters', () => {
  const id = 'x'.repeat(255);

  test('finds the order again', async ({ shop }) => {
    await shop.reportByKey({ orderId: id }, { idempotencyKey: `${id.slice(1)}k` });
    const { body } = await shop.reportByKey({ orderId: id }, { idempotencyKey: `${id.slice(1)}k` });
    expect([body.data.isNew, (await shop.stored()).length]).toEqual([false, 1]);
    expect((await shop.read(id)).body.data.orderId).toBe(id);
  });
});
