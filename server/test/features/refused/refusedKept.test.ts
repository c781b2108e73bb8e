import { describe, expect } from 'vitest';
import type { RefusedFilter } from '../../../src/features/refused/refusedReport.js';
import type { ReplayOptions } from '../../../src/features/refused/replayRefused.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import { type Shop, test } from '../../kit/shop.js';
import { replay } from './kit/refused.js';

const foreign = { origin: 'https://checkout.shop.example:8443' };
const allow = (shop: Shop) => shop.addDomain('checkout.shop.example');
const order = { email: ' Ann@Buyer.example', amount: 49.9, orderId: 'o-1', currency: 'eur' };

/** Replays the kept reports of a shop. Resolves with the outcome of each, or the code of its refusal. */
async function outcomes({ sql, team }: Shop, changes?: ReplayOptions['changes'], filter?: RefusedFilter) {
  const replayed = await replay(sql, team, filter, changes ? { changes } : {});
  return replayed.map(({ outcome }) => (outcome.kind === 'refused' ? outcome.code : outcome.kind));
}

describe('a refused report is kept as it was sent, and stored once when it is replayed', () => {
  test('of a page whose domain nobody had allowed', async ({ shop }) => {
    const body = ` ${JSON.stringify({ teamId: shop.teamId, ...order, sdkVersion: '1.2.3' })}`;
    expect((await shop.report(body, foreign)).body.error.code).toBe('domain_not_allowed');
    const [entry, ...others] = await shop.refused();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      reason: 'domain_not_allowed',
      host: 'checkout.shop.example',
      body,
      keyHash: null,
      sdkVersion: '1.2.3',
      times: 1,
      email: 'ann@buyer.example',
      orderId: 'o-1',
      amount: '49.9',
      currency: 'EUR',
      issues: null,
      field: '',
    });
    expect(await outcomes(shop)).toEqual(['domain_not_allowed']);
    expect(await shop.stored()).toEqual([]);
    await shop.addDomain('*.shop.example');
    expect(await outcomes(shop)).toEqual(['new']);
    expect(await outcomes(shop)).toEqual([]);
    expect(await shop.stored()).toMatchObject([
      { orderId: 'o-1', amount: '49.9', currency: 'EUR', createdAt: entry!.receivedAt, isTest: false },
    ]);
  });

  test('of a page whose orderId or reportId is none, each order as an entry of its own', async ({ shop }) => {
    for (const reportId of ['r-1', 'r-2', 'r-2'])
      await shop.report({ ...order, orderId: '{{ order.id }}', reportId }, foreign);
    for (const coupon of ['a', 'b'])
      await shop.report({ ...order, orderId: undefined, reportId: 'undefined', coupon }, foreign);
    const entries = await shop.refused();
    expect(entries.map(({ orderId, times }) => [orderId, times]).sort()).toEqual([
      [null, 1],
      [null, 1],
      [null, 1],
      [null, 2],
    ]);
    await allow(shop);
    expect(await outcomes(shop)).toEqual(['new', 'new', 'new', 'new']);
  });

  test('with an amount as a text, which counts in sums unless it can mean two', async ({ shop }) => {
    await shop.report({ orderId: 'thousands', amount: '1.000' });
    await shop.reportByKey({ orderId: 'plain', amount: '49.90' });
    await shop.report({ orderId: 'comma', amount: '49,90' });
    const entries = await shop.refused();
    expect(entries.map(({ orderId, amount }) => [orderId, amount])).toEqual([
      ['thousands', null],
      ['plain', '49.90'],
      ['comma', '49.90'],
    ]);
  });

  test('of a page that had an invalid field, when that is corrected', async ({ shop }) => {
    const sent = { ...order, amount: '49,90', items: [{ sku: 'a', __proto__x: 1 }] };
    expect((await shop.report(sent)).status).toBe(400);
    const [entry] = await shop.refused();
    expect(entry).toMatchObject({
      reason: 'invalid_request',
      field: 'amount',
      amount: '49.90',
      orderId: 'o-1',
    });
    expect(entry!.issues).toEqual([{ path: 'amount', message: expect.stringMatching(/^must /) }]);
    const ids = [entry!.id];
    expect(await outcomes(shop, undefined, { ids })).toEqual(['invalid_request']);
    expect(await outcomes(shop, { email: 'no' }, { ids })).toEqual(['invalid_request']);
    expect(await shop.refused()).toEqual([entry]);
    expect(await outcomes(shop, { amount: 49.9 }, { ids })).toEqual(['new']);
    expect(await shop.stored()).toMatchObject([{ orderId: 'o-1', amount: '49.9' }]);
    expect(await shop.refused()).toEqual([]);
  });

  test('of a page and a backend whose other fields are invalid, without those', async ({ shop }) => {
    const odd = { name: { first: 'Ann' }, visitorId: 'v', source: 'CASH', items: [{ sku: 1 }, 2] };
    await shop.report({ ...order, ...odd });
    const ofKey = { createdAt: 'yesterday', tax: '\0' };
    await shop.reportByKey({ ...order, ...odd, ...ofKey, orderId: 'o-2', amount: '1' });
    expect(await outcomes(shop)).toEqual(['invalid_request', 'invalid_request']);
    await outcomes(shop, { amount: 5 });
    const read = { amount: '5', name: null, visitorId: 'v' };
    const stored = (await shop.stored()).toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
    expect(stored).toMatchObject([
      { ...read, orderId: 'o-1', source: 'OTHER', items: [{ sku: 1 }] },
      { ...read, orderId: 'o-2', source: 'MANUAL', items: null, extra: null },
    ]);
  });

  test('of a page whose orderId another buyer had, with another orderId', async ({ shop }) => {
    await shop.report(order);
    const answer = await shop.report({ ...order, email: 'bob@buyer.example' });
    expect(answer.body.error.code).toBe('order_conflict');
    const entry = { reason: 'order_conflict', email: 'bob@buyer.example', host: shop.domain };
    expect(await shop.refused()).toMatchObject([entry]);
    expect(await outcomes(shop)).toEqual(['order_conflict']);
    expect(await outcomes(shop, { orderId: 'o-2' })).toEqual(['new']);
    expect(await shop.stored()).toMatchObject([{ orderId: 'o-1' }, { orderId: 'o-2' }]);
  });

  test('of a page that named no host, which no domain can allow', async ({ shop }) => {
    const answer = await shop.report(order, { origin: 'null' });
    expect(answer.body.error.code).toBe('domain_not_allowed');
    expect(await shop.refused()).toMatchObject([{ reason: 'domain_not_allowed', host: '' }]);
    expect(await outcomes(shop)).toEqual(['domain_not_allowed']);
  });

  test('of a backend, with its Idempotency-Key', async ({ shop }) => {
    const sent = { orderId: undefined, amount: '49.90' };
    const by = { idempotencyKey: 'evt_1' };
    expect((await shop.reportByKey(sent, by)).status).toBe(400);
    const [entry] = await shop.refused();
    expect(entry).toMatchObject({ reason: 'invalid_request', host: '', ...by, amount: '49.90' });
    expect(await outcomes(shop, { amount: 49.9 })).toEqual(['new']);
    const retry = await shop.reportByKey({ ...sent, amount: 49.9 }, by);
    expect(retry.body.data).toMatchObject({ isNew: false, createdAt: entry!.receivedAt.toISOString() });
  });

  test('of a test key and of a test page as a test', async ({ shop }) => {
    await shop.reportByKey({ ...order, amount: '1' }, { key: await shop.testKey() });
    await shop.report({ ...order, orderId: 'o-2' }, { origin: 'http://localhost:3000' });
    await shop.addDomain('localhost', { isTest: true });
    await outcomes(shop, { amount: 1 }, { reason: 'invalid_request' });
    await outcomes(shop);
    const stored = (await shop.stored()).map(({ orderId, isTest }) => [orderId, isTest]).sort();
    expect(stored).toEqual([
      ['o-1', true],
      ['o-2', true],
    ]);
  });

  test('without any identifier, also when a replay dies before it is committed', async ({ shop }) => {
    const { sql, team } = shop;
    await shop.report({ orderId: undefined, amount: 1 }, foreign);
    await shop.reportByKey({ orderId: undefined, email: 'bob@buyer.example', amount: '2' });
    await allow(shop);
    const kept = await sql`select * from refused_report where team_id = ${team}`;
    for (let time = 0; time < 2; time++) {
      await outcomes(shop, undefined, { reason: 'domain_not_allowed' });
      await outcomes(shop, { amount: 2 });
      const amounts = (await shop.stored()).map(({ amount }) => amount).sort();
      expect(amounts).toEqual(['1', '2']);
      expect(await shop.refused()).toEqual([]);
      // The state if the first replay had died before it was committed.
      await sql`insert into refused_report ${sql(kept)}`;
    }
  });
});

test('a refused report of no team, without origin, with a dead key, or with no JSON is not kept', async ({
  server,
  shop,
}) => {
  const key = await shop.liveKey();
  const bad = { ...order, amount: 'x' };
  const unknownTeam = encodeId('team', newUuid());
  const answers = await Promise.all([
    shop.report({ ...bad, teamId: unknownTeam }),
    shop.report({ ...bad, teamId: undefined }),
    server.report({ teamId: shop.teamId, ...order }, {}),
    shop.reportByKey(bad, { key: key.replace('live', 'test') }),
    shop.reportByKey(bad, { key: `${key}x` }),
    shop.report(`{"teamId":"${shop.teamId}",`),
    shop.report(JSON.stringify([shop.teamId])),
    shop.reportByKey('{'),
  ]);
  for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(400);
  expect(await shop.refused()).toEqual([]);
  expect(await server.sql`select from refused_report where body like ${`%${unknownTeam}%`}`).toEqual([]);
});
