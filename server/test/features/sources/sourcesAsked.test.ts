import { expect } from 'vitest';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { createCleaningRefused } from '../../../src/features/refused/cleanRefused.js';
import { discardRefused } from '../../../src/features/refused/sql/removeRefused.js';
import type { ShopRequest } from '../../../src/features/sources/ask/askShop.js';
import { createSendToShop } from '../../../src/features/sources/ask/sendToShop.js';
import { describeAsked, describeSync, syncSource } from '../../../src/features/sources/ask/syncSource.js';
import { describeWebhook } from '../../../src/features/sources/ask/webhookState.js';
import { createAwayTime } from '../../../src/features/sources/receive/awayTime.js';
import { postSource } from '../../../src/features/sources/receive/postSource.js';
import {
  claimSync,
  listDueSources,
  recordSync,
  replaceAccess,
  replaceSecret,
} from '../../../src/features/sources/sql/source.js';
import type { Exchange } from '../../../src/http/exchange.js';
import { ApiError } from '../../../src/values/errors.js';
import { startHttp } from '../../kit/http.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { wooOrder } from './kit/wooCommerceSamples.js';
import { openSync } from './openSync.js';
import { listChanges, type WebhookOfTest } from './shopStandIn.js';

/** Opens a source that was asked ten minutes ago without a fault, and is asked again tomorrow. */
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
  ['that is too large', (source) => source.post(Buffer.alloc(4_200_000), {}), 413],
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
  const due = await listDueSources(shop.sql, new Date(0));
  expect(due.map(({ id }) => id)).not.toContain(source.id);
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
      inTurn: () => Promise.reject(error),
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

/** Returns the dependencies of a sync whose shop is at `https://shop.example`. The stand-in answers for it. */
function behindTls({ deps, url }: Awaited<ReturnType<typeof openSync>>) {
  const send = createSendToShop({ answerMs: 5_000 });
  return {
    ...deps,
    send: (request: ShopRequest) =>
      send({ ...request, url: request.url.replace('https://shop.example', url) }),
  };
}

test('a shop whose host drops the header Authorization takes its key in the address, over https alone, and that is said', async ({
  shop,
}) => {
  const opened = await openSync(shop, 'woocommerce', listChanges('woocommerce', 30));
  const { source, access, requests } = opened;
  opened.shop.dropsAuthorization = true;
  const ask = (shopUrl: string, apiKey = access.apiKey) =>
    syncSource({ ...source, ...access, shopUrl, apiKey }, null, behindTls(opened));
  const result = await ask('https://shop.example');
  expect(result).toMatchObject({ orders: 30, missing: 30, fault: null, isKeyInQuery: true });
  expect(describeSync(result)).toMatch(/drops the header Authorization, so the key was sent in the address/);
  expect(requests.map(({ searchParams }) => searchParams.get('consumer_secret'))).toEqual([
    null,
    'cs_1',
    'cs_1',
  ]);
  expect(JSON.stringify(result)).not.toContain('cs_1');
  expect((await ask('https://shop.example', 'ck_2:cs_2')).fault).toMatch(
    /refused the API key \(status 401\)/,
  );
  requests.length = 0;
  expect((await ask(access.shopUrl)).fault).toMatch(/takes a key over https:\/\/ only/);
  expect(requests).toHaveLength(1);
});

test('a key that is wrong itself is not written into the address', async ({ shop }) => {
  const opened = await openSync(shop, 'woocommerce', []);
  const { source, access, requests } = opened;
  const wrong = { ...source, ...access, shopUrl: 'https://shop.example', apiKey: 'ck_2:cs_2' };
  expect((await syncSource(wrong, null, behindTls(opened))).fault).toMatch(/refused the API key/);
  expect(requests).toHaveLength(1);
});

