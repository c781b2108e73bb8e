import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppDeps, createApp } from '../src/app/app.js';
import { queueBounds } from '../src/database/batch/groupCommit.js';
import { importProducts } from '../src/products/importProducts.js';
import { productFileSchema } from '../src/products/productSchema.js';
import { ensureDemoTeam } from '../src/site/demoTeam.js';
import { loadSdkFiles } from '../src/site/sdkFiles.js';
import { encodeId } from '../src/values/ids.js';
import { signIn } from './console.js';
import { waitingOf } from './refused.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
/** Headers with which each route of the server answers. */
let headers: Record<string, string>;
/** Values of the parameters of routes. */
let values: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  const { uuid, teamId } = await server.addTeam('shop.example');
  await ensureDemoTeam(server.sql, server.url);
  const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 };
  await importProducts(server.sql, uuid, productFileSchema.parse([product]));
  const { body } = await server.report({ teamId, email: 'ann@buyer.example', amount: 1 });
  await server.report({ teamId, email: 'ann', amount: 1 });
  const [entry] = await waitingOf(server.sql, uuid);
  const { cookie } = await signIn(server, teamId);
  headers = { cookie, authorization: `Bearer ${await server.addKey(uuid)}` };
  values = {
    '/svc-api/v1/products/:id': '/svc-api/v1/products/t-shirt',
    '/svc-api/v1/orders/:id': `/svc-api/v1/orders/${body.data.id}`,
    '/console/assets/:file': '/console/assets/live.js',
    '/console/orders/:id': `/console/orders/${body.data.id}`,
    '/console/refused/:id': `/console/refused/${encodeId('ref', entry!.id)}`,
  };
});
afterAll(() => server.close());

it('HEAD answers on every route as GET does, without a body', async () => {
  const { pages, endpoints } = createApp({
    pools: {},
    queue: queueBounds,
    sdk: await loadSdkFiles(),
    metrics: { watchQueue() {} },
    metricsAccess: { token: null },
  } as unknown as AppDeps);
  const routes = [...pages.routes, ...endpoints].filter(({ method }) => method === 'GET');
  const paths = new Set(routes.map(({ path }) => path));
  expect(paths.size).toBeGreaterThan(20);
  for (const path of paths) {
    const target = values[path] ?? path;
    const head = await server.send('HEAD', target, { headers });
    // A stream answers GET for as long as it is read.
    const status = path === '/console/live' ? 200 : (await server.send('GET', target, { headers })).status;
    expect([path, head.status, head.text]).toEqual([path, status, '']);
  }
});

it('HEAD on the live feed takes none of its 200 places', async () => {
  for (let n = 0; n < 201; n++) {
    expect((await server.send('HEAD', '/console/live', { headers })).status).toBe(200);
  }
});
