import { request } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { Ask } from '../src/console/ask.js';
import type { Subscriber } from '../src/console/live/liveFeed.js';
import { createLiveOrders } from '../src/console/live/liveOrders.js';
import { findNewOrders } from '../src/console/sql/findNewOrders.js';
import { pageOrders } from '../src/console/sql/shownOrders.js';
import { revokeConsoleSessions } from '../src/teams/sql/consoleSession.js';
import { encodeId, firstUuid, type Uuid } from '../src/values/ids.js';
import { signIn } from './console.js';
import { placeOrder, placeOrders } from './placeOrder.js';
import { startServerForTest } from './server.js';
import { openShop, type Shop, test } from './shop.js';

/** Opens a stream of events as a browser does, and keeps all that comes. */
function openStream(
  url: string,
  { cookie, home }: { cookie: string; home: string },
  query = '',
  headers: Record<string, string> = {},
) {
  let text = '';
  let isEnded = false;
  const sent = request(`${url}${home}/live${query}`, { headers: { cookie, ...headers } }).end();
  const status = new Promise<number>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      resolve(response.statusCode!);
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('close', () => {
        isEnded = true;
      });
    });
  });
  onTestFinished(() => void sent.destroy());
  return {
    status,
    text: () => text,
    ids: () => [...text.matchAll(/<tr id="(ord_\w+)"/g)].map(([, id]) => id!),
    isEnded: () => isEnded,
    leave: () => void sent.destroy(),
  };
}

async function openConsole(shop: Shop) {
  const browser = await shop.console();
  const watch = (query = '', headers?: Record<string, string>, { url } = shop.server as { url: string }) =>
    openStream(url, browser, query, headers);
  const report = async (more: object) =>
    (await shop.report(more as Record<string, unknown>)).body.data as { id: string };
  return { watch, report };
}

test('an order that any server stores appears in the stream, once, and again when a backend changes it', async ({
  server,
  shop,
}) => {
  const { watch } = await openConsole(shop);
  const second = await startServerForTest({ databaseUrl: server.env.DATABASE_URL! });
  const streams = [watch(), watch('', {}, second)];
  for (const { text } of streams) await expect.poll(text).toContain('event: hello');
  const order = (await shop.report({ orderId: 'o-1' })).body.data;
  for (const { ids } of streams) await expect.poll(ids).toEqual([order.id]);
  await shop.reportByKey({ orderId: 'o-1', amount: 2 });
  for (const { ids } of streams) await expect.poll(ids).toEqual([order.id, order.id]);
  expect(streams[0]!.text().split('<tr').at(-1)).toMatch(/\$2\.00.*Browser and backend/);
  const next = (await shop.report()).body.data;
  for (const { ids } of streams) await expect.poll(ids).toEqual([order.id, order.id, next.id]);
  await second.stop();
  await expect.poll(streams[1]!.isEnded).toBe(true);
});

test('a page that comes back is told of what it has missed since its last event', async ({ shop }) => {
  const { watch, report } = await openConsole(shop);
  const tenMinutesAgo = Date.now() - 10 * 60_000;
  const missed = await placeOrder(shop.sql, shop.team, { createdAt: new Date(tenMinutesAgo) });
  const fresh = watch();
  const back = watch('', { 'last-event-id': String(tenMinutesAgo - 60_000) });
  await expect.poll(back.ids).toEqual([encodeId('ord', missed)]);
  const next = await report({});
  await expect.poll(fresh.ids).toContain(next.id);
});

test('a stream shows the orders of its team, its mode and its kind of reporter alone', async ({
  server,
  shop,
}) => {
  const { watch, report } = await openConsole(shop);
  const streams = {
    all: watch(),
    live: watch('?mode=live'),
    test: watch('?mode=test'),
    key: watch('?by=key'),
  };
  await (await openShop(server)).report();
  const live = await report({});
  const byTestKey = (await shop.reportByKey({}, { key: await shop.testKey() })).body.data;
  const byKey = (await shop.reportByKey()).body.data;
  const seen = () =>
    Object.fromEntries(Object.entries(streams).map(([name, { ids }]) => [name, ids().sort()]));
  await expect.poll(seen).toEqual({
    all: [live.id, byTestKey.id, byKey.id].sort(),
    live: [live.id, byKey.id].sort(),
    test: [byTestKey.id],
    key: [byTestKey.id, byKey.id].sort(),
  });
});

