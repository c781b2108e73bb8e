import { expect } from 'vitest';
import { platforms } from '../src/site/platformTags.js';
import { exampleOf } from './examples.js';
import { unescaped } from './html.js';
import { loadReleasedSdk } from './madeUpReleases.js';
import { startServerForTest } from './server.js';
import { openShop, type Shop, test } from './shop.js';

/** The texts to copy of the setup page, by their names. */
async function pieces(shop: Shop, platform: string) {
  const { text } = await (await shop.console()).get(`/console/setup?platform=${platform}`);
  return Object.fromEntries(
    [...text.matchAll(/<pre data-copy="([^"]*)"[^>]*>([\s\S]*?)<\/pre>/g)].map(([, name, html]) => [
      name,
      unescaped(html!),
    ]),
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
    `<script async src="${server.url}/sdk/track.js" data-team-id="${shop.teamId}"></script>`,
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
    `<script async src="${released.server.url}/sdk/0.0.2/track.js" data-team-id="${released.teamId}" integrity="${sdk.pin!.integrity}" crossorigin="anonymous"></script>`,
  );
  const developed = await openShop(await startServerForTest({ sdk: { ...sdk, pin: null } }));
  expect(await pieces(developed, 'html')).not.toHaveProperty('the pinned piece');
  expect(await (await developed.console()).read('/console/setup')).toContain(
    'This is a development version; a pin exists for released versions.',
  );
});

test('the platforms are links, of which the chosen one is marked, and each leads to its recipe; the key’s command names the team', async ({
  shop,
}) => {
  const { get, read } = await shop.console();
  for (const [name, title] of Object.entries(platforms)) {
    const { text } = await get(`/console/setup?platform=${name}`);
    const [tabs] = /<nav aria-label="Platform"[\s\S]*?<\/nav>/.exec(text)!;
    expect(/<a href="[^"]*" aria-current="page">([^<]*)</.exec(tabs)?.[1]).toBe(title);
    const [, recipe] = /<a href="([^"]+)">More on /.exec(text)!;
    expect((await get(recipe!)).status).toBe(200);
  }
  expect(await read('/console/setup')).toContain(`orderbeacon key create --team ${shop.teamId}`);
});

test('three steps on Overview, Orders and Setup tick themselves off: tag, domain, first order', async ({
  shop,
}) => {
  const { sql, team, domain } = shop;
  await sql`delete from domain where team_id = ${team}`;
  const { get, read } = await shop.console();
  const steps = async (path: string) =>
    [...(await get(path)).text.matchAll(/<span class="hidden">: (done|to do)<\/span>/g)].map(
      ([, state]) => state,
    );
  const pages = ['/console', '/console/orders', '/console/setup'];
  const onEach = async () => Promise.all(pages.map(steps));
  expect(await onEach()).toEqual(pages.map(() => ['to do', 'to do', 'to do']));
  expect((await shop.report()).status).toBe(403);
  await expect.poll(onEach).toEqual(pages.map(() => ['done', 'to do', 'to do']));
  await shop.addDomain(domain);
  expect(await onEach()).toEqual(pages.map(() => ['done', 'done', 'to do']));
  await expect.poll(async () => (await shop.report()).status).toBe(200);
  expect(await onEach()).toEqual([[], [], ['done', 'done', 'done']]);
  expect(await read('/console?range=last-month')).toContain('Choose a longer range');
});
