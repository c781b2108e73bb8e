import { afterAll, beforeAll, expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { createEmptyDatabase } from './database.js';
import { itOffCitus } from './offCitus.js';
import { startTestServer } from './server.js';
import { signers } from './sources.js';
import { session, stripeEvent } from './stripeSamples.js';
import { temporaryFolder } from './temporaryFolder.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const run = (args: string[], input = '') =>
  runOrderbeacon(args, { ...server.env, PUBLIC_URL: server.url }, input);

async function json(args: string[], input = '') {
  const { code, stdout, stderr } = await run([...args, '--json'], input);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const body = JSON.stringify(stripeEvent('checkout.session.completed', session()));

async function say(path: string, secret: string) {
  const headers = { 'content-type': 'application/json', ...signers.stripe(body, secret, '') };
  return (await server.send('POST', path, { headers, body })).status;
}

it('a source is added, gets its secret, is listed with its last event, and removed', async () => {
  const { teamId, uuid } = await server.addTeam();
  const team = ['--team', teamId];
  const added = await json(['source', 'add', ...team, 'stripe']);
  expect(added).toMatchObject({ kind: 'stripe', isTest: false, hasSecret: false });
  expect(added.id).toMatch(/^src_[0-9a-z]{26}$/);
  expect(added.url).toMatch(new RegExp(`^${server.url}/svc-api/v1/sources/src_[\\w-]{43}$`));
  expect(added.events).toContain('checkout.session.completed');
  const { pathname } = new URL(added.url);
  expect(await say(pathname, 'whsec_1')).toBe(401);

  await json(['source', 'update', ...team, added.id, '--secret-file', '-'], 'whsec_1\r\n');
  expect(await say(pathname, 'whsec_1')).toBe(200);
  await json(['source', 'update', ...team, added.id, '--secret-file', '-'], ' whsec_2 ');
  expect([await say(pathname, 'whsec_1'), await say(pathname, 'whsec_2')]).toEqual([401, 200]);

  await expect.poll(async () => (await json(['source', 'list', ...team]))[0].lastOutcome).toBe('known');
  const [listed] = await json(['source', 'list', ...team]);
  expect(listed).toMatchObject({ ...added, hasSecret: true, lastEventAt: expect.any(String) });
  const { stdout } = await run(['source', 'list', ...team]);
  expect(stdout).toContain(added.url);
  expect(stdout).not.toContain('whsec_');

  expect(await json(['source', 'remove', ...team, added.id])).toEqual({ id: added.id, removed: true });
  expect(await say(pathname, 'whsec_2')).toBe(404);
  expect(await json(['source', 'list', ...team])).toEqual([]);
  const [{ orders }] = await server.sql<[{ orders: number }]>`
    select count(*)::int as orders from placed_order where team_id = ${uuid}`;
  expect(orders).toBe(1);
});

it('the keys that vouch for a source are no keys of the team', async () => {
  const { teamId, uuid } = await server.addTeam();
  const key = await json(['key', 'create', '--team', teamId]);
  const source = await json(['source', 'add', '--team', teamId, 'shopify', '--secret-file', '-'], 'secret');
  const keys = await json(['key', 'list', '--team', teamId]);
  expect(keys.map(({ id }: { id: string }) => id)).toEqual([key.id]);
  const rows =
    await server.sql`select mode from api_key where team_id = ${uuid} and source_id is not null order by 1`;
  expect(rows.map(({ mode }) => mode)).toEqual(['live', 'test']);
  await json(['source', 'remove', '--team', teamId, source.id]);
  expect(await json(['key', 'list', '--team', teamId])).toHaveLength(1);
  const live = await server.sql`select from api_key where team_id = ${uuid} and revoked_at is null`;
  expect(live).toHaveLength(1);
});

it.each<[string, string[], string, RegExp]>([
  ['another shop system', ['add', 'magento'], '', /Allowed choices are stripe, shopify, woocommerce/],
  ['a secret on the command line', ['add', 'stripe', '--secret', 'whsec_1'], '', /unknown option/],
  ['an empty secret', ['add', 'stripe', '--secret-file', '-'], ' \n', /the secret is empty/],
  ['a secret of two lines', ['add', 'shopify', '--secret-file', '-'], 'a\nb', /one line/],
  [
    'an API key of Stripe for the signing secret',
    ['add', 'stripe', '--secret-file', '-'],
    'sk_live_1',
    /begins with whsec_/,
  ],
  ['a file that is not there', ['add', 'stripe', '--secret-file', '/nowhere'], '', /Cannot read \/nowhere/],
  ['no source', ['remove', 'src_nothing'], '', /no source with the id "src_nothing"/],
  ['an update without a secret', ['update', 'src_nothing'], '', /--secret-file/],
  [
    'an update of no source',
    ['update', 'src_nothing', '--secret-file', '-'],
    'whsec_1',
    /no source with the id/,
  ],
])('%s is refused in one line, and changes nothing', async (_, [verb, ...args], input, message) => {
  const { teamId, uuid } = await server.addTeam();
  const { code, stdout, stderr } = await run(['source', verb!, '--team', teamId, ...args], input);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('sk_live_1');
  expect(await server.sql`select from source where team_id = ${uuid}`).toHaveLength(0);
});

it('another team’s source can be neither updated nor removed', async () => {
  const [mine, other] = [await server.addTeam(), await server.addTeam()];
  const { id, url } = await json(
    ['source', 'add', '--team', mine.teamId, 'stripe', '--secret-file', '-'],
    'whsec_1',
  );
  expect(
    (await run(['source', 'update', '--team', other.teamId, id, '--secret-file', '-'], 'whsec_2')).code,
  ).toBe(2);
  expect((await run(['source', 'remove', '--team', other.teamId, id])).code).toBe(2);
  expect(await say(new URL(url).pathname, 'whsec_1')).toBe(200);
});

itOffCitus('a backup is refused there while anybody has the database open')(
  'a source works on after backup and restore',
  async () => {
    const { teamId } = await server.addTeam();
    const { url } = await json(
      ['source', 'add', '--team', teamId, 'stripe', '--secret-file', '-'],
      'whsec_1',
    );
    const { pathname } = new URL(url);
    expect(await say(pathname, 'whsec_1')).toBe(200);
    const file = `${temporaryFolder()}/backup.gz`;
    expect((await run(['backup', file])).code).toBe(0);
    const empty = await createEmptyDatabase();
    expect((await runOrderbeacon(['restore', file], empty.env)).code).toBe(0);
    const restored = await startTestServer({ databaseUrl: empty.url });
    const answer = await fetch(new URL(pathname, restored.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signers.stripe(body, 'whsec_1', '') },
      body,
    });
    expect(await answer.json()).toMatchObject({ data: { outcomes: ['known'] } });
    await restored.close();
    await empty.close();
  },
);
