import { expect } from 'vitest';
import { encodeId } from '../../src/values/ids.js';
import { runOrderbeacon } from '../kit/command.js';
import { startServerProcess } from '../kit/process.js';
import { readiness } from '../kit/readiness.js';
import { sendTo } from '../kit/server.js';
import { type Shop, shopAt, test } from '../kit/shop.js';
import { startBalancer } from './balancer.js';

const importInto = ({ server, teamId }: Shop, what: string, file: string) =>
  runOrderbeacon([what, 'import', '--team', teamId, '-'], server.env, file);

const productPath = '/svc-api/v1/products/t-shirt';

test('100 concurrent reports of one order, live and test, by pages and keys, make one live and one test order', async ({
  shop,
  beside,
}) => {
  const shops = [shop, shopAt(beside, shop)];
  await shop.addDomain('localhost', { isTest: true });
  const testKey = await shop.testKey();
  const ofPage = { amount: 1, name: 'Page', items: [{ sku: 'page' }], visitorId: 'v-page' };
  const ofKey = { amount: 250, currency: 'EUR', name: 'Key', items: [{ sku: 'key' }] };
  for (const orderId of ['o-0', 'o-1', 'o-2']) {
    const callers = [
      ({ report }: Shop) => report({ ...ofPage, orderId }),
      ({ report }: Shop) => report({ ...ofPage, orderId }, { origin: 'http://localhost:3000' }),
      (at: Shop) => at.reportByKey({ ...ofKey, orderId }, { idempotencyKey: `live_${orderId}` }),
      (at: Shop) =>
        at.reportByKey({ ...ofKey, orderId }, { idempotencyKey: `test_${orderId}`, key: testKey }),
    ];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => callers[(n >> 1) % 4]!(shops[n % 2]!)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    const stored = (await shop.stored()).filter((order) => order.orderId === orderId);
    const stated = { ...ofKey, amount: '250', visitorId: 'v-page', buyerName: 'Key', reportedBy: 'both' };
    expect(stored.toSorted((a, b) => a.isTest - b.isTest)).toMatchObject([
      { ...stated, isTest: false, keys: [`live_${orderId}`] },
      { ...stated, isTest: true, keys: [`test_${orderId}`] },
    ]);
    for (const { id, isTest } of stored) {
      const ofMode = answers.filter(({ body }) => body.data.isTest === isTest).map(({ body }) => body.data);
      expect(new Set(ofMode.map((data) => data.id))).toEqual(new Set([encodeId('ord', id)]));
      expect([ofMode.length, ofMode.filter(({ isNew }) => isNew).length]).toEqual([50, 1]);
    }
  }
});

test('a revoked key, a changed product and a removed domain count immediately on both servers', async ({
  shop,
  beside,
}) => {
  const shops = [shop, shopAt(beside, shop)];
  const { id: keyId, key } = JSON.parse((await shop.command('key', 'create', '--json')).stdout);
  // Each server is asked before the change, so that its caches are filled.
  for (const price of [10, 20]) {
    const product = [{ title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price }];
    await importInto(shop, 'product', JSON.stringify(product));
    for (const { send } of shops)
      expect((await send('GET', productPath, undefined, { key })).body.data.price).toBe(price);
  }
  for (const { report, reportByKey } of shops) {
    expect((await reportByKey({}, { key })).status).toBe(200);
    expect((await report()).status).toBe(200);
  }
  await shop.command('key', 'revoke', keyId);
  await shop.command('domain', 'remove', shop.domain);
  for (const { send, report, reportByKey } of shops) {
    expect((await send('GET', productPath, undefined, { key })).status).toBe(401);
    expect((await reportByKey({}, { key })).body.error.code).toBe('invalid_api_key');
    expect((await report()).body.error.code).toBe('domain_not_allowed');
  }
});

test('enrollments of one person that reach both servers concurrently make one subscription', async ({
  shop,
  beside,
}) => {
  const shops = [shop, shopAt(beside, shop)];
  const { stdout } = await shop.command('sequence', 'create', '--name', 'Welcome', '--json');
  const sequenceId = JSON.parse(stdout).id;
  const emails = Array.from({ length: 10 }, (_, n) => `buyer-${n}@mail.example`);
  await importInto(shop, 'person', ['email', ...emails].join('\n'));
  // Emails one after the other: the first open the servers' connections, and the later ones truly race.
  for (const email of emails) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => shops[n % 2]!.enroll({ email, sequenceId })),
    );
    expect(new Set(answers.map(({ body }) => body.data?.subscriptionId)).size).toBe(1);
  }
  expect(await shop.sql`select from subscription where team_id = ${shop.team}`).toHaveLength(10);
});

test('a server killed amid the load loses and doubles nothing: who asks again gets the one order', {
  tags: ['all'],
}, async ({ shop }) => {
  const start = () => startServerProcess({ ...shop.server.env, ORDERBEACON_RATE_LIMIT: 'off' });
  const servers = await Promise.all([start(), start()]);
  const balancer = await startBalancer(servers.map(({ url }) => url));
  const acknowledged = new Map<string, string>();
  let turnedAway = 0;

  /** Reports as the SDK does: sends the same order again until it is acknowledged. */
  async function reportUntilAnswered(orderId: string) {
    for (;;) {
      const { status, body } = await sendTo(new URL('/svc-api/v1/orders', balancer), 'POST', {
        headers: { 'content-type': 'application/json', origin: shop.origin },
        body: JSON.stringify(shop.order({ orderId })),
      });
      if (status === 200) return void acknowledged.set(orderId, body.data.id);
      expect([502, 503]).toContain(status);
      // A busy server answers 503, and the balancer answers 502 for the killed one.
      if (status === 502) turnedAway++;
    }
  }
  const shoppers = Array.from({ length: 16 }, async (_, shopper) => {
    for (let n = 0; n < 25; n++) await reportUntilAnswered(`o-${shopper}-${n}`);
  });
  await expect.poll(() => acknowledged.size).toBeGreaterThan(100);
  servers[0]!.signal('SIGKILL');
  await Promise.all(shoppers);

  expect(turnedAway).toBeGreaterThan(0);
  const rows = await shop.stored();
  expect(new Map(rows.map(({ orderId, id }) => [orderId, encodeId('ord', id)]))).toEqual(acknowledged);
  expect(rows).toHaveLength(400);
  expect(await readiness(servers[1]!.url)).toBe(200);
});
