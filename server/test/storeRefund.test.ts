import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Sql } from '../src/database/connection/connect.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { createAskOrders } from '../src/orders/askOrders.js';
import type { RefundReport } from '../src/orders/refundReport.js';
import { settleRefunds } from '../src/orders/settleRefunds.js';
import { listRefunds, sumRefunds } from '../src/orders/sql/listRefunds.js';
import { isAwaited } from '../src/orders/sql/waitingRefund.js';
import { createStoreRefund, type StoreRefund } from '../src/orders/storeRefund.js';
import { decodeId, encodeId } from '../src/values/ids.js';
import { patient, startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let other: ReturnType<typeof connect>;
let stores: StoreRefund[];
let team: { uuid: string; teamId: string };
let key: string;
let testKey: string;

beforeAll(async () => {
  server = await startTestServer();
  other = connect(server.env.DATABASE_URL!, 4, patient.statements);
  stores = [server.pools.work, other].map((sql) => createStoreRefund(createAskOrders(sql, patient.queue)));
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
  testKey = await server.addKey(team.uuid, 'test');
});
afterAll(async () => {
  await other.end();
  await server.close();
});

/** Reports an order by key; returns its id. */
async function order(said: object, { by = key, idempotencyKey = crypto.randomUUID() as string } = {}) {
  const report = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, ...said };
  const { body } = await server.reportByKey(by, report, { 'idempotency-key': idempotencyKey });
  return decodeId('ord', body.data.id)!;
}

let count = 1000;
const refundReport = (said: Partial<RefundReport>): RefundReport => ({
  // Of two refunds of the same time the lower refundId is the first one.
  refundId: `r-${++count}`,
  orderId: null,
  paymentId: null,
  amount: null,
  reason: null,
  isTest: false,
  createdAt: '2026-11-01T00:00:00.000Z',
  isExact: true,
  ...said,
});
const refund = (said: Partial<RefundReport>, server = 0) => stores[server]!(team.uuid, refundReport(said));

/** Amounts of the refunds of an order that count. */
async function amounts(id: string): Promise<number[]> {
  return (await listRefunds(server.sql, team.uuid, id)).map(({ counted }) => Number(counted));
}

describe('a refund of a known order', () => {
  it('takes the amount that it says, or else all that is left', async () => {
    const id = await order({ orderId: 'part' });
    expect(await refund({ orderId: 'part', amount: 10.5 })).toMatchObject({
      isNew: true,
      placedOrderId: id,
      amount: '10.5',
      currency: 'USD',
      orderAmount: '50',
      refunded: '10.5',
    });
    expect(await refund({ orderId: 'part' })).toMatchObject({ counted: '39.5', refunded: '50' });
  });

  it('adds up decimals exactly', async () => {
    const id = await order({ orderId: 'decimals', amount: 0.3 });
    await refund({ orderId: 'decimals', amount: 0.1 });
    expect(await refund({ orderId: 'decimals', amount: '0.2' })).toMatchObject({ refunded: '0.3' });
    expect(await amounts(id)).toEqual([0.1, 0.2]);
  });

  it('is refused when it is more than is left, and a source’s is cut to that', async () => {
    const id = await order({ orderId: 'over' });
    await refund({ orderId: 'over', amount: 20 });
    await expect(refund({ orderId: 'over', amount: 30.01 })).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'amount', message: 'must be at most 30 USD, which is left of the order' }],
    });
    expect(await amounts(id)).toEqual([20]);
    expect(await refund({ orderId: 'over', amount: 99, isExact: false })).toMatchObject({
      amount: '99',
      counted: '30',
    });
    await expect(refund({ orderId: 'over' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await refund({ orderId: 'over', isExact: false })).toMatchObject({ counted: '0' });
  });

  it('finds the order by its ord_ id, by the own id, and by an Idempotency-Key', async () => {
    const id = await order({ orderId: 'named' }, { idempotencyKey: 'pi_named' });
    const { body } = await server.reportByKey(
      key,
      { teamId: team.teamId, email: 'ann@mail.example', amount: 50, orderId: 'named' },
      { 'idempotency-key': 'pi_further' },
    );
    for (const names of [
      { orderId: body.data.id },
      { paymentId: 'pi_named' },
      { paymentId: 'pi_further' },
      { orderId: 'nobody-knows', paymentId: 'pi_named' },
    ]) {
      expect(await refund({ ...names, amount: 1 })).toMatchObject({ placedOrderId: id });
    }
    await expect(refund({ orderId: `ord_${'0'.repeat(26)}` })).rejects.toMatchObject({
      code: 'order_not_found',
    });
  });

  it('never meets an order of the other mode', async () => {
    const live = await order({ orderId: 'both' });
    const test = await order({ orderId: 'both', amount: 7 }, { by: testKey });
    await refund({ refundId: 'same', orderId: 'both', isTest: true });
    expect([await amounts(live), await amounts(test)]).toEqual([[], [7]]);
    await refund({ refundId: 'same', orderId: 'both', amount: 5 });
    expect([await amounts(live), await amounts(test)]).toEqual([[5], [7]]);
  });
});

