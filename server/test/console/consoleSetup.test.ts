import { expect } from 'vitest';
import { describeTag } from '../../src/console/setup/install.js';
import { platforms, platformTag } from '../../src/console/setup/platformTags.js';
import { exampleOf } from '../kit/examples.js';
import { unescaped } from '../kit/html.js';
import { loadReleasedSdk } from '../kit/madeUpReleases.js';
import { startServerForTest } from '../kit/server.js';
import { openShop, type Shop, test } from '../kit/shop.js';

/** Reads the texts to copy from the setup page, by their names. */
async function pieces(shop: Shop, platform: string) {
  const { text } = await (await shop.console()).get(`/console/setup/install?platform=${platform}`);
  return Object.fromEntries(
    [
      ...text.matchAll(
        /Copy<span class="hidden"> ([^<]*)<\/span><\/button><\/header><pre[^>]*>([\s\S]*?)<\/pre>/g,
      ),
    ].map(([, name, html]) => [name, unescaped(html!.replaceAll(/<\/?span[^>]*>/g, ''))]),
  );
}

const everyPage = 'the piece for every page';
const confirmation = 'the piece for the confirmation page';

test('each platform has the pieces of its recipe, with this team and this server in them, each to be copied', async ({
  server,
  shop,
}) => {
  const filled = (text: string) =>
    text.replaceAll('https://orders.shop.example', server.url).replaceAll('team_…', shop.teamId);
  const html = await pieces(shop, 'html');
  expect(html[everyPage]).toBe(
    `<script async src="${server.url}/sdk/track.js" data-team-id="${shop.teamId}" data-endpoint="${server.url}"></script>`,
  );
  expect(html[confirmation]).toMatch(/^<script>\n[\s\S]*track\('order', [\s\S]*<\/script>$/);
  const woocommerce = await pieces(shop, 'woocommerce');
  expect(`${woocommerce[everyPage]}\n\n${woocommerce[confirmation]}`).toBe(
    ['hook', 'visitor'].map((name) => filled(exampleOf('sdk/recipes/woocommerce.md', name))).join('\n\n'),
  );
  expect(woocommerce[confirmation]).toMatch(/^add_action\( 'woocommerce_thankyou'/);
  expect(await pieces(shop, 'shopify')).toEqual({
    [everyPage]: filled(exampleOf('sdk/recipes/shopify.md', 'theme')),
  });
  expect(await pieces(shop, 'tag-manager')).toEqual({
    [everyPage]: filled(exampleOf('sdk/recipes/tag-manager.md', 'every-page')),
    [confirmation]: filled(exampleOf('sdk/recipes/tag-manager.md', 'tag')),
  });
  expect(await pieces(shop, 'constructor')).toEqual(html);
});

test('the first piece can be pinned to a released version, and a development version says that it cannot', async () => {
  const sdk = await loadReleasedSdk();
  const released = await openShop(await startServerForTest({ sdk }));
  expect((await pieces(released, 'html'))['the pinned piece']).toBe(
    `<script async src="${released.server.url}/sdk/0.0.2/track.js" data-team-id="${released.teamId}" data-endpoint="${released.server.url}" integrity="${sdk.pin!.integrity}" crossorigin="anonymous"></script>`,
  );
  const developed = await openShop(await startServerForTest({ sdk: { ...sdk, pin: null } }));
  expect(await pieces(developed, 'html')).not.toHaveProperty('the pinned piece');
  expect(await (await developed.console()).read('/console/setup/install')).toContain(
    'This is a development version; a pin exists for released versions.',
  );
});

test('the platforms are links, of which the chosen one is marked, and each leads to its recipe', async ({
  shop,
}) => {
  const { get } = await shop.console();
  for (const [name, title] of Object.entries(platforms)) {
    const { text } = await get(`/console/setup/install?platform=${name}`);
    const [tabs] = /<nav[^>]* aria-label="Platform"[\s\S]*?<\/nav>/.exec(text)!;
    expect(/<a href="[^"]*" aria-current="true">([^<]*)</.exec(tabs)?.[1]).toBe(title);
    const [, recipe] = /<a href="([^"]+)">More on /.exec(text)!;
    expect((await get(recipe!)).status).toBe(200);
  }
});

test('three steps on Overview and Setup tick themselves off: domain, tag, first order', async ({ shop }) => {
  const { sql, team, domain } = shop;
  await sql`delete from domain where team_id = ${team}`;
  const { get, read } = await shop.console();
  const done = async () => [
    (await get('/console')).text.match(/>Done</g)?.length ?? 0,
    / Setup (\d) of 2 steps done /.exec(await read('/console/setup/keys'))![1],
  ];
  expect(await done()).toEqual([0, '0']);
  expect((await shop.report()).status).toBe(403);
  await expect.poll(done).toEqual([1, '1']);
  await shop.addDomain(domain);
  expect(await done()).toEqual([2, '2']);
  expect(await read('/console')).toContain('Your first order is one step away.');
  await expect.poll(async () => (await shop.report()).status).toBe(200);
  expect(await done()).toEqual([0, '2']);
  expect(await read('/console?range=last-month')).toContain('Choose a longer range');
});

test('a key is made by a button and shown once, works, and is revoked by one', async ({ shop }) => {
  const { submit, get, press } = await shop.console();
  const { text } = await submit('/console/setup/keys', { name: 'Warehouse', test: 'yes' });
  const [key] = /ob_test_\w+/.exec(text)!;
  expect((await shop.reportByKey({}, { key })).body.data.isTest).toBe(true);
  const page = (await get('/console/setup/keys')).text;
  expect(page).toContain('Warehouse');
  expect(page).not.toContain(key);
  const [, id] = /name="key" value="(key_\w+)"/.exec(page)!;
  expect(await press('/console/setup/keys/revoke', { key: id! })).toContain('The key is revoked.');
  await expect.poll(async () => (await shop.reportByKey({}, { key })).status).toBe(401);
});

