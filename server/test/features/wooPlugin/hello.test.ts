import { expect } from 'vitest';
import { listDomains } from '../../../src/core/teams/sql/domain.js';
import { listSources } from '../../../src/features/sources/sql/source.js';
import { encodeId } from '../../../src/values/ids.js';
import { signIn } from '../../kit/console.js';
import { sendTo, startServerForTest, type TestServer } from '../../kit/server.js';
import { type Shop, test } from '../../kit/shop.js';
import { addTestSource, signers } from '../sources/kit/sources.js';

const setup = '/console/setup/install?platform=woocommerce';
const secret = 'f00d';
const key = { key_id: 1, key_permissions: 'read', consumer_key: 'ck_a1', consumer_secret: 'cs_b2' };

const addShop = ({ server, team }: Shop, more: { isTest?: boolean } = {}) =>
  addTestSource(server, team, { kind: 'woocommerce', secret, ...more });
type TestShop = Awaited<ReturnType<typeof addShop>>;

/** Sends the first message of a shop, as the plugin does. */
function hello(
  { bindUrl }: TestServer,
  { token }: Pick<TestShop, 'token'>,
  home: unknown,
  signedWith = secret,
) {
  const body = JSON.stringify({ home });
  const headers = {
    'content-type': 'application/json',
    ...signers.woocommerce(body, signedWith, 'order.updated'),
  };
  return sendTo(new URL(`/svc-api/v1/woocommerce/hello/${token}`, bindUrl), 'POST', { headers, body });
}

/** Sends an API key, as WooCommerce does. */
const giveKey = ({ bindUrl }: TestServer, body: object) =>
  sendTo(new URL('/svc-api/v1/woocommerce/key', bindUrl), 'POST', {
    headers: { 'content-type': 'application/json;charset=UTF-8' },
    body: JSON.stringify(body),
  });

/** Starts a second server on the shop's database, which browsers reach over https. */
const overHttps = ({ server }: Shop) =>
  startServerForTest({
    env: { PUBLIC_URL: 'https://orders.shop.example' },
    databaseUrl: server.env.DATABASE_URL!,
  });

/** Returns the same server with the URL by which its proxy reaches it. */
const byHttp = ({ sql, bindUrl }: TestServer) => ({ sql, url: bindUrl });

const sourceOf = async ({ sql, team }: Shop) => (await listSources(sql, team))[0]!;

test('the plugin’s first word names the shop, which Setup offers to allow by one press', async ({ shop }) => {
  const source = await addShop(shop);
  const { read, press } = await shop.console();
  expect(await read(setup)).not.toContain('are not allowed to report yet');
  const answer = await hello(shop.server, source, 'https://www.new-shop.example/store/');
  expect(answer).toMatchObject({ status: 200, body: { data: { isAllowed: false, ask: null } } });
  expect(await sourceOf(shop)).toMatchObject({
    shopUrl: 'https://www.new-shop.example/store',
    apiKey: null,
    lastOutcome: null,
  });
  expect(await read(setup)).toContain('The pages of www.new-shop.example, on which the plugin is active');
  expect(await read(setup)).toContain('Allow new-shop.example');
  await press('/console/setup/domains', { domain: 'new-shop.example' });
  expect(await read(setup)).not.toContain('are not allowed to report yet');
  const again = await hello(shop.server, source, 'https://www.new-shop.example/store/');
  expect(again.body.data.isAllowed).toBe(true);
});

test('the shop of a source for tests is allowed for tests', async ({ shop }) => {
  await hello(shop.server, await addShop(shop, { isTest: true }), 'https://trial.example');
  const { get, press } = await shop.console();
  const form = /<form[^>]*setup\/domains[\s\S]*?<\/form>/.exec((await get(setup)).text)![0];
  const fields = Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value] as const),
  );
  await press('/console/setup/domains', fields as Record<string, string>);
  expect(await listDomains(shop.sql, shop.team)).toContainEqual({ domain: 'trial.example', isTest: true });
});

test.for<[string, unknown, string, number]>([
  ['is signed with another secret', 'https://evil.example', 'beef', 401],
  ['names no URL', 'evil', secret, 400],
  ['names nothing', undefined, secret, 400],
  ['names a URL with a password', 'https://a:b@evil.example', secret, 400],
])('a first word that %s changes nothing', async ([_, home, signedWith, status], { shop }) => {
  const answer = await hello(shop.server, await addShop(shop), home, signedWith);
  expect(answer.status).toBe(status);
  expect((await sourceOf(shop)).shopUrl).toBe(null);
});

test('a first word to no source, of Stripe’s, or without JSON is refused', async ({ shop }) => {
  expect((await hello(shop.server, { token: 'src_none' }, 'https://a.example')).status).toBe(404);
  const stripe = await addTestSource(shop.server, shop.team, { kind: 'stripe', secret: null });
  expect((await hello(shop.server, stripe, 'https://a.example')).status).toBe(401);
  const { token } = await addShop(shop);
  const headers = signers.woocommerce('{', secret, 'order.updated');
  const broken = await shop.server.send('POST', `/svc-api/v1/woocommerce/hello/${token}`, {
    headers,
    body: '{',
  });
  expect(broken).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } });
});

