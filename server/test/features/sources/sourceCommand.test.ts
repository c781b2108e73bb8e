import { expect } from 'vitest';
import { describeReach } from '../../../src/features/sources/setup/describeReach.js';
import { parseSecret } from '../../../src/features/sources/setup/parseSecret.js';
import type { SourceKind } from '../../../src/features/sources/source.js';
import { documentOf, runOrderbeacon } from '../../kit/command.js';
import { sendTo } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { signers } from './kit/sources.js';
import { session, stripeEvent } from './kit/stripeSamples.js';
import { listChanges, startShopStandIn } from './shopStandIn.js';

/** Runs `source` on the team of a shop. @param input the secret, with `--secret-file -` */
const run = ({ server, teamId }: Shop, [verb, ...args]: string[], input = '') =>
  runOrderbeacon(
    ['source', verb!, '--team', teamId, ...args],
    { ...server.env, PUBLIC_URL: server.url },
    input,
  );

const json = async (shop: Shop, args: string[], input = '') =>
  documentOf(await run(shop, [...args, '--json'], input));

const fromStdin = ['--secret-file', '-'];
const body = JSON.stringify(stripeEvent('checkout.session.completed', session()));

/** Sends an event to a source's URL. */
const say = (url: string, secret: string) =>
  sendTo(new URL(url), 'POST', {
    headers: { 'content-type': 'application/json', ...signers.stripe(body, secret, '') },
    body,
  });

test('a source is added, gets its secret, is listed with its last event, and removed', async ({ shop }) => {
  const statusOf = async (secret: string) => (await say(added.url, secret)).status;
  const added = await json(shop, ['add', 'stripe']);
  expect(added).toMatchObject({ kind: 'stripe', isTest: false, hasSecret: false });
  expect(added.id).toMatch(/^src_[0-9a-z]{26}$/);
  expect(added.url).toMatch(new RegExp(`^${shop.server.url}/svc-api/v1/sources/src_[\\w-]{43}$`));
  expect(added.events).toContain('checkout.session.completed');
  expect(await statusOf('whsec_1')).toBe(401);

  await json(shop, ['update', added.id, ...fromStdin], 'whsec_1\r\n');
  expect(await statusOf('whsec_1')).toBe(200);
  await json(shop, ['update', added.id, ...fromStdin], ' whsec_2 ');
  expect([await statusOf('whsec_1'), await statusOf('whsec_2')]).toEqual([401, 200]);

  await expect.poll(async () => (await json(shop, ['list']))[0].lastOutcome).toBe('known');
  const [listed] = await json(shop, ['list']);
  expect(listed).toMatchObject({ ...added, hasSecret: true, lastEventAt: expect.any(String) });
  const { stdout } = await run(shop, ['list']);
  expect(stdout).toContain(added.url);
  expect(stdout).not.toContain('whsec_');

  expect(await json(shop, ['remove', added.id])).toEqual({ id: added.id, removed: true });
  expect(await statusOf('whsec_2')).toBe(404);
  expect(await json(shop, ['list'])).toEqual([]);
  expect(await shop.stored()).toHaveLength(1);
});

test('the keys that vouch for a source are no keys of the team', async ({ shop }) => {
  const keys = async () => JSON.parse((await shop.command('key', 'list', '--json')).stdout);
  await shop.liveKey();
  const own = await keys();
  const source = await json(shop, ['add', 'shopify', ...fromStdin], 'secret');
  const vouching = () => shop.sql`
    select mode from api_key where team_id = ${shop.team} and source_id is not null and revoked_at is null
    order by mode`;
  expect((await vouching()).map(({ mode }) => mode)).toEqual(['live', 'test']);
  expect(await keys()).toEqual(own);
  await json(shop, ['remove', source.id]);
  expect(await keys()).toEqual(own);
  expect(await vouching()).toEqual([]);
});

