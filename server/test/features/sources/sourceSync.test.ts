// @module-tag all
import { describe, expect } from 'vitest';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { askShopify } from '../../../src/features/sources/ask/askShopify.js';
import { createSendToShop } from '../../../src/features/sources/ask/sendToShop.js';
import { startSyncing } from '../../../src/features/sources/ask/startSyncing.js';
import { describeSync, type SyncResult, syncSource } from '../../../src/features/sources/ask/syncSource.js';
import { createAwayTime } from '../../../src/features/sources/receive/awayTime.js';
import type { StoreEvent } from '../../../src/features/sources/receive/storeEvent.js';
import { type SourceKind, sourceKinds } from '../../../src/features/sources/source.js';
import {
  claimSync,
  listDueSources,
  listSources,
  recordSync,
  replaceAccess,
} from '../../../src/features/sources/sql/source.js';
import { newUuid } from '../../../src/values/ids.js';
import { version } from '../../../src/values/version.js';
import { growthOf } from '../../kit/growthOf.js';
import { openShop, test } from '../../kit/shop.js';
import { charge, invoicePayment, stripeEvent } from './kit/stripeSamples.js';
import { wooOrder } from './kit/wooCommerceSamples.js';
import { openSync } from './openSync.js';
import { listChanges, type ShopFaultOfTest } from './shopStandIn.js';

const topics: Record<SourceKind, string> = {
  stripe: '',
  shopify: 'orders/paid',
  woocommerce: 'order.updated',
};

