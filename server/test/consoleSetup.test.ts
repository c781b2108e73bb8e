import { beforeEach, expect, it } from 'vitest';
import { platforms } from '../src/site/platformTags.js';
import type { SdkFiles } from '../src/site/sdkFiles.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { signIn } from './console.js';
import { exampleOf } from './examples.js';
import { loadReleasedSdk } from './madeUpReleases.js';
import { startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let team: { uuid: string; teamId: string };
let browser: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  server = await startServerForTest();
  team = await server.addTeam();
  browser = await signIn(server, team.teamId);
});

const plain = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The texts to copy of the setup page, by their names. */
async function pieces(platform: string) {
  const { text } = await browser.get(`/console/setup?platform=${platform}`);
  return Object.fromEntries(
    [...text.matchAll(/<pre data-copy="([^"]*)"[^>]*>([\s\S]*?)<\/pre>/g)].map(([, name, html]) => [
      name,
      plain(html!),
    ]),
  );
}

const everyPage = 'the piece for every page';
const confirmation = 'the piece for the confirmation page';

it('the command that makes an API key names this team, so that it can be copied', async () => {
  const { text } = await browser.get('/console/setup');
  expect(plain(text)).toContain(`orderbeacon key create --team ${team.teamId}<`);
});

it('each platform has the pieces of its recipe, with this team and this server in them, each to be copied', async () => {
  const filled = (text: string) =>
    text.replaceAll('https://orders.shop.example', server.url).replaceAll('team_…', team.teamId);
  const html = await pieces('html');
  expect(html[everyPage]).toBe(
    `<script async src="${server.url}/sdk/track.js" data-team-id="${team.teamId}"></script>`,
  );
  expect(html[confirmation]).toMatch(/^<script>\n[\s\S]*track\('order', [\s\S]*<\/script>$/);
  const woocommerce = await pieces('woocommerce');
  expect(`${woocommerce[everyPage]}\n\n${woocommerce[confirmation]}`).toBe(
    filled(exampleOf('sdk/recipes/woocommerce.md', 'hook')),
  );
  expect(woocommerce[everyPage]).toMatch(/^add_action\( 'wp_head'[\s\S]*data-team-id="team_[\s\S]*\} \);$/);
  expect(woocommerce[confirmation]).toMatch(/^add_action\( 'woocommerce_thankyou'/);
  expect(await pieces('shopify')).toEqual({
    [everyPage]: filled(exampleOf('sdk/recipes/shopify.md', 'theme')),
  });
  expect(await pieces('tag-manager')).toEqual({
    [everyPage]: filled(exampleOf('sdk/recipes/tag-manager.md', 'every-page')),
    [confirmation]: filled(exampleOf('sdk/recipes/tag-manager.md', 'tag')),
  });
  expect(await pieces('constructor')).toEqual(html);
});

it('the first piece can be pinned to a released version, and a development version says that it cannot', async () => {
  const sdk = await loadReleasedSdk();
  const showSetup = async (served: SdkFiles) => {
    server = await startServerForTest({ sdk: served });
    team = await server.addTeam();
    browser = await signIn(server, team.teamId);
    return pieces('html');
  };
  expect(await showSetup({ ...sdk, pin: null })).not.toHaveProperty('the pinned piece');
  expect((await browser.get('/console/setup')).text).toContain(
    'This is a development version; a pin exists for released versions.',
  );
  expect((await showSetup(sdk))['the pinned piece']).toBe(
    `<script async src="${server.url}/sdk/0.0.2/track.js" data-team-id="${team.teamId}" integrity="${sdk.pin!.integrity}" crossorigin="anonymous"></script>`,
  );
});

it('the platforms are links, of which the chosen one is marked, and each leads to its recipe', async () => {
  for (const [name, title] of Object.entries(platforms)) {
    const { text } = await browser.get(`/console/setup?platform=${name}`);
    const [tabs] = /<nav aria-label="Platform"[\s\S]*?<\/nav>/.exec(text)!;
    expect(tabs.match(/<a href/g)).toHaveLength(4);
    expect(/<a href="[^"]*" aria-current="page">([^<]*)</.exec(tabs)?.[1]).toBe(title);
    const [, recipe] = /<a href="([^"]+)">More on /.exec(text)!;
    expect((await browser.get(recipe!)).status).toBe(200);
  }
});

it('three steps on Overview, Orders and Setup tick themselves off: tag, domain, first order', async () => {
  const steps = async (path: string) =>
    [...(await browser.get(path)).text.matchAll(/<span class="hidden">: (done|to do)<\/span>/g)].map(
      ([, state]) => state,
    );
  const pages = ['/console', '/console/orders', '/console/setup'];
  const onEach = async () => Promise.all(pages.map(steps));
  expect(await onEach()).toEqual(pages.map(() => ['to do', 'to do', 'to do']));
  expect((await server.report({ teamId: team.teamId, email: 'ann@buyer.example', amount: 1 })).status).toBe(
    403,
  );
  await expect.poll(onEach).toEqual(pages.map(() => ['done', 'to do', 'to do']));
  await addDomain(server.sql, team.uuid, { entry: 'shop.example', isTest: false });
  expect(await onEach()).toEqual(pages.map(() => ['done', 'done', 'to do']));
  const stored = () =>
    server.report({ teamId: team.teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o' });
  await expect.poll(async () => (await stored()).status).toBe(200);
  expect(await onEach()).toEqual([[], [], ['done', 'done', 'done']]);
  const { text } = await browser.get('/console?range=last-month');
  expect(text).toContain('Choose a longer range');
  expect(text).not.toContain('class="steps"');
});
