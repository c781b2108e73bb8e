import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { removeSettled } from '../../../src/features/refused/sql/removeRefused.js';
import { encodeId } from '../../../src/values/ids.js';
import { findWaitsBehind } from '../../kit/lockWaits.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { replay } from './kit/refused.js';

/** Reads the kept reports of a shop, once there are this many. */
async function keptAfter(shop: Shop, reports: number) {
  await expect.poll(async () => (await shop.refused()).length).toBe(reports);
  return shop.refused();
}

/** Reports an order of 49.9 USD as a page, and then again with each of these changes. The default currency is the order's. */
async function reportDiffering(shop: Shop, ...again: object[]) {
  const { body } = await shop.report({ orderId: 'o-1', currency: 'USD' });
  const answers = [];
  for (const more of again) answers.push(await shop.report({ orderId: 'o-1', ...more }));
  return { first: body.data, answers };
}

describe('a page’s report of a known order with other money', () => {
  test('is answered with the order, and kept with both amounts', async ({ shop }) => {
    const { first, answers } = await reportDiffering(shop, { amount: 45, currency: 'USD' });
    expect(answers[0]!.status).toBe(200);
    expect(answers[0]!.body.data).toEqual({ ...first, isNew: false });
    const message = `is 45 USD here, and 49.9 USD in the stored order ${first.orderNumber}`;
    expect(await keptAfter(shop, 1)).toMatchObject([
      {
        reason: 'order_differs',
        field: 'amount',
        amount: '45',
        currency: 'USD',
        host: shop.domain,
        times: 1,
        issues: [{ path: 'amount', message }],
      },
    ]);
    expect(await shop.stored()).toMatchObject([{ amount: '49.9', currency: 'USD' }]);
  });

  test('is one entry for each difference, also where only the currency differs', async ({ shop }) => {
    await reportDiffering(shop, ...[45, 45, 45.0, 44].map((amount) => ({ amount })), { currency: 'eur' });
    const kept = async () => (await shop.refused()).map(({ field, times }) => `${field} ${times}`).sort();
    await expect.poll(kept).toEqual(['amount 1', 'amount 3', 'currency 1']);
  });

  test('is not one that is the same, or another buyer’s; a key’s is one unless it is the first', async ({
    shop,
  }) => {
    await reportDiffering(shop, { amount: 49.9, currency: 'usd', name: 'Ann' });
    for (const amount of [48, 47]) await shop.reportByKey({ orderId: 'o-1', amount });
    await shop.report({ orderId: 'o-1', email: 'eve@shop.example', amount: 1 });
    // When this refusal is kept, all before it are, too.
    await shop.report({ amount: 'none' });
    const reasons = (await shop.refused()).map(({ reason }) => reason);
    expect(reasons).toEqual(['order_differs', 'order_conflict', 'invalid_request']);
  });

  test('is kept of an order that a key has confirmed, and needs no attention once the order has its amount', async ({
    shop,
  }) => {
    await shop.reportByKey({ orderId: 'confirmed' });
    await shop.report({ orderId: 'confirmed', amount: 1 });
    await reportDiffering(shop, { amount: 60 });
    await keptAfter(shop, 2);
    await shop.reportByKey({ orderId: 'o-1', amount: 60, currency: 'EUR' });
    await removeSettled(shop.sql, shop.team);
    expect(await keptAfter(shop, 1)).toMatchObject([{ orderId: 'confirmed' }]);
  });

  test.for([
    ['a page’s with the reportId of the order', { orderId: undefined, reportId: 'r-1' }],
    ['a key’s whose Idempotency-Key the order has since then', { orderId: 'o-1' }, 'k-2'],
  ] as const)('waits until somebody has decided: %s', async ([_, order, idempotencyKey], { shop }) => {
    const report = (amount: number) =>
      idempotencyKey
        ? shop.reportByKey({ ...order, amount }, { idempotencyKey })
        : shop.report({ ...order, amount });
    await (idempotencyKey ? shop.reportByKey({ ...order, amount: 10 }) : report(10));
    await report(12);
    await keptAfter(shop, 1);
    await removeSettled(shop.sql, shop.team);
    expect(await keptAfter(shop, 1)).toMatchObject([{ reason: 'order_differs', amount: '12' }]);
  });

  test('is never stored by a replay of all, and a replay of its own says why', async ({ shop }) => {
    const { sql, team } = shop;
    await reportDiffering(shop, { amount: 45 });
    const [entry] = await keptAfter(shop, 1);
    expect([...(await replay(sql, team))]).toEqual([]);
    for (const changes of [undefined, { amount: 45 }, { orderId: 'other' }]) {
      const replayed = await replay(sql, team, { ids: [entry!.id] }, changes ? { changes } : {});
      expect([...replayed]).toMatchObject([{ outcome: { kind: 'refused', code: 'order_differs' } }]);
    }
    expect(await shop.refused()).toHaveLength(1);
    expect(await shop.stored()).toHaveLength(1);
  });

  test('is one that was refused before, too, when it is replayed', async ({ shop }) => {
    const other = { origin: 'https://pay.example' };
    await shop.report({ orderId: 'o-1', amount: 45 }, other);
    await shop.addDomain('pay.example');
    await shop.report({ orderId: 'o-1' }, other);
    const ids = (
      await shop.sql<{ id: string }[]>`select id from refused_report where team_id = ${shop.team}`
    ).map(({ id }) => id);
    const replayed = await replay(shop.sql, shop.team, { ids });
    expect([...replayed]).toMatchObject([{ outcome: { kind: 'refused', code: 'order_differs' } }]);
    expect(await shop.refused()).toMatchObject([{ reason: 'order_differs', amount: '45' }]);
  });

  test('is shown with both amounts by command and console, which offer to discard it, and not to store it', async ({
    shop,
  }) => {
    await reportDiffering(shop, { amount: 45, currency: 'USD' });
    const [entry] = await keptAfter(shop, 1);
    const id = encodeId('ref', entry!.id);
    const both = 'is 45 USD here, and 49.9 USD in the stored order';
    expect((await shop.command('refused', 'list', '--json')).stdout).toContain(both);
    const browser = await shop.console();
    const groups = (await browser.get('/console/refused')).text;
    expect(groups).toContain('the order is stored with another amount');
    const page = (await browser.get(`/console/refused/${id}`)).text;
    expect(page).toContain(both);
    for (const html of [groups, page]) {
      expect(html).toContain('Discard');
      expect(html).not.toMatch(/action="[^"]*refused\/(store|correct|allow)"/);
    }
    await shop.command('domain', 'remove', shop.domain);
    expect((await browser.get('/console/refused')).text).not.toContain('refused/allow');
  });
});

describe('on a server of its own', () => {
  it('keeping it neither delays nor fails the answer, whatever the table of refused reports does', async () => {
    const shop = await openShop(await startServerForTest());
    const { sql } = shop;
    await shop.report({ orderId: 'o-1' });
    const statusOf = async (amount: number) => (await shop.report({ orderId: 'o-1', amount })).status;
    await inTransaction(sql, async (tx) => {
      await tx`lock table refused_report in access exclusive mode`;
      expect(await statusOf(45)).toBe(200);
      // Here a report may take a minute until it is kept. The answer came while this one waits.
      await expect.poll(() => findWaitsBehind(sql, tx)).not.toEqual([]);
    });
    await sql`alter table refused_report rename to gone`;
    expect(await statusOf(46)).toBe(200);
    await sql`alter table gone rename to refused_report`;
  });

  it('a server that stops keeps first what it has answered', async () => {
    const shop = await openShop(await startServerForTest());
    await shop.report({ orderId: 'o-1' });
    await Promise.all([2, 3, 4, 5].map((amount) => shop.report({ orderId: 'o-1', amount })));
    await shop.server.stop();
    expect(await shop.refused()).toHaveLength(4);
  });
});
