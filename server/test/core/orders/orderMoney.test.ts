import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { issueSigningKey } from '../../../src/core/teams/issueKey.js';
import { type Shop, test } from '../../kit/shop.js';
import { warningsOf } from '../../kit/warnings.js';

/** A report of one order: its sender (page, key, or signed for a signed page), and its fields other than the amount. */
type MoneyReport = [by: string, more: Record<string, unknown>];

/** Reports the order `A-1`. */
async function speak(shop: Shop, [by, more]: MoneyReport, idempotencyKey?: string) {
  const sent = shop.order({ orderId: 'A-1', ...more });
  if (by === 'page') return shop.report(sent);
  if (by === 'key') return shop.reportByKey(sent, { ...(idempotencyKey && { idempotencyKey }) });
  const { key } = (await issueSigningKey(shop.sql, shop.team, { isTest: false, name: null }))!;
  const { teamId, orderId, email, amount } = sent;
  const text = [teamId, orderId, email, amount, more.currency ?? 'USD'].join('\n');
  return shop.report({ ...sent, signature: createHmac('sha256', key).update(text).digest('hex') });
}

/** Reads currency and source of the stored orders of a shop. */
const moneyOf = async (shop: Shop) =>
  (await shop.stored()).map(({ currency, source }) => `${currency} ${source}`);

const all = { currency: 'EUR', source: 'STRIPE' };
const defaults = { currency: 'USD', source: 'MANUAL' };

describe('what nobody said is no word:', () => {
  test.for<[Record<string, Record<string, unknown>>, string, number]>([
    [{ page: {} }, 'USD OTHER', 0],
    [{ key: {} }, 'USD MANUAL', 0],
    [{ signed: {} }, 'USD OTHER', 0],
    [{ page: all, key: {} }, 'EUR STRIPE', 0],
    [{ key: {}, page: all }, 'EUR STRIPE', 0],
    [{ signed: {}, key: {} }, 'USD MANUAL', 0],
    [{ signed: {}, page: all }, 'USD STRIPE', 1],
    [{ page: defaults, 'page again': all }, 'USD MANUAL', 1],
    [{ key: {}, page: { ...all, amount: 1 } }, 'EUR STRIPE', 1],
    [{ page: all, key: {}, 'key again': { currency: 'GBP', source: 'PAYPAL' } }, 'GBP PAYPAL', 1],
    // The amount is the same in a currency without decimals.
    [{ key: { amount: 1_999.6 }, page: { ...all, currency: 'JPY', amount: 2_000 } }, 'JPY STRIPE', 0],
  ])('%j', async ([stated, expected, differ], { shop }) => {
    const reports = Object.entries(stated).map(([by, more]): MoneyReport => [by.split(' ')[0]!, more]);
    for (const moneyReport of reports) {
      const { status, body } = await speak(shop, moneyReport);
      expect([status, warningsOf(body)]).toEqual([200, []]);
    }
    expect(await moneyOf(shop)).toEqual([expected]);
    const stored = await shop.stored();
    for (const moneyReport of reports)
      expect((await speak(shop, moneyReport)).body.data.currency).toBe(stored[0]!.currency);
    expect(await shop.stored()).toEqual(stored);
    // When this refusal is kept, all before it are, too.
    await shop.report({ amount: 'none' });
    await expect.poll(async () => (await shop.refused()).length).toBe(1 + differ);
  });

  test.for<[string, Record<string, unknown>[], number[], string]>([
    ['then with one', [{}, all], [200, 200], 'EUR STRIPE'],
    ['first with one', [all, {}], [200, 200], 'EUR STRIPE'],
    ['with none, with one, with another', [{}, all, { currency: 'GBP' }], [200, 200, 200], 'EUR STRIPE'],
    ['with the default, then with another', [{ currency: 'USD' }, all], [200, 422], 'USD MANUAL'],
  ])('an Idempotency-Key without a currency, %s', async ([_, reports, statuses, expected], { shop }) => {
    const answers = [];
    for (const more of reports) answers.push((await speak(shop, ['key', more], 'k-1')).status);
    expect([answers, await moneyOf(shop)]).toEqual([statuses, [expected]]);
  });

  test('an Idempotency-Key without a currency finds the order that another key has given one', async ({
    shop,
  }) => {
    await speak(shop, ['key', {}], 'k-1');
    await speak(shop, ['key', all], 'k-2');
    const { status, body } = await speak(shop, ['key', all], 'k-1');
    expect([status, body.data.currency, body.data.warnings]).toEqual([200, 'EUR', undefined]);
  });

  test.for(['page', 'key'])(
    'a %s that names no currency is warned of the one that is taken, again for the same order, and no longer once it is known',
    async (by, { shop }) => {
      const report = by === 'page' ? shop.report : shop.reportByKey;
      const sent = shop.order();
      const taken = {
        path: 'currency',
        message: 'is missing; USD is taken. Name it in each report, such as currency: "EUR"',
      };
      for (const isNew of [true, false])
        expect((await report(sent)).body.data).toMatchObject({ isNew, currency: 'USD', warnings: [taken] });
      expect((await report(shop.order({ currency: 'USD' }))).body.data).not.toHaveProperty('warnings');
      await shop.reportByKey({ ...sent, currency: 'EUR' });
      const known = (await report(sent)).body.data;
      expect(known).toMatchObject({ isNew: false, currency: 'EUR' });
      expect(known).not.toHaveProperty('warnings');
    },
  );

  test('amounts that differ are named without a currency that nobody said', async ({ shop }) => {
    await speak(shop, ['key', { ...all, amount: 45 }]);
    const { body } = await speak(shop, ['key', {}]);
    const message = `is 49.9 here, and 45 EUR in the stored order ${body.data.orderNumber}`;
    expect(body.data.warnings).toEqual([{ path: 'amount', message }]);
  });
});

