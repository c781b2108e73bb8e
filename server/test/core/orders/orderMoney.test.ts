import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { features } from '../../../src/app/features.js';
import { eraseBuyer } from '../../../src/commands/eraseBuyer.js';
import { issueSigningKey } from '../../../src/core/teams/issueKey.js';
import { install } from '../../../src/host/install.js';
import { listenersOf } from '../../kit/listeners.js';
import { type Shop, test } from '../../kit/shop.js';
import { warningsOf } from '../../kit/warnings.js';

/** A report of one order: its sender, and its fields other than the amount. */
type MoneyReport = ['page' | 'key' | 'signed page', Record<string, unknown>];

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

const [page, key, signed] = ['page', 'key', 'signed page'] as const;
const all = { currency: 'EUR', source: 'STRIPE' };
const defaults = { currency: 'USD', source: 'MANUAL' };

describe('what nobody said is no word:', () => {
  test.for<[string, MoneyReport[], string, number]>([
    ['a page', [[page, {}]], 'USD OTHER', 0],
    ['a key', [[key, {}]], 'USD MANUAL', 0],
    [
      'a page, a key',
      [
        [page, {}],
        [key, {}],
      ],
      'USD MANUAL',
      0,
    ],
    [
      'a key, a page',
      [
        [key, {}],
        [page, {}],
      ],
      'USD MANUAL',
      0,
    ],
    [
      'a page that says all, a key',
      [
        [page, all],
        [key, {}],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a key, a page that says all',
      [
        [key, {}],
        [page, all],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a key, a key that says all',
      [
        [key, {}],
        [key, all],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a key that says all, a key',
      [
        [key, all],
        [key, {}],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a key that says all, a page',
      [
        [key, all],
        [page, {}],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a page, a page that says all',
      [
        [page, {}],
        [page, all],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a page that says all, a page',
      [
        [page, all],
        [page, {}],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a page, a key, a page that says all',
      [
        [page, {}],
        [key, {}],
        [page, all],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a page, a key, a key that says all',
      [
        [page, {}],
        [key, {}],
        [key, all],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a page, a key, each with one',
      [
        [page, { source: 'STRIPE' }],
        [key, { currency: 'EUR' }],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'two of each',
      [
        [page, all],
        [key, {}],
        [key, { currency: 'GBP', source: 'PAYPAL' }],
      ],
      'GBP PAYPAL',
      1,
    ],
    [
      'a key that says one, a page',
      [
        [key, { currency: 'GBP' }],
        [page, all],
      ],
      'GBP STRIPE',
      1,
    ],
    [
      'a key that says what the defaults are',
      [
        [key, defaults],
        [page, all],
      ],
      'USD MANUAL',
      1,
    ],
    [
      'a page that says what the defaults are',
      [
        [page, defaults],
        [page, all],
      ],
      'USD MANUAL',
      1,
    ],
    [
      'a page that says them, a key',
      [
        [page, { ...defaults, source: 'OTHER' }],
        [key, {}],
      ],
      'USD OTHER',
      0,
    ],
    [
      'a page, a page of another amount',
      [
        [page, {}],
        [page, { ...all, amount: 1 }],
      ],
      'EUR STRIPE',
      1,
    ],
    [
      'a key, a page of another amount',
      [
        [key, {}],
        [page, { ...all, amount: 1 }],
      ],
      'EUR STRIPE',
      1,
    ],
    [
      'a key, a page whose amount is the same in its currency, which has no decimals',
      [
        [key, { amount: 1_999.6 }],
        [page, { ...all, currency: 'JPY', amount: 2_000 }],
      ],
      'JPY STRIPE',
      0,
    ],
    [
      'a page of another amount, a key',
      [
        [page, { ...all, amount: 1 }],
        [key, {}],
      ],
      'EUR STRIPE',
      1,
    ],
    [
      'a page, a key of another amount',
      [
        [page, {}],
        [key, { ...all, amount: 1 }],
      ],
      'EUR STRIPE',
      1,
    ],
    ['a signed page', [[signed, {}]], 'USD OTHER', 0],
    [
      'a signed page, a key',
      [
        [signed, {}],
        [key, {}],
      ],
      'USD MANUAL',
      0,
    ],
    [
      'a signed page, a key that says all',
      [
        [signed, {}],
        [key, all],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a signed page, a page that says all',
      [
        [signed, {}],
        [page, all],
      ],
      'USD STRIPE',
      1,
    ],
    [
      'a page that says all, a signed page',
      [
        [page, all],
        [signed, {}],
      ],
      'EUR STRIPE',
      0,
    ],
    [
      'a key that says all, a signed page',
      [
        [key, all],
        [signed, {}],
      ],
      'EUR STRIPE',
      0,
    ],
  ])('%s', async ([_, reports, expected, differ], { shop }) => {
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
    for (const more of reports) answers.push((await speak(shop, [key, more], 'k-1')).status);
    expect([answers, await moneyOf(shop)]).toEqual([statuses, [expected]]);
  });

  test('an Idempotency-Key without a currency finds the order that another key has given one', async ({
    shop,
  }) => {
    await speak(shop, [key, {}], 'k-1');
    await speak(shop, [key, all], 'k-2');
    const { status, body } = await speak(shop, [key, all], 'k-1');
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

  test('the order of an erased buyer keeps what was said, and is given what was not', async ({ shop }) => {
    for (const stated of [all, {}]) {
      for (const table of ['placed_order', 'statement'])
        await shop.sql`delete from ${shop.sql(table)} where team_id = ${shop.team}`;
      const { body } = await speak(shop, [page, stated]);
      const [{ personId, email }] = (await shop.stored()) as [Record<string, string>];
      await eraseBuyer(
        shop.sql,
        shop.team,
        { id: personId!, email: email! },
        { listeners: listenersOf(shop.sql), parts: install(features).people },
      );
      expect((await speak(shop, [key, {}])).body.data.id).toBe(body.data.id);
      expect(await moneyOf(shop)).toEqual([stated === all ? 'EUR STRIPE' : 'USD MANUAL']);
      await speak(shop, [key, all]);
      expect(await moneyOf(shop)).toEqual(['EUR STRIPE']);
    }
  });

  test('amounts that differ are named without a currency that nobody said', async ({ shop }) => {
    await speak(shop, [key, { ...all, amount: 45 }]);
    const { body } = await speak(shop, [key, {}]);
    const message = `is 49.9 here, and 45 EUR in the stored order ${body.data.orderNumber}`;
    expect(body.data.warnings).toEqual([{ path: 'amount', message }]);
  });
});

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

describe('a decimal that a program printed in full', () => {
  test.for([
    ['67.2000000000000028421709430404007434844970703125', 67.2],
    ['67.20000000000000284217', 67.2],
    ['0.1000000000000000055511151231257827021181583404541015625', 0.1],
    ['49.900001525878906', 49.9],
    ['1234.56005859375', 1234.56],
    ['0.00000012', 1.2e-7],
    ['1.01171875', 1.01171875],
    ['1234567.125', 1234567.125],
  ] as const)(
    'is the number that it was: %s, in amounts, items and refunds',
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
    [
      '2026-11-26T09:30:00',
      'lacks a zone; must be a time such as 2026-11-26T09:30:00Z or 2026-11-26T10:30:00+01:00',
    ],
    [
      '2026-11-26T09:30Z',
      'lacks seconds; must be a time such as 2026-11-26T09:30:00Z or 2026-11-26T10:30:00+01:00',
    ],
    [
      '2026-11-26 09:30',
      'lacks seconds and a zone; must be a time such as 2026-11-26T09:30:00Z or 2026-11-26T10:30:00+01:00',
    ],
    [
      '2026-11-26',
      'lacks a time of day and a zone; must be a time such as 2026-11-26T09:30:00Z or 2026-11-26T10:30:00+01:00',
    ],
    [
      '2026-11-26 09:30:00+0100',
      'must be a time such as 2026-11-26T09:30:00Z: send 2026-11-26T09:30:00+01:00 for "2026-11-26 09:30:00+0100"',
    ],
    [
      '2026-11-26 09:30:00 utc',
      'must be a time such as 2026-11-26T09:30:00Z: send 2026-11-26T09:30:00Z for "2026-11-26 09:30:00 utc"',
    ],
    ['2026-02-30T09:30:00Z', 'is no time of the calendar; must be a time such as 2026-11-26T09:30:00Z'],
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