describe('a refund of a shop system', () => {
  it.each([
    ['refundId', { refundId: '' }],
    ['refundId', { refundId: 'a\0' }],
    ['orderId', { orderId: 'x'.repeat(256) }],
    ['orderId', { orderId: null }],
    ['paymentId', { paymentId: '\ud800' }],
    ['amount', { amount: 'ten' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '0.00' }],
    ['amount', { amount: Number.NaN }],
    ['amount', { amount: '1000000000001' }],
    ['amount', { amount: '1e400' }],
  ])('with a wrong %s is refused by its name: %o', async (path, said) => {
    const sent = { orderId: 'odd', isExact: false, ...said };
    await expect(refund(sent)).rejects.toMatchObject({ code: 'invalid_request', issues: [{ path }] });
  });

  it('keeps what can be stored of its reason', async () => {
    await order({ orderId: 'reasons' });
    const long = await refund({ orderId: 'reasons', amount: 1, reason: 'x'.repeat(300), isExact: false });
    expect(long.reason).toBe('x'.repeat(255));
    const odd = await refund({ orderId: 'reasons', amount: 1, reason: 'a\0b', isExact: false });
    expect(odd.reason).toBe('ab');
  });
});

describe('the same refundId again', () => {
  it('is the same refund with the same order and amount', async () => {
    const id = await order({ orderId: 'again' });
    const first = await refund({ refundId: 'again-1', orderId: 'again', amount: 10 });
    const rest = await refund({ refundId: 'again-2', orderId: 'again' });
    const later = { ...first, isNew: false, refunded: '50' };
    expect(await refund({ refundId: 'again-1', orderId: 'again', amount: '10.00' })).toEqual(later);
    expect(await refund({ refundId: 'again-1', orderId: 'again', amount: 10 }, 1)).toEqual(later);
    expect(await refund({ refundId: 'again-2', orderId: 'again' })).toEqual({ ...rest, isNew: false });
    expect(await amounts(id)).toEqual([10, 40]);
  });

  it('is refused with another order or amount', async () => {
    const id = await order({ orderId: 'reused' });
    await order({ orderId: 'reused-other' });
    await refund({ refundId: 'reused-1', orderId: 'reused', amount: 10 });
    for (const said of [
      { orderId: 'reused', amount: 11 },
      { orderId: 'reused' },
      { orderId: 'reused-other', amount: 10 },
      { orderId: 'unknown', amount: 10 },
    ]) {
      await expect(refund({ refundId: 'reused-1', ...said })).rejects.toMatchObject({
        code: 'refund_id_reused',
      });
    }
    expect(await amounts(id)).toEqual([10]);
  });
});

describe('two servers concurrently', () => {
  it('store the same refund once', async () => {
    const id = await order({ orderId: 'race' });
    const stored = await Promise.all(
      Array.from({ length: 8 }, (_, at) => refund({ refundId: 'race', orderId: 'race', amount: 10 }, at % 2)),
    );
    expect(stored.filter(({ isNew }) => isNew)).toHaveLength(1);
    const waiting = await Promise.all(
      Array.from({ length: 8 }, (_, at) => refund({ refundId: 'race-waits', orderId: 'race-later' }, at % 2)),
    );
    expect(waiting.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await amounts(id)).toEqual([10]);
  });

  it('give back all that is left of an order once', async () => {
    const id = await order({ orderId: 'rest' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => refund({ orderId: 'rest' }, at % 2)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await amounts(id)).toEqual([50]);
  });

  it('never give back more than the order in parts', async () => {
    const id = await order({ orderId: 'parts' });
    await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => refund({ orderId: 'parts', amount: 7 }, at % 2)),
    );
    expect(await amounts(id)).toEqual([7, 7, 7, 7, 7, 7, 7]);
  });
});

describe('a refund that comes before its order', () => {
  it('waits for it, by either name, and is cut to what is left', async () => {
    const waiting = await refund({ orderId: 'late', amount: 30, reason: 'broken' });
    expect(waiting).toMatchObject({ isNew: true, placedOrderId: null, counted: null, amount: '30' });
    await refund({ paymentId: 'pi_late', amount: 15, createdAt: '2026-11-02T00:00:00.000Z' });
    await refund({ orderId: 'late', amount: 99, createdAt: '2026-11-03T00:00:00.000Z' });
    const id = await order({ orderId: 'late' }, { idempotencyKey: 'pi_late' });
    await Promise.all([settleRefunds(server.sql, team.uuid), settleRefunds(other, team.uuid)]);
    expect(await amounts(id)).toEqual([30, 15, 5]);
    const { refundId } = waiting;
    expect(await refund({ refundId, orderId: 'late', amount: 30 })).toMatchObject({
      isNew: false,
      placedOrderId: id,
      amount: '30',
      reason: 'broken',
    });
  });

  it('is the same refund when it is reported again by the id of that order', async () => {
    await refund({ refundId: 'late-again', orderId: 'late-again', amount: 5 });
    const id = await order({ orderId: 'late-again' });
    const again = { refundId: 'late-again', orderId: encodeId('ord', id), amount: 5 };
    expect(await refund(again)).toMatchObject({ isNew: false, placedOrderId: id, counted: '5' });
  });

  it('gives back the whole order when it names no amount', async () => {
    await refund({ orderId: 'late-whole' });
    const id = await order({ orderId: 'late-whole', amount: 12.34 });
    await settleRefunds(server.sql, team.uuid);
    expect(await amounts(id)).toEqual([12.34]);
  });
});