test('a shop with a key keeps its address, because no other one may get the key', async ({ shop }) => {
  const source = await addShop(shop);
  await shop.sql`update source set shop_url = 'https://a.example', api_key = 'ck_a:cs_a' where team_id = ${shop.team}`;
  expect((await hello(shop.server, source, 'https://b.example')).status).toBe(200);
  expect((await sourceOf(shop)).shopUrl).toBe('https://a.example');
});

test('one press in Setup leads to WooCommerce, whose key is stored, once', async ({ shop }) => {
  const server = await overHttps(shop);
  const source = await addShop(shop);
  await hello(server, source, 'https://shop.example/store');
  const { read, get, home } = await signIn(byHttp(server), shop.teamId);
  expect(await read(setup)).toContain('Let shop.example be asked');
  const { status, headers } = await get(
    `/console/setup/install/woocommerce-key?source=${encodeId('src', source.id)}`,
  );
  const page = new URL(headers.get('location')!);
  expect([status, page.origin + page.pathname]).toEqual([
    303,
    'https://shop.example/store/wc-auth/v1/authorize',
  ]);
  const { user_id, ...query } = Object.fromEntries(page.searchParams);
  expect(query).toEqual({
    app_name: 'Orderbeacon',
    scope: 'read',
    return_url: `https://orders.shop.example${home}/setup/install?platform=woocommerce`,
    callback_url: 'https://orders.shop.example/svc-api/v1/woocommerce/key',
  });
  expect((await giveKey(server, { ...key, user_id })).status).toBe(200);
  expect((await sourceOf(shop)).apiKey).toBe('ck_a1:cs_b2');
  expect(await read(setup)).not.toContain('be asked');
  const second = await giveKey(server, { ...key, user_id, consumer_key: 'ck_evil' });
  expect([second.status, (await sourceOf(shop)).apiKey]).toEqual([401, 'ck_a1:cs_b2']);
});

test('the answer to a first word has the same request, for the press in WordPress', async ({ shop }) => {
  const server = await overHttps(shop);
  const answer = await hello(server, await addShop(shop), 'https://shop.example');
  const { ask } = answer.body.data;
  expect((await giveKey(server, { ...key, user_id: ask })).status).toBe(200);
  expect((await sourceOf(shop)).apiKey).toBe('ck_a1:cs_b2');
});

test.for<[string, (ask: string, shop: Shop) => Promise<object> | object, number]>([
  ['nobody has asked for', () => ({ user_id: 'made up' }), 401],
  ['has no user_id', () => ({}), 401],
  ['is signed by somebody else', (ask) => ({ user_id: `${ask.slice(0, -3)}abc` }), 401],
  [
    'has another time',
    (ask) => ({ user_id: ask.replace(/\.(\d+)\./, (_, ms) => `.${Number(ms) + 1}.`) }),
    401,
  ],
  [
    'is for another source',
    async (ask, shop) => {
      const { id } = await addShop(shop);
      await shop.sql`update source set shop_url = 'https://shop.example' where id = ${id}`;
      return { user_id: ask.replace(/src_\w+/, encodeId('src', id)) };
    },
    401,
  ],
  [
    'is for another shop than when it was asked for',
    async (ask, shop) => {
      await shop.sql`update source set shop_url = 'https://moved.example' where team_id = ${shop.team}`;
      return { user_id: ask };
    },
    401,
  ],
  ['is none', (ask) => ({ user_id: ask, consumer_key: 'x' }), 400],
])('a key that %s is not stored', async ([_, change, status], { shop }) => {
  const server = await overHttps(shop);
  const { body } = await hello(server, await addShop(shop), 'https://shop.example');
  const sent = await change(body.data.ask, shop);
  expect((await giveKey(server, { ...key, ...sent })).status).toBe(status);
  expect((await listSources(shop.sql, shop.team)).map(({ apiKey }) => apiKey)).not.toContain('ck_a1:cs_b2');
});

test('a key that comes after an hour is not stored', async ({ shop }) => {
  const server = await overHttps(shop);
  const { body } = await hello(server, await addShop(shop), 'https://shop.example');
  const [team, source, ms, ...signature] = (body.data.ask as string).split('.');
  expect(Number(ms) - Date.now()).toBeLessThanOrEqual(3_600_000 + 60_000);
  const late = [team, source, String(Date.now() - 1), ...signature].join('.');
  expect((await giveKey(server, { ...key, user_id: late })).status).toBe(401);
});

test('a shop or a server without https is not asked, nor for somebody who may look only', async ({
  shop,
}) => {
  const source = await addShop(shop);
  const server = await overHttps(shop);
  expect((await hello(server, source, 'http://shop.example')).body.data.ask).toBe(null);
  expect((await hello(shop.server, source, 'https://shop.example')).body.data.ask).toBe(null);
  const viewer = await signIn(byHttp(server), shop.teamId, { isReadOnly: true });
  expect(await viewer.read(setup)).not.toContain('be asked');
  const path = `/console/setup/install/woocommerce-key?source=${encodeId('src', source.id)}`;
  expect((await viewer.get(path)).headers.get('location')).toContain('/setup/install?platform=woocommerce');
});
