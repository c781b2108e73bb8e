import { Hono } from 'hono';
import { expect } from 'vitest';
import { revokeConsoleSessions } from '../../src/console/access/consoleSession.js';
import { liveRoutes } from '../../src/console/liveRoutes.js';
import { findNews } from '../../src/console/sql/findNews.js';
import { pageOrders } from '../../src/console/sql/shownOrders.js';
import { newestRefused } from '../../src/features/refused/sql/listRefused.js';
import { placeOrder } from '../kit/placeOrder.js';
import { startServerForTest } from '../kit/server.js';
import { openShop, test } from '../kit/shop.js';

test('the version of a team changes with each order that any server stores, its change, a refund, and a refused report, of the team alone', async ({
  server,
  shop,
}) => {
  const second = await startServerForTest({ databaseUrl: server.env.DATABASE_URL! });
  const { cookie, home } = await shop.console();
  /** Reads the version from both servers, until both have queried the database since the call. */
  async function version(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const asked = [server, second].map(async ({ url }) => {
      const answer = await fetch(`${url}${home}/live`, { headers: { cookie } });
      return (await answer.text()).split(' ')[0]!;
    });
    const [one, other] = await Promise.all(asked);
    expect(one).toBe(other);
    return one!;
  }
  const versions = [await version()];
  await (await openShop(server)).report();
  expect(await version()).toBe(versions[0]);
  for (const change of [
    () => shop.report({ orderId: 'o-1' }),
    () => shop.reportByKey({ orderId: 'o-1', amount: 2 }),
    () => shop.report({ amount: 'much' }),
    () => shop.refund({ orderId: 'o-1', refundId: 'r-1', amount: 1 }),
  ]) {
    await change();
    versions.push(await version());
  }
  expect(new Set(versions).size).toBe(5);
});

test('the time of the newest tells a page that was made before from one that has it', async ({ shop }) => {
  const createdAt = new Date(Date.now() - 10 * 60_000);
  await placeOrder(shop.sql, shop.team, { createdAt });
  const { latestAt } = await findNews(shop.sql, shop.team, []);
  expect(latestAt).toBe(createdAt.getTime());
  await shop.report();
  expect((await findNews(shop.sql, shop.team, [])).latestAt).toBeGreaterThan(Date.now() - 60_000);
});

test('long items and refused bodies are read neither every second nor for a list', async ({ shop }) => {
  const { sql, team } = shop;
  const note = 'x'.repeat(60_000);
  await shop.report({ items: [{ note }] });
  expect((await shop.report({ email: 'none', note })).status).toBe(400);
  const listed = await pageOrders(sql, team, {}, { before: null, limit: 9, lookAtMost: 9 });
  expect(listed).toHaveLength(1);
  expect(JSON.stringify([await findNews(sql, team, [{ news: newestRefused }]), listed]).length).toBeLessThan(
    5_000,
  );
});

test('a page whose session is revoked is led to sign in', async ({ server, shop }) => {
  const { cookie, home } = await shop.console();
  const ask = () => fetch(`${server.url}${home}/live`, { headers: { cookie }, redirect: 'manual' });
  expect((await ask()).status).toBe(200);
  await revokeConsoleSessions(shop.sql, shop.team);
  expect((await ask()).status).toBe(303);
});

test('pages of a team that ask in the same second share one statement', async ({ server, shop }) => {
  let statements = 0;
  const app = liveRoutes(async (_team, statement) => {
    statements++;
    return statement(server.sql);
  }, []);
  const session = { teamId: shop.team };
  const env = { incoming: {} };
  const parent = new Hono().use(async (c, next) => {
    c.set('session' as never, session as never);
    await next();
  });
  parent.route('/live', app as never);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => parent.request('/live', undefined, env)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(statements).toBe(1);
});
