import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { features } from '../../src/app/features.js';
import { encodeId, newUuid } from '../../src/values/ids.js';
import { addProduct } from '../kit/addProduct.js';
import { startServerProcess } from '../kit/process.js';
import { startTestServer, type TestServer } from '../kit/server.js';
import { openShop, test } from '../kit/shop.js';

const names = features.map(({ name }) => name);

test('a server of the command has the extras that the settings name, and a name that is none is refused', async ({
  shop,
}) => {
  const { DATABASE_URL = '' } = shop.server.env;
  const start = (named: string) => startServerProcess({ DATABASE_URL, ORDERBEACON_FEATURES: named });
  const { url } = await start('none');
  const { cookie, home } = await shop.console();
  const get = (path: string) => fetch(url + path, { headers: { cookie }, redirect: 'manual' });
  const statusOf = async (path: string) => (await get(path)).status;
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/sdk/track.js',
    '/console/sign-in',
    `${home}/orders`,
  ])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  for (const path of ['/docs', '/demo', `${home}/refused`, `${home}/webhooks`, `${home}/setup/sources`])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  const refused = await fetch(`${url}/svc-api/v1/orders`, { method: 'POST' });
  expect(await refused.json()).toEqual({
    success: false,
    error: expect.not.objectContaining({ docs: expect.anything() }),
    requestId: expect.anything(),
  });
  const other = await start('docs, webhooks');
  expect((await fetch(`${other.url}/docs`)).status).toBe(200);
  await expect(start('overview,orders')).rejects.toThrow(
    /ORDERBEACON_FEATURES names "orders", but may name only: none, catalog, overview, /,
  );
});

describe('a server with no feature', () => declareContract(null));

describe.each(names)('a server with %s alone', { tags: ['all'] }, declareContract);

function declareContract(alone: string | null) {
  // A cluster needs the statement that the feature `citus` has.
  const isIn = (name: string) => name === alone || (name === 'citus' && inject('isCitus'));
  let server: TestServer;
  beforeAll(async () => {
    const named = names.filter(isIn).join(',') || 'none';
    server = await startTestServer({ env: { ORDERBEACON_RATE_LIMIT: 'off', ORDERBEACON_FEATURES: named } });
  });
  afterAll(() => server.close());

  it('serves the contract: a product, an enrollment, orders of pages and of backends', async () => {
    const shop = await openShop(server);

    const product = { title: 'Jar', slug: 'jar', type: 'PHYSICAL', price: 9, currency: 'USD' };
    await addProduct(shop.sql, shop.team, product);
    expect((await shop.send('GET', '/svc-api/v1/products/jar')).body.data.title).toBe('Jar');

    const order = { email: 'ann@buyer.example', amount: 49.9, orderId: '1001', currency: 'EUR' };
    expect((await shop.report(order)).body.data).toMatchObject({ isNew: true, amount: 49.9 });
    expect((await shop.report(order)).body.data.isNew).toBe(false);
    expect((await shop.reportByKey({ ...order, name: 'Ann' })).body.data).toMatchObject({ isNew: false });
    expect((await shop.reportByKey({ ...order, orderId: '1002' })).body.data.isNew).toBe(true);
    expect((await shop.stored()).map(({ orderId, reportedBy }) => [orderId, reportedBy])).toEqual([
      ['1001', 'both'],
      ['1002', 'key'],
    ]);

    const sequenceId = newUuid();
    await shop.sql`insert into sequence (team_id, id, name) values (${shop.team}, ${sequenceId}, 'Welcome')`;
    const enrolled = await shop.enroll({ email: order.email, sequenceId: encodeId('seq', sequenceId) });
    expect(enrolled.body.data.enrolled).toBe(true);

    const refund = { refundId: 'r1', orderId: '1001', amount: 10 };
    expect((await shop.refund(refund)).body.data).toMatchObject({ isNew: true });
    expect((await shop.read('1001')).body.data).toMatchObject({ refundedAmount: 10, name: 'Ann' });
  });

  it('is ready, serves the script, and lets every page ask', async () => {
    expect((await server.send('GET', '/readyz')).status).toBe(200);
    const script = await server.send('GET', '/sdk/track.js');
    expect([script.status, script.text.length > 1_000]).toEqual([200, true]);
    const { status, headers } = await server.send('OPTIONS', '/svc-api/v1/orders', {
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, 'https://shop.example']);
  });

  it('refuses a dead key before all that is wrong with the body, and a strange page', async () => {
    const shop = await openShop(server);
    const key = await shop.liveKey();
    await shop.sql`update api_key set revoked_at = now() where team_id = ${shop.team}`;
    const { status, body } = await shop.reportByKey({ amount: 'x' }, { key });
    expect([status, body.error.code]).toEqual([401, 'invalid_api_key']);
    const strange = await shop.report({}, { origin: 'https://strange.example' });
    expect([strange.status, strange.body.error.code]).toEqual([403, 'domain_not_allowed']);
    expect(await shop.stored()).toEqual([]);
  });
}
