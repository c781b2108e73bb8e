import { afterEach, expect, vi } from 'vitest';
import { listConsoleSessions, revokeConsoleSessions } from '../../src/console/access/consoleSession.js';
import { documentOf } from '../kit/command.js';
import { linkToken, openLink, postForm, signIn } from '../kit/console.js';
import { textOf } from '../kit/html.js';
import { sendTo, startServerForTest } from '../kit/server.js';
import { openShop, type Shop, test } from '../kit/shop.js';
import { stopClock } from '../kit/stopClock.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

afterEach(() => void vi.useRealTimers());

/** Makes all links and sessions of a team older. */
async function pass({ sql, team }: Shop, ms: number) {
  // Citus updates only by functions that depend on nothing but their arguments, so the session's time zone must not count.
  const aged = (column: string) =>
    sql`(${sql(column)} at time zone 'UTC' - ${ms}::float8 * interval '1 millisecond') at time zone 'UTC'`;
  await sql`
    update console_link set created_at = ${aged('created_at')}, expires_at = ${aged('expires_at')}
    where team_id = ${team}`;
  await sql`
    update console_session set created_at = ${aged('created_at')}, last_seen_at = ${aged('last_seen_at')},
      expires_at = ${aged('expires_at')} where team_id = ${team}`;
}

const sessionsOf = ({ sql, team }: Shop) =>
  sql`select is_read_only as "isReadOnly" from console_session where team_id = ${team} order by created_at`;

test('a link opens the console once, also when ten browsers open it at the same time', async ({
  server,
  shop,
}) => {
  const token = await linkToken(server, shop.teamId);
  const answers = await Promise.all(Array.from({ length: 10 }, () => openLink(server, token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(403)]);
  expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
  expect(await sessionsOf(shop)).toHaveLength(1);
});

test('a link works until it expires, and a page that refuses one says why and whom to ask', async ({
  server,
  shop,
}) => {
  const link = (validMs = 60 * minuteMs) => linkToken(server, shop.teamId, { validMs });
  const [token, late] = [await link(15 * minuteMs), await link(15 * minuteMs)];
  await pass(shop, 14 * minuteMs);
  expect((await openLink(server, token)).status).toBe(303);
  const withdrawn = await link();
  await revokeConsoleSessions(shop.sql, shop.team);
  const [used, expired] = [await link(), await link(15 * minuteMs)];
  // A pasted whole link works like its token.
  expect((await openLink(server, ` https://orders.shop.example/console/sign-in#${used}\n`)).status).toBe(303);
  await pass(shop, 16 * minuteMs);
  for (const [text, reason] of [
    [used, 'was used before'],
    [expired, 'has expired'],
    // Links that were made before the revocation are unknown, whatever their state was.
    [late, 'does not know this link'],
    [withdrawn, 'does not know this link'],
    [`team_${'0'.repeat(26)}.${'a'.repeat(43)}`, 'does not know this link'],
    ['', 'This link is incomplete'],
    ['x', 'This link is incomplete'],
    [`${shop.teamId}.`, 'This link is incomplete'],
    [`${used.slice(0, -1)}!`, 'This link is incomplete'],
  ] as const) {
    const answer = await openLink(server, text);
    expect([text, answer.status, answer.headers.get('set-cookie')]).toEqual([text, 403, null]);
    expect(answer.text).toContain(reason);
    expect(answer.text).toContain('Ask whoever runs your server for a new link');
  }
});

test('links that ended 30 days ago are forgotten when another one is made', async ({ server, shop }) => {
  const [used] = [await linkToken(server, shop.teamId), await linkToken(server, shop.teamId)];
  await openLink(server, used);
  const links = async () => (await shop.sql`select from console_link where team_id = ${shop.team}`).length;
  await pass(shop, 29 * dayMs);
  await linkToken(server, shop.teamId);
  expect(await links()).toBe(3);
  await pass(shop, 2 * dayMs);
  await linkToken(server, shop.teamId);
  expect(await links()).toBe(2);
});

test('a session ends 30 days after it was used last', async ({ shop }) => {
  const { get } = await shop.console();
  await pass(shop, 29 * dayMs);
  const used = await get('/console');
  expect([used.status, used.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringContaining('Max-Age=2592000'),
  ]);
  await pass(shop, 29 * dayMs);
  expect((await get('/console')).status).toBe(200);
  await pass(shop, 30 * dayMs + 1);
  const ended = await get('/console');
  expect([ended.status, ended.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/console\/sign-in\?to=/),
  ]);
});