test.for([
  [448.753425, 448.75, 'USD'],
  [1634.5, 1635, 'JPY'],
] as const)('an order of %d is refunded by %d %s', async ([amount, refunded, currency], { shop }) => {
  await shop.reportByKey({ orderId: 'A-1', amount, currency });
  const { status, body } = await shop.refund({ orderId: 'A-1', refundId: 'r-1', amount: refunded });
  expect([status, body.data?.paymentStatus]).toEqual([200, 'REFUNDED']);
});

test.for([
  ['67.2000000000000028421709430404007434844970703125', 67.2],
  ['49.900001525878906', 49.9],
  ['0.00000012', 1.2e-7],
] as const)(
  'a decimal that a program printed in full is the number that it was, in amounts, items and refunds: %s',
  async ([printed, number], { shop }) => {
    const of = (more: object) =>
      JSON.stringify(shop.order({ orderId: 'A-1', currency: 'USDC', ...more })).replaceAll(
        '"printed"',
        printed,
      );
    const items = [{ sku: 'A', price: 'printed' }];
    expect((await shop.reportByKey(of({ amount: 'printed', items }))).status).toBe(200);
    expect((await shop.report(of({ amount: 'printed' }))).body.data.amount).toBe(number);
    const [order] = await shop.stored();
    expect(Number(order!.amount)).toBe(number);
    expect(typeof order!.items[0].price).toBe('number');
    const refund = await shop.refund(`{"orderId":"A-1","refundId":"r-1","amount":${printed}}`);
    expect([refund.status, refund.body.data.paymentStatus]).toEqual([200, 'REFUNDED']);
    expect(await shop.refused()).toEqual([]);
  },
);

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

  const form = 'must be a time such as 2026-11-26T09:30:00Z';
  const zoned = `${form} or 2026-11-26T10:30:00+01:00`;
  test.for([
    ['2999-01-01T00:00:00Z', 'must be in the past'],
    ['0000-01-01T00:00:00Z', 'must be a time since 1990'],
    ['1970-01-01T01:00:00+01:00', 'must be a time since 1990'],
    ['yesterday', form],
    ['2026-11-26T09:30:00', `lacks a zone; ${zoned}`],
    ['2026-11-26T09:30Z', `lacks seconds; ${zoned}`],
    ['2026-11-26 09:30', `lacks seconds and a zone; ${zoned}`],
    ['2026-11-26', `lacks a time of day and a zone; ${zoned}`],
    ['2026-11-26 09:30:00+0100', `${form}: send 2026-11-26T09:30:00+01:00 for "2026-11-26 09:30:00+0100"`],
    ['2026-11-26 09:30:00 utc', `${form}: send 2026-11-26T09:30:00Z for "2026-11-26 09:30:00 utc"`],
    ['2026-02-30T09:30:00Z', `is no time of the calendar; ${form}`],
    [1769902200000, form],
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

test('an id of 255 characters finds the order again', async ({ shop }) => {
  const id = 'x'.repeat(255);
  await shop.reportByKey({ orderId: id }, { idempotencyKey: `${id.slice(1)}k` });
  const { body } = await shop.reportByKey({ orderId: id }, { idempotencyKey: `${id.slice(1)}k` });
  expect([body.data.isNew, (await shop.stored()).length]).toEqual([false, 1]);
  expect((await shop.read(id)).body.data.orderId).toBe(id);
});