test.for<[string, (path: string, elsewhere: string) => WebhookOfTest[] | null, RegExp | null]>([
  ['which is on', (path) => [{ delivery_url: `https://to.example${path}`, status: 'active' }], null],
  ['which its key may not see', () => null, null],
  [
    'which it has switched off',
    (path) => [{ delivery_url: `https://to.example${path}`, status: 'disabled' }],
    /has switched the webhook off.*set its status to Active/,
  ],
  [
    'which is paused',
    (path) => [{ delivery_url: `https://to.example${path}`, status: 'paused' }],
    /set its status to Active/,
  ],
  [
    'one of two of which is on',
    (path) => [
      { delivery_url: `https://to.example${path}`, status: 'disabled' },
      { delivery_url: `https://to.example${path}?2`, status: 'active' },
    ],
    null,
  ],
  [
    'which is of another topic',
    (path) => [{ delivery_url: `https://to.example${path}`, status: 'active', topic: 'order.deleted' }],
    /no webhook with the URL of this source/,
  ],
  [
    'which is not there',
    () => [{ delivery_url: 'https://to.example', status: 'active' }],
    /no webhook with the URL/,
  ],
  ['whose address is none', (path) => [{ delivery_url: path, status: 'active' }], null],
  [
    'whose address leads on to another one',
    (path, elsewhere) => [{ delivery_url: `${elsewhere}${path}`, status: 'active' }],
    /leads on to https:\/\/secure\.example\..* counts that as delivered/,
  ],
])('of a webhook of WooCommerce %s the state is said', async ([_, list, sentence], { shop }) => {
  const opened = await openSync(shop, 'woocommerce', []);
  const elsewhere = await startHttp((request, response) => {
    response.writeHead(301, { location: `https://secure.example${request.url}` }).end();
  });
  opened.shop.webhooks = list(opened.source.path, elsewhere.url);
  const stated = describeAsked('woocommerce', await opened.sync());
  if (sentence === null) expect(stated).toBe('The shop named no paid order of the last 30 days.');
  else expect(stated).toMatch(sentence);
});

test.for([
  ['enabled', null],
  ['disabled', /Stripe has the webhook disabled: enable it/],
] as const)('of a webhook of Stripe that is %s the state is said', async ([status, sentence], { shop }) => {
  const opened = await openSync(shop, 'stripe', []);
  opened.shop.webhooks = [{ delivery_url: `https://to.example${opened.source.path}`, status }];
  const { webhook } = await opened.sync();
  expect(webhook).toEqual({ state: sentence === null ? 'on' : 'off' });
  if (sentence) expect(describeWebhook('stripe', webhook)).toMatch(sentence);
});

test('what was discarded stays so when the shop names it again, also after its words were removed', async ({
  shop,
}) => {
  const payload = wooOrder(1, { billing: { email: 'ann' }, number: 'W-1' });
  const { source } = await openAsked(shop);
  await source.say(payload, 'order.updated');
  const [report] = await shop.refused();
  expect(report).toMatchObject({ orderId: 'W-1' });
  await discardRefused(shop.sql, shop.team, {});
  await source.say(payload, 'order.updated');
  expect(await shop.refused()).toEqual([]);
  await shop.sql`update refused_report set discarded_at = now() - interval '2 days' where team_id = ${shop.team}`;
  const cleaning = createCleaningRefused(shop.sql);
  await cleaning.round();
  await source.say(payload, 'order.updated');
  expect(await shop.refused()).toEqual([]);
  const [kept] = await shop.sql`select * from refused_report where team_id = ${shop.team}`;
  expect(kept).toMatchObject({ body: '', email: null, order_id: null, amount: null, currency: null });
  // A report with another email is another report.
  await source.say({ ...payload, billing: { email: 'bob' } }, 'order.updated');
  expect(await shop.refused()).toHaveLength(1);
});

test('an order with lists inside lists is passed over', async ({ shop }) => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const body = `[{"id":1,"meta_data":${deep}}]`;
  const { sync, source } = await openSync(shop, 'woocommerce', [], (request) =>
    request < 7 ? { status: 200, body } : undefined,
  );
  expect(await sync()).toMatchObject({ passedOver: ['1'], fault: null });
  expect((await source.say(body.slice(1, -1), 'order.updated')).status).toBe(200);
});
