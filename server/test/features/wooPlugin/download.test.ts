import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { sourcesAtMost } from '../../../src/features/sources/source.js';
import { listSources } from '../../../src/features/sources/sql/source.js';
import { encodeId } from '../../../src/values/ids.js';
import { signIn } from '../../kit/console.js';
import { type Shop, test } from '../../kit/shop.js';
import { addTestSource, signers } from '../sources/kit/sources.js';
import { wooOrder } from '../sources/kit/wooCommerceSamples.js';

const path = '/console/setup/install/woocommerce-plugin';
const page = '/console/setup/install?platform=woocommerce';

/** Clicks the button. Resolves with the headers of the answer, and the file in the zip. */
async function download({ server, teamId }: Shop, fields: Record<string, string> = {}) {
  const { cookie, home } = await signIn(server, teamId);
  const response = await fetch(server.url + path.replace('/console', home), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie,
      origin: new URL(server.url).origin,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: String(new URLSearchParams(fields)),
  });
  const { status, headers } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const files = headers.get('content-type') === 'application/zip' ? unzipSync(bytes) : {};
  const php = files['orderbeacon/orderbeacon.php'];
  const text = php ? strFromU8(php) : '';
  const value = (name: string) => new RegExp(`^\\t+'${name}' +=> '(.*)',$`, 'm').exec(text)?.[1];
  return { status, headers, names: Object.keys(files), value };
}

/** Sends a signed order to the shop's only source. */
async function deliver(shop: Shop, secret: string) {
  const [source] = await listSources(shop.sql, shop.team);
  const body = JSON.stringify(wooOrder(723));
  const headers = {
    'content-type': 'application/json',
    ...signers.woocommerce(body, secret, 'order.updated'),
  };
  const address = `/svc-api/v1/sources/${source!.token}`;
  return (await shop.server.send('POST', address, { headers, body })).status;
}

test('one press makes a source, and the zip has one PHP file with its values, which nobody caches', async ({
  shop,
}) => {
  const { status, headers, names, value } = await download(shop);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-disposition')).toBe('attachment; filename="orderbeacon.zip"');
  expect(names).toEqual(['orderbeacon/orderbeacon.php']);
  const [source, ...others] = await listSources(shop.sql, shop.team);
  expect([source, others]).toMatchObject([{ kind: 'woocommerce', isTest: false, orderIdPrefix: '' }, []]);
  expect(value('url')).toBe(shop.server.url);
  expect(value('team')).toBe(shop.teamId);
  expect(value('source')).toBe(`${shop.server.url}/svc-api/v1/sources/${source!.token}`);
  expect(value('secret')).toMatch(/^[0-9a-f]{48}$/);
  expect(await deliver(shop, value('secret')!)).toBe(200);
});

test('no page shows the secret, and each download has another one, which alone counts', async ({ shop }) => {
  const first = await download(shop);
  const [source] = await listSources(shop.sql, shop.team);
  const { get } = await shop.console();
  for (const shown of [page, '/console/setup/sources'])
    expect((await get(shown)).text).not.toContain(first.value('secret'));
  const second = await download(shop, { source: encodeId('src', source!.id) });
  expect(second.value('source')).toBe(first.value('source'));
  expect(second.value('secret')).not.toBe(first.value('secret'));
  expect(await listSources(shop.sql, shop.team)).toHaveLength(1);
  await expect.poll(() => deliver(shop, second.value('secret')!)).toBe(200);
  expect(await deliver(shop, first.value('secret')!)).toBe(401);
});

test('a source for tests and one with a prefix get their own plugin', async ({ shop }) => {
  await download(shop, { test: 'yes' });
  expect(await listSources(shop.sql, shop.team)).toMatchObject([{ isTest: true }]);
  const kind = 'woocommerce';
  const { id } = await addTestSource(shop.server, shop.team, { kind, orderIdPrefix: 'A-' });
  const { value } = await download(shop, { source: encodeId('src', id) });
  expect(value('prefix')).toBe('A-');
  const { text } = await (await shop.console()).get(page);
  expect(text.match(/Download it with a new secret/g)).toHaveLength(2);
});

test.for<[string, (shop: Shop) => Promise<Record<string, string>>]>([
  [
    'was made meanwhile',
    async (shop) => {
      await download(shop);
      return {};
    },
  ],
  ['was removed', async () => ({ source: encodeId('src', '018f0000-0000-7000-8000-000000000000') })],
  [
    'is of Stripe',
    async ({ server, team }) => {
      const { id } = await addTestSource(server, team, { kind: 'stripe' });
      return { source: encodeId('src', id) };
    },
  ],
])(
  'a press for a source that %s downloads and changes nothing, and says why',
  async ([_, prepare], { shop }) => {
    const fields = await prepare(shop);
    const before = await listSources(shop.sql, shop.team);
    const { status, headers } = await download(shop, fields);
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('platform=woocommerce')]);
    expect(await listSources(shop.sql, shop.team)).toEqual(before);
    const { press } = await shop.console();
    expect(await press(path, fields)).toContain(
      'The source has changed meanwhile, so nothing was downloaded.',
    );
  },
);

test('a team with all of its sources is told so', async ({ shop }) => {
  for (let n = 0; n < sourcesAtMost; n++) await addTestSource(shop.server, shop.team, { kind: 'stripe' });
  const { press } = await shop.console();
  expect(await press(path)).toContain('A team can have 20 sources. Remove one before you add another.');
});

test('who may look only, another site and a GET get no file, and make no source', async ({ shop }) => {
  const viewer = await signIn(shop.server, shop.teamId, { isReadOnly: true });
  expect(await viewer.read(page)).toContain(
    'You have view-only access. To download the plugin, ask whoever sent you the link.',
  );
  const { submit, get } = await shop.console();
  const refused = [
    await viewer.submit(path, {}),
    await submit(path, {}, { origin: 'https://other.example' }),
    await get(path),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 404]);
  expect(await listSources(shop.sql, shop.team)).toEqual([]);
});

test('another platform offers no plugin, and the recipe by hand stays beside it', async ({ shop }) => {
  const { read, get } = await shop.console();
  expect((await get('/console/setup/install')).text).not.toContain('woocommerce-plugin');
  const shown = await read(page);
  expect(shown).toContain('Download the plugin');
  expect(shown).toContain("add_action( 'wp_head'");
});

test('a team whose domains are all for tests is offered a source for tests', async ({ shop }) => {
  const chosen = async () =>
    /<option value="([^"]*)" selected/.exec((await (await shop.console()).get(page)).text)![1];
  expect(await chosen()).toBe('');
  await shop.sql`update domain set is_test = true where team_id = ${shop.team}`;
  expect(await chosen()).toBe('yes');
});