describe.for(sourceKinds)('of %s', (kind) => {
  test('500 orders that no webhook brought are stored once, though pages fail, are cut and hang', {
    tags: ['slow'],
  }, async ({ shop }) => {
    const faults: Record<number, ShopFaultOfTest> = { 2: 'error', 4: 'cut', 5: 'error', 7: 'hang' };
    const { sync, source } = await openSync(shop, kind, undefined, (request) => faults[request]);
    const brought = listChanges(kind, 500).slice(-2);
    for (const { payload } of brought) expect((await source.say(payload, topics[kind])).status).toBe(200);
    const before = (await shop.stored()).length;
    const result = await sync();
    expect(result).toMatchObject({ orders: 500, missing: 500 - before, kept: 0, fault: null });
    expect(describeSync(result)).toBe(
      `500 of the 500 paid orders that the shop named of the last 30 days are here. ${500 - before} of them were missing.`,
    );
    const ids = (await shop.stored()).map(({ orderId }) => orderId);
    expect([ids.length, new Set(ids).size]).toEqual([500, 500]);
    const again = await sync(result.until);
    expect(again).toMatchObject({ missing: 0, fault: null });
    expect(await shop.stored()).toHaveLength(500);
    // The server has asked for these orders, so they do not end a silence.
    expect(await shop.sql`select from found_order where team_id = ${shop.team}`).toHaveLength(500 - before);
  });

  test.for<[string, ShopFaultOfTest, RegExp]>([
    [
      'has a firewall that refuses',
      { status: 403, body: '<!doctype html>' },
      /refused the request \(status 403\), perhaps by a firewall: let it pass “Orderbeacon”\.$/,
    ],
    [
      'refuses the key',
      { status: 401, body: '{"code":"woocommerce_rest_authentication_error"}' },
      /refused the API key \(status 401\): enter a key that may read orders\.$/,
    ],
    ['has no API', { status: 404 }, /has no API at this address \(status 404\)/],
    ['limits requests', { status: 429, headers: { 'retry-after': '3600' } }, /asks for fewer requests/],
    ['is broken', 'error', /answered with the status 500\./],
    ['hangs', 'hang', /gave no answer: /],
    ['cuts connections', 'cut', /gave no answer: /],
    ['is behind a firewall', { status: 200, body: '<html>' }, /a page that is no JSON/],
    ['answers in another form', { status: 200, body: '{"a":[1]}' }, /in a form that is not that of its API/],
    ['leads to a page of its own', { status: 302, headers: { location: '/login' } }, /the status 302\./],
    ['leads nowhere', { status: 301 }, /the status 301\./],
    [
      'has moved',
      { status: 301, headers: { location: 'https://www.shop.example/wp-json/?a' } },
      /is at another address: enter https:\/\/www\.shop\.example as that of the shop\.$/,
    ],
  ])(
    'a shop that %s ends the sync in one sentence, and stores nothing',
    async ([_, fault, sentence], { shop }) => {
      const { sync, requests } = await openSync(shop, kind, [], () => fault);
      const result = await sync();
      expect(describeSync(result)).toMatch(sentence);
      expect(requests.length).toBeLessThanOrEqual(3);
      expect(await shop.stored()).toEqual([]);
    },
  );

  test('pages that are too large are asked for in halves, and an order that is too large alone is named, kept and passed over', {
    tags: ['slow'],
  }, async ({ shop }) => {
    const changes = listChanges(kind, 60);
    const each = changes.length / 60;
    const pad = (at: number, bytes: number) => {
      const { payload } = changes[at * each]!;
      payload.padding = 'x'.repeat(bytes);
    };
    for (let at = 0; at < 60; at += 2) pad(at, 300_000);
    pad(13, 4_200_000);
    pad(14, 4_200_000);
    const { sync, requests } = await openSync(shop, kind, changes);
    const passed = [13, 14].map((at) => changes[at * each]!.payload.id);
    const result = await sync();
    expect(result).toMatchObject({ fault: null, kept: 2 });
    expect(result.passedOver.toSorted()).toEqual(passed.map(String).toSorted());
    expect(describeSync(result)).toMatch(/Too large to be read, and passed over: \S+, \S+\./);
    // A session of Stripe is of the same payment as its charge.
    expect(await shop.stored()).toHaveLength(kind === 'stripe' ? 60 : 58);
    expect(requests.length).toBeLessThan(120);
  });

  test('a page of too many values is asked for in halves, whatever the lines of an order', {
    tags: ['slow'],
  }, async ({ shop }) => {
    const changes = listChanges(kind, 60);
    for (const { payload } of changes) payload.lines = Array(25_000).fill(1);
    const { sync } = await openSync(shop, kind, changes);
    expect(await sync()).toMatchObject({ orders: 60, missing: 60, passedOver: [], fault: null });
  });

  test('a shop that has no memory for a page is asked for a smaller one', { tags: ['slow'] }, async ({
    shop,
  }) => {
    const { sync, requests } = await openSync(shop, kind, listChanges(kind, 120), () => {
      const query = requests.at(-1)!.searchParams;
      return Number(query.get('limit') ?? query.get('per_page')) > 6 ? 'error' : undefined;
    });
    expect(await sync()).toMatchObject({ orders: 120, fault: null });
  });

  test('a wrong key is never sent again, and what came before a fault stays', async ({ shop }) => {
    const { sync } = await openSync(shop, kind, listChanges(kind, 300), (request) =>
      request > 2 ? { status: 503 } : undefined,
    );
    const cut = await sync();
    expect(cut.fault).toMatch(/status 503/);
    expect(await shop.stored()).toHaveLength(cut.orders);
    const wrong = await openSync(shop, kind);
    expect((await wrong.sync(null, { apiKey: kind === 'shopify' ? 'shpat_2' : 'ck_2:cs_2' })).fault).toMatch(
      /refused the API key/,
    );
    expect(wrong.requests).toHaveLength(1);
  });

  test('what a cut sync has left is read by the next one', async ({ shop }) => {
    let answersAtMost = { woocommerce: 4, shopify: 2, stripe: 31 }[kind];
    const { sync } = await openSync(shop, kind, listChanges(kind, 150), (request) =>
      request > answersAtMost ? 'cut' : undefined,
    );
    const cut = await sync();
    expect(cut).toMatchObject({ orders: expect.toSatisfy((orders) => orders > 0 && orders < 150) });
    answersAtMost = Number.POSITIVE_INFINITY;
    expect(await sync(cut.until)).toMatchObject({ fault: null, missing: 150 - cut.missing });
    expect(await shop.stored()).toHaveLength(150);
  });

  test('what was listed late is found by the next sync, which reads an hour again and no more', async ({
    shop,
  }) => {
    const changes = listChanges(kind, 200);
    const perOrder = changes.length / 200;
    const late = changes.splice(170 * perOrder, perOrder);
    const { sync } = await openSync(shop, kind, changes);
    const first = await sync();
    changes.push(...late);
    const next = await sync(first.until);
    expect([first.missing, next.missing]).toEqual([199, 1]);
    expect(next.orders).toBeLessThan(70);
  });

  test('a private address is not asked unless its owner allows it', async ({ shop }) => {
    const { sync, requests } = await openSync(shop, kind, []);
    expect((await sync(null, { allowsPrivate: false })).fault).toMatch(/private/);
    expect(requests).toEqual([]);
  });
});