test.for<[string, string[], string, RegExp]>([
  ['another shop system', ['add', 'magento'], '', /Allowed choices are stripe, shopify, woocommerce/],
  ['a secret on the command line', ['add', 'stripe', '--secret', 'whsec_1'], '', /unknown option/],
  ['an empty secret', ['add', 'stripe', ...fromStdin], ' \n', /the secret is empty/],
  ['a secret of two lines', ['add', 'shopify', ...fromStdin], 'a\nb', /one line/],
  [
    'a secret with a tag, which WordPress removes',
    ['add', 'woocommerce', ...fromStdin],
    'k3Y<9$v>!q^`',
    /WordPress does not keep “<9\$v>” in a secret.*letters and digits on both sides/,
  ],
  ['a secret with a short tag', ['add', 'woocommerce', ...fromStdin], 'a<b>c', /“<b>”/],
  ['a secret with an octet', ['add', 'woocommerce', ...fromStdin], '100%41', /“%41”/],
  ['a secret with two spaces', ['add', 'woocommerce', ...fromStdin], 'a  b', /WordPress does not keep/],
  ['a secret with an entity', ['add', 'woocommerce', ...fromStdin], 'a&amp;b', /“&amp;”/],
  ['an API key of Stripe for the secret', ['add', 'stripe', ...fromStdin], 'sk_live_1', /begins with whsec_/],
  ['a file that is not there', ['add', 'stripe', '--secret-file', '/nowhere'], '', /Cannot read \/nowhere/],
  ['no source', ['remove', 'src_nothing'], '', /no source with the id "src_nothing"/],
  ['a prefix with a space', ['add', 'shopify', '--order-id-prefix', 'a b'], '', /1 to 20 visible characters/],
  ['a shop without a key', ['add', 'woocommerce', '--shop-url', 'https://a.example'], '', /--api-key-file/],
  [
    'a key of the test mode for a live source',
    ['add', 'stripe', '--api-key-file', '-'],
    'rk_test_1',
    /this key is of the test mode/,
  ],
  ['a private shop without a key', ['add', 'woocommerce', '--allow-private'], '', /--api-key-file/],
  ['a key of another form', ['add', 'stripe', '--api-key-file', '-'], 'sk_live_1', /a restricted key/],
  [
    'a shop on plain http',
    ['add', 'woocommerce', '--shop-url', 'http://a.example', '--api-key-file', '-'],
    'ck_1:cs_1',
    /a URL such as https/,
  ],
  ['a sync without a key', ['sync'], '', /No key of a shop’s API is known/],
  ['an update of no source', ['update', 'src_nothing', ...fromStdin], 'whsec_1', /no source with the id/],
])('%s is refused in one line, and changes nothing', async ([_, args, input, message], { shop }) => {
  const { code, stdout, stderr } = await run(shop, args, input);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('sk_live_1');
  expect(await shop.sql`select from source where team_id = ${shop.team}`).toHaveLength(0);
});

test('another team’s source can be neither updated nor removed', async ({ server, shop }) => {
  const other = await openShop(server);
  const { id, url } = await json(shop, ['add', 'stripe', ...fromStdin], 'whsec_1');
  expect((await run(other, ['update', id, ...fromStdin], 'whsec_2')).code).toBe(2);
  expect((await run(other, ['remove', id])).code).toBe(2);
  expect((await say(url, 'whsec_1')).status).toBe(200);
});

test('an update of a source needs a secret or a key', async ({ shop }) => {
  const { id } = await json(shop, ['add', 'stripe']);
  const { code, stderr } = await run(shop, ['update', id]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Give --secret-file or --api-key-file.')]);
});

test('a prefix is asked for where there is a source of the kind, and may be empty', async ({ shop }) => {
  await json(shop, ['add', 'woocommerce']);
  await json(shop, ['add', 'woocommerce', '--test']);
  const { code, stderr } = await run(shop, ['add', 'woocommerce']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/this team has a source of WooCommerce.*--order-id-prefix ""/s),
  ]);
  expect(await json(shop, ['add', 'woocommerce', '--order-id-prefix', 'B-'])).toMatchObject({
    orderIdPrefix: 'B-',
  });
  expect((await run(shop, ['add', 'woocommerce', '--order-id-prefix', 'B-'])).code).toBe(2);
  expect(await json(shop, ['add', 'woocommerce', '--order-id-prefix', ''])).toMatchObject({
    orderIdPrefix: '',
  });
});