test('a server’s clock that is wrong ends no link and no session, and prolongs none', {
  tags: ['all'],
}, async () => {
  const server = await startServerForTest();
  for (const days of [-400, -1, 1, 400]) {
    const shop = await openShop(server);
    const before = await shop.console();
    const token = await linkToken(server, shop.teamId, { validMs: 15 * minuteMs });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs });
    expect([days, (await openLink(server, token)).status]).toEqual([days, 303]);
    const concurrent = await shop.console();
    const statuses = async () =>
      Promise.all([before, concurrent].map(async ({ get }) => (await get('/console')).status));
    expect([days, await statuses()]).toEqual([days, [200, 200]]);
    vi.useRealTimers();
    expect([days, await statuses()]).toEqual([days, [200, 200]]);
    const [ends] = await server.sql`
      select min(expires_at) > now() + interval '29 days' and max(expires_at) <= now() + interval '30 days' as good
      from console_session where team_id = ${shop.team}`;
    expect([days, ends]).toEqual([days, { good: true }]);
  }
});

test('a revoked session ends immediately on every server', async ({ server, beside, shop }) => {
  const { get } = await shop.console();
  const statuses = async () =>
    Promise.all([server, beside].map(async ({ url }) => (await get('/console', {}, url)).status));
  expect(await statuses()).toEqual([200, 200]);
  expect(await revokeConsoleSessions(shop.sql, shop.team)).toEqual({ sessions: 1, links: 0 });
  expect(await statuses()).toEqual([303, 303]);
});

test('a form whose session has ended changes nothing, and its page says so at its own address, so that a reload sends it', async ({
  shop,
}) => {
  const { cookie, press, submit } = await shop.console();
  await revokeConsoleSessions(shop.sql, shop.team);
  expect((await submit('/console/setup/domains', { domain: 'new.example' })).status).toBe(403);
  expect(await press('/console/setup/domains', { domain: 'new.example' })).toContain(
    'You are signed out Nothing was changed.',
  );
  expect(await shop.sql`select from domain where team_id = ${shop.team}`).toHaveLength(1);
  expect((await submit('/console/sign-out', {}, { cookie })).status).toBe(303);
});

test('a form counts only from a page of this host, or where the browser says that it is of the same origin', async ({
  server,
  shop,
}) => {
  const { submit } = await shop.console();
  const send = async (headers: Record<string, string | undefined>) =>
    (await submit('/console/setup/domains', { domain: 'new.example' }, headers)).status;
  const { port } = new URL(server.url);
  const evil = 'https://evil.example';
  for (const headers of [
    { origin: evil },
    { origin: undefined },
    { origin: 'garbage' },
    { origin: `http://127.0.0.1.evil.example:${port}` },
    ...['cross-site', 'same-site', 'none', 'garbage'].map((site) => ({
      origin: evil,
      'sec-fetch-site': site,
    })),
  ])
    expect([headers, await send(headers)]).toEqual([headers, 403]);
  expect(await shop.sql`select from domain where team_id = ${shop.team}`).toHaveLength(1);
  // The request comes by a proxy that changes the host.
  expect(await send({ origin: 'https://orders.shop.example', 'sec-fetch-site': 'same-origin' })).toBe(303);
  expect(await shop.sql`select from domain where team_id = ${shop.team}`).toHaveLength(2);
});

test('a signed-out session is gone, and the other one of the team stays', async ({ shop }) => {
  const [ann, bob] = [await shop.console(), await shop.console()];
  const { headers } = await ann.submit('/console/sign-out', {});
  expect(headers.get('set-cookie')).toContain(`orderbeacon_${shop.teamId}=; Max-Age=0; Path=/`);
  expect((await ann.get('/console')).status).toBe(303);
  expect((await bob.get('/console')).status).toBe(200);
});