test('the time to read the links of a page grows with them, whatever a shop sends as such', () => {
  const read = (link: string) =>
    askShopify.read(
      { value: { orders: [] }, headers: new Headers({ link }) },
      { sinceMs: 0, cursor: null, size: 50 },
      0,
    );
  expect(growthOf(read, (n) => '?page_info=aaaaaa'.repeat(n), 400)).toBeLessThan(24);
  expect(growthOf(read, (n) => '<;rel=next,'.repeat(n), 400)).toBeLessThan(24);
});

test('a shop that asks to wait for a moment is asked again after it, and one that asks for an hour by the next sync', async ({
  shop,
}) => {
  const waits = ['2.0', '3600'];
  const { sync, pauses, requests } = await openSync(shop, 'shopify', listChanges('shopify', 3), (request) =>
    request % 2 === 1 ? { status: 429, headers: { 'retry-after': waits[(request - 1) / 2]! } } : undefined,
  );
  expect(await sync()).toMatchObject({ orders: 3, fault: null });
  expect((await sync()).fault).toMatch(/asks for fewer requests/);
  expect([pauses, requests.length]).toEqual([[2_000], 3]);
});

test('a shop is asked by a program that names itself, because firewalls refuse others', async ({ shop }) => {
  const { sync, agents } = await openSync(shop, 'woocommerce', []);
  await sync();
  expect(agents).toEqual([`Orderbeacon/${version}`]);
});

test('a source of live orders does not ask with a key of tests that was entered before', async ({ shop }) => {
  const { sync, requests } = await openSync(shop, 'stripe');
  expect((await sync(null, { apiKey: 'rk_test_1' })).fault).toMatch(
    /^Stripe was not asked: this key is of the test mode/,
  );
  expect(requests).toEqual([]);
});

test('an order that cannot be stored is counted for a person to see', async ({ shop }) => {
  const payload = wooOrder(1, { billing: { email: 'ann' } });
  const { sync } = await openSync(shop, 'woocommerce', [{ changed: Date.now() / 1_000 - 60, payload }]);
  expect(await sync()).toMatchObject({ orders: 0, kept: 1, fault: null });
});

test.for<[string, string, RegExp]>([
  ['more than 4 MiB', `"${'x'.repeat(4_200_000)}"`, /4 MiB/],
  ['too many values', `[${'1,'.repeat(400_000)}1]`, /too many values/],
])('a page of %s without an order ends the sync in one sentence', async ([_, body, sentence], { shop }) => {
  const { sync } = await openSync(shop, 'woocommerce', [], () => ({ status: 200, body }));
  expect((await sync()).fault).toMatch(sentence);
});

test('a shop that never ends is left after 500 pages', { tags: ['slow'] }, async ({ shop }) => {
  const changed = Math.floor(Date.now() / 1_000) - 3_600;
  const time = new Date(1_000 * changed).toISOString().slice(0, 19);
  const payload = wooOrder(1, { date_modified_gmt: time, date_paid: null, date_paid_gmt: null });
  const changes = Array(10_020).fill({ changed, payload });
  const { sync, requests } = await openSync(shop, 'woocommerce', changes);
  expect((await sync()).fault).toMatch(/more than 500 pages/);
  expect(requests).toHaveLength(500);
});

test('a shop with more changes in an hour than a sync reads is read to its end by the next ones', {
  tags: ['slow'],
}, async ({ shop }) => {
  const changed = Math.floor(Date.now() / 1_000) - 5 * 3_600;
  const unpaid = { date_paid: null, date_paid_gmt: null };
  const changes = Array.from({ length: 10_500 }, (_, at) => {
    const seconds = changed + Math.floor(at / 10);
    const date_modified_gmt = new Date(1_000 * seconds).toISOString().slice(0, 19);
    return { changed: seconds, payload: wooOrder(at, { date_modified_gmt, ...unpaid }) };
  });
  changes.at(-1)!.payload = { ...changes.at(-1)!.payload, date_paid_gmt: '2026-03-01T10:00:04' };
  const { sync } = await openSync(shop, 'woocommerce', changes);
  const cut = await sync();
  expect(cut.fault).toMatch(/the next attempt goes on from here/);
  expect(await sync(cut.until)).toMatchObject({ missing: 1, fault: null });
});

