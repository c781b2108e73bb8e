import type { IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import { expect } from 'vitest';
import { type ConsoleHost, createConsoleHost } from '../../src/console/consoleHost.js';
import { createConsole } from '../../src/console/createConsole.js';
import { addOrders } from '../../src/console/orders/addOrders.js';
import { addSetup } from '../../src/console/setup/addSetup.js';
import { createSeenHosts } from '../../src/core/script/seenHosts.js';
import { createExchange } from '../../src/http/exchange.js';
import type { AppEnv } from '../../src/http/hono.js';
import { createRefuse } from '../../src/http/refuse.js';
import { textOf } from '../kit/html.js';
import { type Shop, test } from '../kit/shop.js';

/** Opens the console with the additions of a feature, signed in. Resolves with a function that reads its pages. */
async function openConsole(shop: Shop, add: (console: ConsoleHost) => void = () => {}) {
  const { host, parts } = createConsoleHost();
  for (const each of [addOrders, addSetup, add]) each(host);
  const pages = createConsole(parts(), {
    sql: shop.sql,
    limitRate: () => {},
    refuse: createRefuse({ error() {} }, () => null),
    storeRefund: () => Promise.reject(new Error('Nothing is refunded.')),
    place: () => Promise.reject(new Error('Nothing is placed.')),
    listeners: [],
    secret: '',
    clock: { nowMs: Date.now, idMs: Date.now, stop: () => {} },
    sdk: { current: {} as never, released: new Map(), pin: null },
    publicUrl: () => shop.server.url,
    isOwnMachine: false,
    seenHosts: createSeenHosts(),
    navLinks: [],
    trustedProxies: 0,
  });
  const app = new Hono<AppEnv>().route('/console', pages);
  const { cookie, home } = await shop.console();
  /** Reads a path below the team's, or below `/console`. */
  const get = async (path: string, below = home) => {
    const incoming = { headers: {} } as IncomingMessage;
    const exchange = createExchange(incoming, () => '');
    const answer = await app.request(below + path, { headers: { cookie } }, { incoming, exchange });
    return { status: answer.status, text: textOf(await answer.text()), to: answer.headers.get('location') };
  };
  return { get, home };
}

test('without any feature the console has orders, Setup and what is newest, and begins with the first of them', async ({
  shop,
}) => {
  const { get, home } = await openConsole(shop);
  const { id } = JSON.parse((await shop.report({ orderId: 'o-1' })).text).data;
  expect((await get('', '/console')).to).toBe(home);
  expect((await get('')).to).toBe(`${home}/orders`);
  expect((await get('/orders')).text).toContain('o-1');
  expect((await get(`/orders/${id}`)).text).toContain('A page of');
  expect((await get('/setup/install')).text).toMatch(/2\. On the confirmation page.*3\. Try it/s);
  expect((await get('/setup/keys')).text).not.toContain('Sources');
  expect((await get('/live')).text).toMatch(/^[0-9a-f]{32} \d+/);
  for (const path of ['/refused', '/webhooks', '/setup/sources', '/compare', '/check'])
    expect((await get(path)).status).toBe(404);
  expect((await get('/refused', '/console')).status).toBe(404);
});

test('a feature has its section with a mark, its page of Setup, its steps of an order and its bookmark', async ({
  shop,
}) => {
  let reads = 0;
  const countReads = async () => ++reads;
  const { get, home } = await openConsole(shop, (console) => {
    console.section({
      at: 20,
      path: '/stock',
      title: 'Stock',
      icon: 'M0 0',
      mark: async ({ var: { queryOnce } }) => ` mark ${await queryOnce(countReads)}`,
    });
    console.setupPage({
      title: 'Warehouse',
      path: '/setup/warehouse',
      state: async ({ var: { queryOnce } }) => ({
        tone: undefined,
        about: `state ${await queryOnce(countReads)}`,
      }),
    });
    console.draw('beforeTrying', () => 'a panel');
    console.timeline(async (_c, { orderId }) => [{ title: `Packed: ${orderId}` }]);
  });
  const { id } = JSON.parse((await shop.report({ orderId: 'o-1' })).text).data;
  const { text } = await get('/setup/install');
  expect(text).toMatch(/Orders\s+Stock mark 1\s+Setup/);
  expect(text).toMatch(/Domains.*Warehouse\s*state 1.*Keys and colleagues/s);
  expect(text).toMatch(/a panel.*4\. Try it/s);
  expect(reads).toBe(1);
  expect((await get(`/orders/${id}`)).text).toContain('Packed: o-1');
  expect((await get('/stock/shelf?a=b', '/console')).to).toBe(`${home}/stock/shelf?a=b`);
});

test('a fault of a feature is a page that says so, without what the fault says', async ({ shop }) => {
  const { get } = await openConsole(shop, (console) =>
    console.pages((app) => {
      app.get('/broken', () => {
        throw new Error('planted');
      });
    }),
  );
  const { status, text } = await get('/broken');
  expect(status).toBe(500);
  expect(text).toMatch(/This did not work.*Something failed on our side/);
  expect(text).not.toContain('planted');
});
