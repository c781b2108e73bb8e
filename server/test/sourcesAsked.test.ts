import { expect } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import type { Exchange } from '../src/http/exchange.js';
import { createAwayTime } from '../src/sources/awayTime.js';
import { postSource } from '../src/sources/postSource.js';
import {
  claimSync,
  listDueSources,
  recordSync,
  replaceAccess,
  replaceSecret,
} from '../src/sources/sql/source.js';
import { ApiError } from '../src/values/errors.js';
import { openSync } from './openSync.js';
import { startServerForTest } from './server.js';
import { openShop, type Shop, test } from './shop.js';
import { listChanges } from './shopStandIn.js';
import { signers } from './sources.js';
import { wooOrder } from './wooCommerceSamples.js';

/** A source that was asked ten minutes ago without a fault, and is asked again tomorrow. */
async function openAsked(shop: Shop, orders = 0) {
  const opened = await openSync(shop, 'woocommerce', listChanges('woocommerce', orders));
  const { source, access } = opened;
  const isAskedSoon = async () => {
    const [{ soon }] = await shop.sql<[{ soon: boolean }]>`
      select sync_at < now() + interval '2 minutes' as soon from source where id = ${source.id}`;
    return soon;
  };
  await inTransaction(shop.sql, async (tx) => {
    await replaceAccess(tx, shop.team, source.id, access);
    await tx`update source set sync_at = now() + interval '1 day', synced_at = now() - interval '10 minutes',
      synced_until = now() - interval '70 minutes', last_event_at = now(), last_outcome = 'new' where id = ${source.id}`;
  });
  return { ...opened, isAskedSoon };
}

test('orders that were paid while the server was down are here soon after it is up again, though the next event comes', async () => {
  const first = await startServerForTest();
  const there = await openShop(first);
  await openAsked(there, 3);
  const second = await startServerForTest({ databaseUrl: first.env.DATABASE_URL! });
  await expect
    .poll(() => first.sql`select order_id from placed_order where team_id = ${there.team}`, {
      timeout: 30_000,
    })
    .toHaveLength(3);
  await second.stop();
});

test('a server that starts again and again asks a shop at most each minute', async ({ shop }) => {
  const { source } = await openAsked(shop);
  const due = (ago: string) =>
    inTransaction(shop.sql, async (tx) => {
      await tx`update source set synced_at = now() - ${ago}::interval where id = ${source.id}`;
      const listed = await listDueSources(tx, new Date());
      return listed.some(({ id }) => id === source.id);
    });
  expect([await due('50 seconds'), await due('70 seconds')]).toEqual([false, true]);
});

test.for<
  [string, (source: Awaited<ReturnType<typeof openAsked>>['source']) => Promise<{ status: number }>, number]
>([
  ['that another secret signed', (source) => source.post('{}', { 'x-wc-webhook-signature': 'AA==' }), 401],
  ['that is an error of the shop', (source) => source.say({ code: 'a', message: 'b' }, 'order.updated'), 422],
  [
    'of another content type',
    (source) =>
      source.post('{}', { ...signers.woocommerce('{}', source.secret!, ''), 'content-type': 'text/xml' }),
    415,
  ],
  ['that is too large', (source) => source.post(Buffer.alloc(1_100_000), {}), 413],
])('a shop is asked soon after an event %s', async ([_, send, status], { shop }) => {
  const { source, isAskedSoon } = await openAsked(shop);
  await source.say(wooOrder(1), 'order.updated');
  expect(await isAskedSoon()).toBe(false);
  expect((await send(source)).status).toBe(status);
  await expect.poll(isAskedSoon, { timeout: 10_000 }).toBe(true);
});

test('a shop is asked soon after its secret was corrected, and one without a key is not', async ({
  shop,
}) => {
  const { source, isAskedSoon } = await openAsked(shop);
  await replaceSecret(shop.sql, shop.team, source.id, 'another');
  expect(await isAskedSoon()).toBe(true);
  await shop.sql`update source set api_key = null, sync_at = null where id = ${source.id}`;
  await replaceSecret(shop.sql, shop.team, source.id, 'a third one');
  expect(await isAskedSoon()).toBe(null);
});

test('an event that the database could not take makes each shop due, of which it may have been', async () => {
  let nowMs = 1_000;
  const away = createAwayTime({ nowMs: () => nowMs });
  const fail = (error: Error) =>
    postSource({
      clock: { nowMs: () => nowMs, idMs: () => nowMs, stop() {} },
      identifySource: () => Promise.reject(error),
      storeEvent: () => Promise.reject(error),
      records: { recordEvent: (_source, outcome) => outcome, recordRefused() {} },
      away,
    })({} as Exchange, 'src_1').catch(() => away.until().getTime());
  nowMs = 2_000;
  expect(await fail(new ApiError('not_found'))).toBe(1_000);
  expect(await fail(new ApiError('unavailable'))).toBe(2_000);
  nowMs = 3_000;
  expect(await fail(Object.assign(new Error('away'), { code: '57P01' }))).toBe(3_000);
});

test('what asks for a shop while it is asked is not forgotten when that ends', async ({ shop }) => {
  const { source, sync, isAskedSoon } = await openAsked(shop);
  const result = await sync();
  await inTransaction(shop.sql, async (tx) => {
    const claimed = await claimSync(tx, shop.team, source.id, new Date());
    await replaceSecret(tx, shop.team, source.id, 'another');
    await recordSync(tx, claimed!, result);
  });
  expect(await isAskedSoon()).toBe(true);
});