/** Lists orders of WooCommerce, each changed some minutes after the one before. A plugin or a zone may distort their times. */
function listWoo(orders: number, changedOf: (at: number) => number) {
  return Array.from({ length: orders }, (_, at) => {
    const changed = changedOf(at);
    const gmt = new Date(1_000 * changed).toISOString().slice(0, 19);
    return { changed, payload: wooOrder(9_000 + at, { date_modified_gmt: gmt, date_paid_gmt: gmt }) };
  });
}

test.for([20, 40, 41, 60])(
  'all of %i orders are read of a shop whose zone changed, and which sorts by its wall clock',
  async (orders, { shop }) => {
    const start = Math.floor(Date.now() / 1_000) - 3 * 86_400;
    const changes = listWoo(orders, (at) => start + 600 * at).map((listed, at) => ({
      ...listed,
      // The shop's zone changes from UTC+9 to UTC-8 in the middle.
      local: listed.changed + (at < orders / 2 ? 9 : -8) * 3_600,
    }));
    const { sync } = await openSync(shop, 'woocommerce', changes);
    expect(await sync()).toMatchObject({ named: orders, orders, missing: orders, fault: null });
  },
);

test('orders that change, come and go while a shop of WooCommerce is read hide no other one', async ({
  shop,
}) => {
  const start = Math.floor(Date.now() / 1_000) - 86_400;
  const changes = listWoo(90, (at) => start + at);
  const { sync } = await openSync(shop, 'woocommerce', changes, (request) => {
    // If an order is deleted, all others move up. If one is changed, it is to be read again, wherever it was.
    if (request === 2) changes.splice(0, 3);
    if (request === 3) changes[30]!.changed = start + 80_000;
    if (request === 4) changes.splice(35, 22);
    return undefined;
  });
  await sync();
  const ids = (await shop.stored()).map(({ orderId }) => orderId);
  expect(ids).toEqual(expect.arrayContaining(changes.map(({ payload }) => payload.number)));
});

test('orders of WooCommerce that all changed in the same second are all read', async ({ shop }) => {
  const at = Math.floor(Date.now() / 1_000) - 3_600;
  const changes = listChanges('woocommerce', 70).map(({ payload }) => ({
    changed: at,
    payload: { ...payload, date_modified_gmt: new Date(1_000 * at).toISOString().slice(0, 19) },
  }));
  const { sync } = await openSync(shop, 'woocommerce', changes);
  expect(await sync()).toMatchObject({ orders: 70, missing: 70, fault: null });
});

test('two servers ask a shop that is due once, and one that hangs holds up no other team', async ({
  server,
  shop,
}) => {
  const hanging = await openSync(shop, 'woocommerce', [], () => 'hang');
  const other = await openSync(await openShop(server), 'woocommerce', listChanges('woocommerce', 30));
  for (const { source, access } of [hanging, other])
    await replaceAccess(shop.sql, source.teamId, source.id, access);
  const send = createSendToShop({ answerMs: 60_000 });
  const away = createAwayTime({ nowMs: () => 0 });
  const syncing = { ...other.deps, send, sql: shop.sql, away, noteFault: () => {} };
  const stops = [startSyncing(syncing), startSyncing(syncing)];
  const listed = async () => (await listSources(shop.sql, other.source.teamId))[0]!;
  await expect.poll(async () => (await listed()).lastSync?.orders).toBe(30);
  expect([other.requests.length, hanging.requests.length]).toEqual([2, 1]);
  await Promise.all(stops.map((stop) => stop()));
  const next = shop.sql`
    select from source where id = ${other.source.id} and sync_at between now() + '23 hours' and now() + '25 hours'`;
  expect(await next).toHaveLength(1);
});

test('a shop whose address was corrected while the old one was asked is still due, and shows no old answer', async ({
  shop,
}) => {
  const { source, access, sync } = await openSync(shop, 'woocommerce', []);
  const result = await sync();
  const listed = await inTransaction(shop.sql, async (tx) => {
    const enter = async (shopUrl: string) => {
      await replaceAccess(tx, shop.team, source.id, { ...access, shopUrl });
      // The column has milliseconds, and rounds up.
      await tx`update source set sync_at = now() - interval '1 second' where id = ${source.id}`;
    };
    await enter('https://wrong.example');
    const claimed = await claimSync(tx, shop.team, source.id, new Date());
    await enter(access.shopUrl);
    await recordSync(tx, claimed!, { ...result, fault: 'WooCommerce gave no answer.' });
    return { due: await listDueSources(tx, new Date(0)), shown: await listSources(tx, shop.team) };
  });
  expect(listed.due.map(({ id }) => id)).toContain(source.id);
  expect(listed.shown).toMatchObject([{ lastSync: null, syncedAt: null }]);
});

