import { request } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { Ask } from '../src/console/ask.js';
import { createLiveFeed, type Watcher } from '../src/console/live/liveFeed.js';
import { findNews } from '../src/console/sql/findNews.js';
import { pageOrders } from '../src/console/sql/shownOrders.js';
import { revokeConsoleSessions } from '../src/teams/sql/consoleSession.js';
import type { Uuid } from '../src/values/ids.js';
import { signIn } from './console.js';
import { placeOrder } from './placeOrder.js';
import { startServerForTest } from './server.js';
import { openShop, test } from './shop.js';

type Browser = Awaited<ReturnType<typeof signIn>>;

/** Opens a stream of events as a page does that was made at some time, and counts the news that come. */
function openStream(url: string, { cookie, home }: Browser, since = Date.now()) {
  let text = '';
  let isEnded = false;
  const sent = request(`${url}${home}/live?since=${since}`, { headers: { cookie } }).end();
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
    news: () => text.match(/event: news/g)?.length ?? 0,
    isEnded: () => isEnded,
    leave: () => void sent.destroy(),
  };
}

test('a page is told of each order that any server stores, of its change, of a refund, and of a refused report, of its team alone', async ({
  server,
  shop,
}) => {
  const second = await startServerForTest({ databaseUrl: server.env.DATABASE_URL! });
  const browser = await shop.console();
  await shop.report({ orderId: 'before' });
  const streams = [server, second].map(({ url }) => openStream(url, browser));
  const heard = () => streams.map(({ news }) => news());
  // By the first look, which the others are compared with.
  await expect.poll(heard).toEqual([1, 1]);
  await (await openShop(server)).report();
  await shop.report({ orderId: 'o-1' });
  await expect.poll(heard).toEqual([2, 2]);
  await shop.reportByKey({ orderId: 'o-1', amount: 2 });
  await expect.poll(heard).toEqual([3, 3]);
  await shop.report({ amount: 'much' });
  await expect.poll(heard).toEqual([4, 4]);
  expect((await shop.refund({ orderId: 'o-1', refundId: 'r-1', amount: 1 })).status).toBe(200);
  await expect.poll(heard).toEqual([5, 5]);
  expect(streams[0]!.text()).not.toMatch(/o-1|r-1|much|data: ./);
  await second.stop();
  await expect.poll(streams[1]!.isEnded).toBe(true);
});

test('a page that comes back is told immediately of what it has missed, and one that has missed nothing is not', async ({
  server,
  shop,
}) => {
  const browser = await shop.console();
  await placeOrder(shop.sql, shop.team, { createdAt: new Date(Date.now() - 10 * 60_000) });
  const back = openStream(server.url, browser, Date.now() - 11 * 60_000);
  const fresh = openStream(server.url, browser);
  await expect.poll(back.news).toBe(1);
  await shop.report();
  await expect.poll(() => [back.news(), fresh.news()]).toEqual([2, 1]);
});

test('long items and refused bodies are read neither every second nor for a list', async ({ shop }) => {
  const { sql, team } = shop;
  const note = 'x'.repeat(60_000);
  await shop.report({ items: [{ note }] });
  expect((await shop.report({ email: 'none', note })).status).toBe(400);
  const listed = await pageOrders(sql, team, {}, { before: null, limit: 9, lookAtMost: 9 });
  expect(listed).toHaveLength(1);
  expect(JSON.stringify([await findNews(sql, team, []), listed]).length).toBeLessThan(5_000);
});

test('a revoked session’s stream ends', async ({ server, shop }) => {
  const stream = openStream(server.url, await shop.console());
  await expect.poll(stream.text).toContain('event: hello');
  await revokeConsoleSessions(shop.sql, shop.team);
  await expect.poll(stream.isEnded).toBe(true);
});

test('a browser watches with 10 pages, a team with 50, all with 200, and with one more when another has left', async () => {
  const server = await startServerForTest();
  const streamOf = (browser: Browser) => openStream(server.url, browser);
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

const watcherOf = (teamId: Uuid): Watcher => ({
  teamId,
  sessionHash: '',
  sinceMs: Date.now(),
  notify() {},
  end() {},
});

test('pages of a team share one statement, and orders that nobody watches cost none', async ({
  server,
  shop,
}) => {
  let asked = 0;
  const ask: Ask = async (_team, statement) => {
    const result = await statement(server.sql);
    asked += 1;
    return result;
  };
  const watch = createLiveFeed(ask, () => false);
  const leave = Array.from({ length: 3 }, () => watch(watcherOf(shop.team)));
  await expect.poll(() => asked, { interval: 1 }).toBe(2);
  for (const end of leave) end();
  const last = watch(watcherOf((await openShop(server)).team));
  await expect.poll(() => asked, { interval: 1 }).toBe(4);
  last();
});