describe('the refunds of an order', () => {
  it('count no further than an amount that a later report has lowered', async () => {
    const page = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, orderId: 'lowered' };
    await server.report(page);
    await refund({ orderId: 'lowered', amount: 30 });
    await refund({ orderId: 'lowered', amount: 20, createdAt: '2026-11-02T00:00:00.000Z' });
    const id = await order({ orderId: 'lowered', amount: 40, currency: 'EUR' });
    expect(await amounts(id)).toEqual([30, 10]);
  });

  it('are the same whether they came before a report that corrects the amount or after it', async () => {
    const page = { teamId: team.teamId, email: 'ann@mail.example', amount: 20 };
    const of = (orderId: string) => [
      () => server.report({ ...page, orderId }),
      () => order({ orderId, amount: 50 }),
      () => refund({ refundId: `${orderId}-1`, orderId, amount: 30, isExact: false }),
      () => refund({ refundId: `${orderId}-2`, orderId, isExact: false }),
    ];
    const orders = [
      [0, 1, 2, 3],
      [0, 2, 1, 3],
      [0, 2, 3, 1],
      [2, 0, 3, 1],
      [3, 2, 0, 1],
    ];
    for (const [at, steps] of orders.entries()) {
      const orderId = `corrected-${at}`;
      for (const step of steps) {
        await of(orderId)[step]!();
        await settleRefunds(server.sql, team.uuid);
      }
      expect([steps, await amounts(await order({ orderId, amount: 50 }))]).toEqual([steps, [30, 20]]);
    }
  });
});

async function countLookUps(tx: Sql): Promise<number> {
  const [row] = await tx<[{ scans: number }]>`
    select idx_scan::int as scans from pg_stat_xact_user_tables where relname = 'placed_order'`;
  return row.scans;
}

describe('an order among many waiting refunds', () => {
  it('finds its own without looking up the orders of all others', async () => {
    const shop = await server.addTeam();
    const report = { teamId: shop.teamId, email: 'ann@mail.example', amount: 50, orderId: 'known' };
    const { body } = await server.reportByKey(await server.addKey(shop.uuid), report);
    const id = decodeId('ord', body.data.id)!;
    await server.sql`
      insert into refund (team_id, is_test, refund_id, order_id, payment_id, created_at)
      select ${shop.uuid}, false, 'waits-' || i, case when i % 2 = 0 then 'unknown-' || i end,
        case when i % 2 = 1 then 'pi_unknown' || i end, now()
      from generate_series(1, 10000) i`;
    await server.sql`analyze refund`;
    const lookUps = await inTransaction(server.sql, async (tx) => {
      const before = await countLookUps(tx);
      await isAwaited(tx, shop.uuid, id);
      return (await countLookUps(tx)) - before;
    });
    expect(lookUps).toBeLessThan(10);
  });
});

describe('the sum of refunds', () => {
  it('counts by the date of the refund, the mode, and the currency of the order', async () => {
    const shop = await server.addTeam();
    const own = { live: await server.addKey(shop.uuid), test: await server.addKey(shop.uuid, 'test') };
    for (const [by, orderId, currency] of [
      [own.live, 'usd', 'USD'],
      [own.live, 'eur', 'EUR'],
      [own.test, 'usd', 'USD'],
    ] as const) {
      const report = { teamId: shop.teamId, email: 'ann@mail.example', amount: 50, orderId, currency };
      await server.reportByKey(by, report);
    }
    const give = (said: Partial<RefundReport>) => stores[0]!(shop.uuid, refundReport(said));
    await give({ orderId: 'usd', amount: 1, createdAt: '2026-10-31T23:59:59.999Z' });
    await give({ orderId: 'usd', amount: 2, createdAt: '2026-11-01T00:00:00.000Z' });
    await give({ orderId: 'usd', amount: 3.5, createdAt: '2026-11-30T23:59:59.999Z' });
    await give({ orderId: 'usd', amount: 4, createdAt: '2026-12-01T00:00:00.000Z' });
    await give({ orderId: 'eur', amount: 8, createdAt: '2026-11-05T00:00:00.000Z' });
    await give({ orderId: 'usd', amount: 16, isTest: true, createdAt: '2026-11-05T00:00:00.000Z' });
    await give({ orderId: 'waits', amount: 32, createdAt: '2026-11-05T00:00:00.000Z' });
    const november = { since: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') };
    expect(await sumRefunds(server.sql, shop.uuid, { ...november, isTest: false })).toEqual([
      { currency: 'EUR', refunds: 1, amount: '8' },
      { currency: 'USD', refunds: 2, amount: '5.5' },
    ]);
    expect(await sumRefunds(server.sql, shop.uuid, { ...november, isTest: true })).toEqual([
      { currency: 'USD', refunds: 1, amount: '16' },
    ]);
  });
});