test.for<[string, string, boolean]>([
  ['an hour after the last time, without an event', "synced_at = now() - interval '61 minutes'", true],
  [
    'an hour after the last time, with an event since',
    "synced_at = now() - interval '61 minutes', last_event_at = now(), last_outcome = 'new'",
    false,
  ],
  ['half an hour after the last time', "synced_at = now() - interval '30 minutes'", false],
  [
    'a day after the last time',
    "last_event_at = now(), last_outcome = 'new', sync_at = now() - interval '1 second'",
    true,
  ],
])('%s a shop is due or not', async ([_, changes, isDue], { shop }) => {
  const { source, access } = await openSync(shop, 'woocommerce', []);
  // In a transaction, because otherwise the server itself might ask the shop.
  const listed = await inTransaction(shop.sql, async (tx) => {
    await replaceAccess(tx, shop.team, source.id, access);
    await tx`update source set sync_at = now() + interval '1 day' where id = ${source.id}`;
    await tx.unsafe(`update source set ${changes} where id = $1`, [source.id]);
    return listDueSources(tx, new Date(0));
  });
  const due = listed.filter(({ id }) => id === source.id);
  expect(due).toHaveLength(isDue ? 1 : 0);
});

test.for<[Partial<SyncResult>, string]>([
  [{}, '214 of the 214 paid orders that the shop named of the last 30 days are here.'],
  [
    { named: 216, missing: 1, kept: 2 },
    '214 of the 216 paid orders that the shop named of the last 30 days are here. 1 of them was missing. Not stored, and among the refused reports unless somebody has discarded it there: 2.',
  ],
  [{ named: 0, orders: 0 }, 'The shop named no paid order of the last 30 days.'],
  [
    { since: new Date('2026-03-30T09:30:00Z') },
    '214 of the 214 paid orders that the shop named that changed since 2026-03-30 09:30 UTC are here.',
  ],
  [
    { passedOver: Array.from({ length: 12 }, (_, at) => `${at}`) },
    '214 of the 214 paid orders that the shop named of the last 30 days are here. Too large to be read, and passed over: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 2 more.',
  ],
  [{ fault: 'Shop refused.', missing: 3 }, 'Shop refused. Missing orders stored before that: 3.'],
])('%j is described in a sentence', ([result, sentence]) => {
  const whole = {
    named: 214,
    orders: 214,
    missing: 0,
    kept: 0,
    passedOver: [],
    fault: null,
    isKeyInQuery: false,
    isBuyerWithheld: false,
    webhook: null,
  };
  const span = { since: new Date('2026-03-01T00:00:00Z'), until: new Date('2026-03-31T00:00:00Z') };
  expect(describeSync({ ...whole, ...span, ...result })).toBe(sentence);
});

test('orders are counted as they are once their events have become one, whichever is done first', async ({
  shop,
}) => {
  const changed = Math.floor(Date.now() / 1_000) - 3_600;
  const events = { 'charge.succeeded': charge(), 'invoice_payment.paid': invoicePayment() };
  const changes = Object.entries(events).map(([type, object]) => ({
    changed,
    payload: stripeEvent(type, object, { id: `evt_${object.id}` }),
  }));
  const { source, access, deps } = await openSync(shop, 'stripe', changes);
  const [first, second] = [newUuid(), newUuid()];
  let linked = () => {};
  const isLinked = new Promise<void>((resolve) => {
    linked = resolve;
  });
  const storeEvent: StoreEvent = async (_source, event) => {
    if (event.kind === 'order' && event.of === 'charge') {
      await isLinked;
      return { outcome: 'new', order: { id: first, isTest: false } };
    }
    setImmediate(linked);
    return { outcome: 'new', order: { id: second, isTest: false }, mergedIds: [first] };
  };
  expect(await syncSource({ ...source, ...access }, null, { ...deps, storeEvent })).toMatchObject({
    named: 1,
    orders: 1,
    missing: 1,
  });
});
