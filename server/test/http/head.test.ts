import { expect } from 'vitest';
import { encodeId } from '../../src/values/ids.js';
import { addProduct } from '../kit/addProduct.js';
import { appRoutes } from '../kit/appRoutes.js';
import { test as base } from '../kit/shop.js';

/** A `test` that can send requests to the shop's server, with its key and a viewer's cookie. */
const test = base.extend('ask', async ({ shop: { server, liveKey, console } }) => {
  const { cookie } = await console();
  const headers = { cookie, authorization: `Bearer ${await liveKey()}` };
  return (method: string, path: string) => server.send(method, path, { headers });
});

test('HEAD answers on every route as GET does, without a body', async ({ shop, ask }) => {
  const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 };
  await addProduct(shop.sql, shop.team, product);
  const { id } = (await shop.report()).body.data;
  await shop.report({ email: 'ann' });
  const [refused] = await shop.refused();
  const examples: Record<string, string> = {
    '/svc-api/v1/products/:id': '/svc-api/v1/products/t-shirt',
    '/svc-api/v1/orders/:id': `/svc-api/v1/orders/${id}`,
    '/console/assets/:file': '/console/assets/live.js',
    '/console/:team/orders/:id': `/console/:team/orders/${id}`,
    '/console/:team/refused/:id': `/console/:team/refused/${encodeId('ref', refused!.id)}`,
  };
  const { pages, endpoints } = await appRoutes();
  const routes = [...pages, ...endpoints].filter(({ method }) => method === 'GET');
  const paths = new Set(routes.map(({ path }) => path));
  expect(paths.size).toBeGreaterThan(20);
  for (const path of paths) {
    const target = (examples[path] ?? path).replace(':team', shop.teamId);
    const head = await ask('HEAD', target);
    const got = await ask('GET', target);
    expect([path, head.status, head.text]).toEqual([path, got.status, '']);
    if (target.endsWith('t-shirt'))
      for (const name of ['etag', 'content-type', 'content-length', 'cache-control'])
        expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
  }
});