test('no script reads the cookie and no other site sends it; over https it is bound to the host', async ({
  server,
  shop,
}) => {
  const overHttp = await openLink(server, await linkToken(server, shop.teamId));
  expect(overHttp.headers.get('set-cookie')).toMatch(
    /^orderbeacon_(team_\w{26})=\1\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const proxied = await startServerForTest({ env: { PUBLIC_URL: 'https://orders.shop.example/ob' } });
  const { teamId } = await proxied.addTeam();
  const token = await linkToken(proxied, teamId);
  const origin = 'https://orders.shop.example';
  const cookies = { cookie: '__Host-orderbeacon_probe=1' };
  const overHttps = await postForm(proxied.bindUrl, '/console/sign-in', { token }, { origin, ...cookies });
  expect(overHttps.headers.get('location')).toBe(`/ob/console/${teamId}`);
  const cookie = overHttps.headers.get('set-cookie')!;
  expect(cookie).toMatch(/^__Host-orderbeacon_team_.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const page = await sendTo(new URL(`/console/${teamId}`, proxied.bindUrl), 'GET', {
    headers: { cookie: cookie.split(';')[0]! },
  });
  expect(page.text).toContain(`href="/ob/console/${teamId}/orders"`);
});

test('one address has 20 attempts a minute to sign in', async () => {
  const server = await startServerForTest({ env: {} });
  const { teamId } = await server.addTeam();
  const token = await linkToken(server, teamId);
  stopClock();
  const open = (text: string) =>
    postForm(server.url, '/console/sign-in', { token: text }, { cookie: 'orderbeacon_probe=1' });
  for (let n = 0; n < 20; n++) expect((await open('x')).status).toBe(403);
  const refused = await open(token);
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 3]);
  expect(refused.headers.get('content-type')).toBe('text/html; charset=UTF-8');
});

test('a session sees the orders, domains and keys of one team alone', async ({ server, shop }) => {
  const { body } = await shop.report();
  const { id, orderNumber } = body.data;
  const pages = ['', '/orders', `/orders?q=${orderNumber}`, '/orders.csv', '/setup/domains', `/orders/${id}`];
  const [owner, stranger] = [await shop.console(), await (await openShop(server)).console()];
  const seen = async ({ get }: typeof owner) =>
    (await Promise.all(pages.map((path) => get(`/console${path}`)))).map(({ text }) => text).join();
  for (const text of [`>${shop.domain}<`, `>${orderNumber}<`]) {
    expect(await seen(owner)).toContain(text);
    expect(await seen(stranger)).not.toContain(text);
  }
  expect((await stranger.get(`/console/orders/${id}`)).status).toBe(404);
});

test('the root leads to the console; its pages run no script of their own, and are HTML also where something is wrong', async ({
  server,
  shop,
}) => {
  expect((await server.send('GET', '/')).headers.get('location')).toBe('/console');
  const page = await server.send('GET', '/console/sign-in');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  const missing = await (await shop.console()).get('/console/orders/ord_x');
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
});

test('the command prints links, lists who is signed in, and signs out one or all', async ({
  server,
  shop,
}) => {
  const run = async (...args: string[]) => documentOf(await shop.command('console', ...args, '--json'));
  const before = Date.now();
  const { url, expiresAt } = await run('--valid', '1h');
  expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 60 * minuteMs);
  expect(url).toMatch(new RegExp(`/console/sign-in#${shop.teamId}\\.[\\w-]{43}$`));
  expect((await openLink(server, new URL(url).hash.slice(1))).status).toBe(303);
  await shop.console();
  await linkToken(server, shop.teamId);
  const { url: forLooking } = await run('--read-only');
  expect(forLooking).toMatch(/\.view$/);

  const listed = await run('list');
  expect(listed).toEqual(
    Array(2).fill({
      id: expect.stringMatching(/^ses_\w{26}$/),
      isReadOnly: false,
      browser: null,
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
    }),
  );
  expect(await run('revoke', listed[0].id)).toEqual({ sessions: 1, links: 0 });
  expect(await run('list')).toEqual([listed[1]]);
  expect(await run('revoke')).toEqual({ sessions: 1, links: 2 });
  expect(await run('list')).toEqual([]);
  for (const args of [
    ['--valid', '8d'],
    ['--valid', '0m'],
    ['revoke', listed[0].id],
  ]) {
    const { code, stdout, stderr } = await shop.command('console', ...args);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  }
});

