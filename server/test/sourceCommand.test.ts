import { expect } from 'vitest';
import { runOrderbeacon } from './command.js';
import { sendTo } from './server.js';
import { openShop, type Shop, test } from './shop.js';
import { signers } from './sources.js';
import { session, stripeEvent } from './stripeSamples.js';

/** Runs `source` on the team of a shop. @param input the secret, with `--secret-file -` */
const run = ({ server, teamId }: Shop, [verb, ...args]: string[], input = '') =>
  runOrderbeacon(
    ['source', verb!, '--team', teamId, ...args],
    { ...server.env, PUBLIC_URL: server.url },
    input,
  );

async function json(shop: Shop, args: string[], input = '') {
  const { code, stdout, stderr } = await run(shop, [...args, '--json'], input);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

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
  ['an API key of Stripe for the secret', ['add', 'stripe', ...fromStdin], 'sk_live_1', /begins with whsec_/],
  ['a file that is not there', ['add', 'stripe', '--secret-file', '/nowhere'], '', /Cannot read \/nowhere/],
  ['no source', ['remove', 'src_nothing'], '', /no source with the id "src_nothing"/],
  ['an update without a secret', ['update', 'src_nothing'], '', /--secret-file/],
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