test('a source of WooCommerce shows its secret once, and says why WordPress cannot call it', async ({
  shop,
}) => {
  const added = await json(shop, ['add', 'woocommerce', '--order-id-prefix', 'B-']);
  expect(added).toMatchObject({ secret: expect.stringMatching(/^[0-9a-f]{48}$/), orderIdPrefix: 'B-' });
  expect(added.warning).toContain('is on this machine or in a private network');
  const { stdout } = await run(shop, ['list', '--json']);
  expect(stdout).not.toContain(added.secret);
});

test.for(['a<b', 'a > b', '100% 41', '50%', 'a & b', '<', 'k3Y>9$v<!q^`', 'a < b > c'])(
  'the secret %s, which WordPress signs with as it is, is taken',
  (secret) => {
    expect(parseSecret('woocommerce', secret)).toEqual({ secret });
  },
);

test('a live source of a team whose domains are all for tests says that each order will be two', async ({
  server,
}) => {
  const shop = await openShop(server);
  await shop.sql`update domain set is_test = true where team_id = ${shop.team}`;
  const live = await json(shop, ['add', 'woocommerce']);
  expect(live.warning).toMatch(/All domains of this team are for tests.*each order is two/);
  expect((await json(shop, ['add', 'woocommerce', '--test'])).warning).not.toMatch(/each order is two/);
  expect((await run(shop, ['add', 'shopify'])).stdout).toMatch(/each order is two/);
});

test.for<[SourceKind, string, RegExp | null]>([
  ['woocommerce', 'https://orders.shop.example', null],
  ['woocommerce', 'http://orders.shop.example:8080', /WooCommerce counts a redirect as delivered/],
  ['woocommerce', 'http://orderbeacon', /a private network/],
  ['woocommerce', 'https://orders.shop.lan', /a private network/],
  ['stripe', 'https://nas.local', /a private network/],
  ['stripe', 'https://orders.corp.internal.', /a private network/],
  ['shopify', 'https://box.home.arpa', /a private network/],
  ['shopify', 'https://local.shop.example', null],
  ['woocommerce', 'https://orders.shop.example:8787', /the ports 80, 443 and 8080 only, not 8787/],
  ['stripe', 'http://orders.shop.example', /https:\/\/ only/],
  ['shopify', 'http://orders.shop.example', /https:\/\/ only/],
  ['stripe', 'https://10.0.0.7', /a private network/],
  ['shopify', 'https://[::1]:8787', /a private network/],
])('a source of %s at %s is described as what its provider can call', ([kind, url, warning]) => {
  const described = describeReach(kind, `${url}/svc-api/v1/sources/src_1`);
  if (warning === null) expect(described).toBeNull();
  else expect(described).toMatch(warning);
});

test('a shop is asked by the command, with a key from stdin, and a failing one makes the exit code 1', {
  tags: ['all'],
}, async ({ shop }) => {
  const standIn = await startShopStandIn('woocommerce', listChanges('woocommerce', 30));
  const access = ['--shop-url', standIn.url, '--api-key-file', '-', '--allow-private'];
  const { id } = await json(shop, ['add', 'woocommerce', ...access], 'ck_1:cs_1\n');
  const [synced] = await json(shop, ['sync']);
  expect(synced).toMatchObject({
    id,
    orders: 30,
    missing: 30,
    result:
      '30 of the 30 paid orders that the shop named of the last 30 days are here. 30 of them were missing.',
  });
  expect(await shop.stored()).toHaveLength(30);
  const [listed] = await json(shop, ['list']);
  expect(listed).toMatchObject({ hasApiKey: true, shopUrl: standIn.url, lastSync: synced.result });
  await json(shop, ['update', id, ...access], 'ck_2:cs_2');
  const wrong = await run(shop, ['sync', id]);
  expect([wrong.code, wrong.stdout]).toEqual([
    1,
    expect.stringContaining('refused the API key (status 401)'),
  ]);
  expect(wrong.stdout + (await run(shop, ['list', '--json'])).stdout).not.toContain('cs_2');
});