test('a link for looking only shows every page without a form but the one that signs out', async ({
  server,
  shop,
}) => {
  const owner = await shop.console();
  const page = await owner.submit('/console/setup/keys/links', { may: 'look' });
  const token = /sign-in#([\w.-]+)/.exec(page.text)![1]!;
  // A token with a changed right is another token.
  expect((await openLink(server, token.replace('.view', ''))).status).toBe(403);
  expect((await openLink(server, token)).status).toBe(303);
  const looker = await signIn(server, shop.teamId, { isReadOnly: true });
  // Each page that lacks its form says who can help, and none asks for input that it has no form for.
  for (const path of [
    '',
    '/webhooks',
    '/compare',
    '/setup/install',
    '/setup/domains',
    '/setup/sources',
    '/setup/shop',
    '/setup/keys',
  ]) {
    const page = textOf((await looker.get(`/console${path}`)).text.replace(/<header.*?<\/header>/s, ''));
    expect([path, page]).toEqual([
      path,
      expect.stringMatching(/You have view-only access\. To [a-z ]+, ask whoever sent you the link/),
    ]);
    expect([path, page]).toEqual([
      path,
      expect.not.stringMatching(/Choose its time zone|Add yours|where you can/),
    ]);
  }
  // Data for which other viewers see forms: a refused report, a source, a webhook.
  await shop.report({ amount: 'much' });
  await owner.submit('/console/setup/sources', { kind: 'shopify' });
  await owner.submit('/console/webhooks', { url: 'https://hooks.example/', 'order.created': 'yes' });
  for (const path of [
    '',
    '/orders',
    '/refused',
    '/webhooks',
    '/setup/install',
    '/setup/shop',
    '/setup/keys',
    '/compare',
  ]) {
    const { status, text } = await looker.get(`/console${path}`);
    const actions = [...text.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action]) => action);
    expect([path, status, actions]).toEqual([path, 200, [`${looker.home}/sign-out`]]);
    expect(text).toContain('You have view-only access.');
  }
  const domain = { domain: 'other.example', test: 'yes' };
  expect((await looker.submit('/console/setup/domains', domain)).status).toBe(403);
  expect(await shop.sql`select entry from domain where team_id = ${shop.team}`).toEqual([
    { entry: shop.domain },
  ]);
  expect(await sessionsOf(shop)).toEqual([false, true, true].map((isReadOnly) => ({ isReadOnly })));
  const out = await looker.submit('/console/sign-out', {});
  expect([out.status, (await looker.get('/console')).status]).toEqual([303, 303]);
});

test.for([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.14.1', 'A browser'],
] as const)('the setup page names a signed-in browser: %s', async ([userAgent, name], { shop, server }) => {
  const token = await linkToken(server, shop.teamId);
  await openLink(server, token, '', userAgent);
  const { text } = await (await shop.console()).get('/console/setup/keys');
  expect(textOf(/<table(?:(?!<table).)*Last seen.*?<\/table>/s.exec(text)![0])).toContain(`${name} Change`);
});

test('the setup page lists the signed-in browsers of its team alone, and signs each or all out', async ({
  server,
  shop,
}) => {
  const idsOf = (text: string) =>
    [...text.matchAll(/name="browser" value="(ses_\w+)"/g)].map(([, id]) => id!);
  const ann = await shop.console();
  const idsOfAnn = idsOf((await ann.get('/console/setup/keys')).text);
  const bob = await shop.console();
  const eve = await (await openShop(server)).console();
  const { text } = await ann.get('/console/setup/keys');
  const ids = idsOf(text);
  expect(ids).toHaveLength(2);
  // Signing out all cannot be undone, so a first press asks.
  const folded = /<details[^>]*><summary>Sign out all browsers<\/summary>.*?<\/details>/s.exec(text)?.[0];
  expect(folded).toContain('name="browser" value="all"');
  const signOut = (browser: string) => ann.submit('/console/setup/keys/sign-out', { browser });
  const statuses = () => Promise.all([ann, bob, eve].map(async ({ get }) => (await get('/console')).status));
  await signOut(idsOf((await eve.get('/console/setup/keys')).text)[0]!);
  await signOut('x');
  expect(await statuses()).toEqual([200, 200, 200]);
  // Two sessions of one millisecond are listed in any order.
  await signOut(ids.find((id) => !idsOfAnn.includes(id))!);
  expect(await statuses()).toEqual([200, 303, 200]);
  const unused = await linkToken(server, shop.teamId);
  await signOut('all');
  expect(await statuses()).toEqual([303, 303, 200]);
  expect((await openLink(server, unused)).status).toBe(403);
});

test('of a team with more than 1,000 signed-in browsers the newest 1,000 are read', {
  tags: ['all'],
}, async ({ shop }) => {
  await shop.sql`
    insert into console_session (team_id, hash, id, is_read_only, created_at, last_seen_at, expires_at)
    select ${shop.team}, 'hash ' || n, gen_random_uuid(), true, now() - n * interval '1 s', now(), now() + interval '1 day'
    from generate_series(1, 1001) n`;
  const listed = await listConsoleSessions(shop.sql, shop.team);
  expect([listed.length, listed[0]!.hash, listed.at(-1)!.hash]).toEqual([1_000, 'hash 1', 'hash 1000']);
});