test('an address of the setup of before leads to its page', async ({ shop }) => {
  const { get, home } = await shop.console();
  const leads = async (path: string) => (await get(path)).headers.get('location');
  expect(await leads('/console/setup?platform=shopify')).toBe(`${home}/setup/install?platform=shopify`);
  expect(await leads('/console/check')).toBe(`${home}/setup/install#check`);
  const missing = await get('/console/setup/nowhere');
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('There is no such page.')]);
});

test.for<[string, string, RegExp | null]>([
  [
    'http://127.0.0.1:8787',
    'shop.example',
    /A buyer’s browser cannot reach this server: 127\.0\.0\.1:8787 is on this machine/,
  ],
  ['https://orders.lan', '*.shop.example', /a private network/],
  ['http://orders.shop.example', '*.shop.example', /does not load a script from http/],
  ['https://orders.shop.example', 'shop.example', null],
  ['http://127.0.0.1:8787', 'localhost', null],
])('a server at %s says why the pages of %s cannot load the tag', ([publicUrl, domain, sentence]) => {
  const stated = describeTag(publicUrl, [{ domain, isTest: false }]);
  if (sentence) expect(stated).toMatch(sentence);
  else expect(stated).toBeNull();
  expect(describeTag(publicUrl, [{ domain, isTest: true }])).toBeNull();
});

test('the page of the tag says that a public shop cannot load it from here', async ({ shop }) => {
  const { read } = await shop.console();
  for (const platform of ['html', 'woocommerce']) {
    const page = await read(`/console/setup/install?platform=${platform}`);
    // The advice is shown once, because the plugin's fault has the same fix.
    expect(page.match(/cannot reach this server: [\d.:]+ is on this machine/g)).toHaveLength(1);
  }
});

test('the line that a shop fills in is seen beside the stub, which takes one line', async ({ shop }) => {
  const { get } = await shop.console();
  for (const path of ['', '/setup/install']) {
    const { text } = await get(`/console${path}`);
    expect(text).toMatch(/<span class="long-line">!function[^<]*<\/span>track\(&#39;order&#39;/);
  }
});

test('“Try it” lists the orders of its own mode', async ({ shop }) => {
  await shop.report({ orderId: 'live-1' });
  await shop.reportByKey({ orderId: 'test-1' }, { key: await shop.testKey() });
  const { read } = await shop.console();
  for (const [mode, shown, other] of [
    ['live', 'live-1', 'test-1'],
    ['test', 'test-1', 'live-1'],
  ]) {
    const text = await read(`/console/setup/install?mode=${mode}`);
    expect([mode, text]).toEqual([mode, expect.stringContaining(shown!)]);
    expect([mode, text]).not.toEqual([mode, expect.stringContaining(other!)]);
  }
});

test('the answer to a form on Setup follows the page that it is of', async ({ shop }) => {
  const { get, home, submit } = await shop.console();
  const pageOf = (html: string) => /data-page="([^"]*)"/.exec(html)?.[1];
  expect(pageOf((await get('/console/setup/install')).text)).toBeUndefined();
  for (const [path, fields, page] of [
    ['/setup/install/check', { address: 'no address' }, '/setup/install'],
    ['/setup/domains', { domain: 'com' }, '/setup/domains'],
    ['/setup/shop', { name: '' }, '/setup/shop'],
  ] as const) {
    const own = pageOf((await submit(`/console${path}`, fields)).text);
    expect([path, own]).toEqual([path, `${home}${page}`]);
    expect((await get(own!)).status).toBe(200);
  }
});

test('a page of an allowed host that has loaded the tag is seen before its first order, in its own mode', async ({
  server,
  shop,
}) => {
  await shop.addDomain('staging.example', { isTest: true });
  const { read } = await shop.console();
  const load = (page: string) => fetch(`${server.url}/sdk/track.js`, { headers: { referer: page } });
  await load('https://stranger.example/');
  expect(await read('/console/setup/install')).toContain('No page has reported yet');
  expect(await read('/console')).toMatch(/Put the tag on your pages\s+To do/);
  await load(`${shop.origin}/`);
  expect(await read('/console/setup/install')).toContain('The tag is on a page; no order yet');
  expect(await read('/console')).toMatch(/Put the tag on your pages\s+Done/);
  expect(await read('/console/setup/install?mode=test')).toContain('No page has reported yet');
  await load('https://staging.example/thanks');
  expect(await read('/console/setup/install?mode=test')).toContain('The tag is on a page; no order yet');
  await shop.report();
  expect(await read('/console/setup/install')).toContain('A page with the tag has reported');
});

test('the welcome page has both pieces, as Setup has them', async ({ shop }) => {
  const { get } = await shop.console();
  const html = await pieces(shop, 'html');
  const { text } = await get('/console');
  const shown = unescaped(text.replaceAll(/<\/?span[^>]*>/g, ''));
  for (const name of [everyPage, confirmation]) expect(shown).toContain(html[name]);
});

test('the address of a server that begins like the one of the recipes is in each piece once', () => {
  const publicUrl = 'https://orders.shop.example:24443';
  for (const platform of Object.keys(platforms) as (keyof typeof platforms)[]) {
    const { everyPage, confirmation } = platformTag(platform, { publicUrl, teamId: 'team_1' });
    expect([platform, everyPage + confirmation]).not.toEqual([
      platform,
      expect.stringContaining('24443:24443'),
    ]);
  }
});