test('a page of one kind of reporter that comes back misses none behind 50 newer orders of another kind', async ({
  shop,
}) => {
  const { watch } = await openConsole(shop);
  const { body } = await shop.reportByKey();
  await placeOrders(shop.sql, shop.team, Array(50).fill({}));
  const since = { 'last-event-id': String(Date.now() - 60_000) };
  const [byKey, byAnyone] = [watch('?by=key', since), watch('', since)];
  await expect.poll(() => byAnyone.ids().length).toBe(50);
  await expect.poll(byKey.ids).toEqual([body.data.id]);
});

test('long items and refused bodies are read neither every second nor for a list', async ({ shop }) => {
  const { sql, team } = shop;
  const { watch, report } = await openConsole(shop);
  const note = 'x'.repeat(60_000);
  await report({ items: [{ note }] });
  expect((await shop.report({ email: 'none', note })).status).toBe(400);
  const all = {
    fromId: firstUuid(0),
    isTest: undefined,
    reportedBy: undefined,
    sessions: [],
    now: new Date(),
  };
  const newest = await findNewOrders(sql, team, all);
  expect([newest.orders.length, newest.refused.length]).toEqual([1, 1]);
  const listed = await pageOrders(sql, team, {}, { before: null, limit: 9, lookAtMost: 9 });
  expect(listed).toHaveLength(1);
  expect(JSON.stringify([newest, listed]).length).toBeLessThan(5_000);
  // The stream shows the refused report all the same, once.
  const stream = watch();
  await expect.poll(stream.text).toContain('event: refused');
  const next = await report({});
  await expect.poll(stream.ids).toContain(next.id);
  expect(stream.text().split('event: refused')).toHaveLength(2);
});

test('a revoked session’s stream ends', async ({ shop }) => {
  const { watch } = await openConsole(shop);
  const stream = watch();
  await expect.poll(stream.text).toContain('event: hello');
  await revokeConsoleSessions(shop.sql, shop.team);
  await expect.poll(stream.isEnded).toBe(true);
});

test('a browser watches with 10 pages, a team with 50, all with 200, and with one more when another has left', async () => {
  const server = await startServerForTest();
  const streamOf = (browser: { cookie: string; home: string }) => openStream(server.url, browser);
  const streams: ReturnType<typeof openStream>[] = [];
  for (let teams = 0; teams < 4; teams++) {
    const { teamId } = await server.addTeam();
    for (let browsers = 0; browsers < 5; browsers++) {
      const browser = await signIn(server, teamId);
      const opened = Array.from({ length: 10 }, () => streamOf(browser));
      const statuses = await Promise.all(opened.map(({ status }) => status));
      expect(new Set(statuses)).toEqual(new Set([200]));
      streams.push(...opened);
      if (streams.length === 10) expect(await streamOf(browser).status).toBe(503);
    }
    if (streams.length === 50) expect(await streamOf(await signIn(server, teamId)).status).toBe(503);
  }
  const stranger = await signIn(server, (await server.addTeam()).teamId);
  expect(await streamOf(stranger).status).toBe(503);
  streams.at(-1)!.leave();
  await expect.poll(() => streamOf(stranger).status).toBe(200);
});

/** Watches the orders of a team, as a page does with a stream. */
const subscriberOf = (teamId: Uuid): Subscriber => ({
  teamId,
  sessionHash: '',
  isTest: undefined,
  reportedBy: undefined,
  sinceMs: Date.now(),
  send() {},
  end() {},
});

const watchOrders = (ask: Ask) => createLiveOrders(ask, { nowMs: Date.now }, () => false);

test('pages that watch the same orders share one statement, and orders that nobody watches cost none', async ({
  server,
  shop,
}) => {
  let asked = 0;
  const subscribe = watchOrders(async (_team, statement) => {
    const result = await statement(server.sql);
    asked += 1;
    return result;
  });
  const watched = Array.from({ length: 3 }, () => subscribe(subscriberOf(shop.team)));
  await expect.poll(() => asked, { interval: 1 }).toBe(2);
  for (const leave of watched) leave();
  const leave = subscribe(subscriberOf((await openShop(server)).team));
  await expect.poll(() => asked, { interval: 1 }).toBe(5);
  leave();
});
