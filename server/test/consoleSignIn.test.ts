import pino from 'pino';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../src/app/listen.js';
import { readConfig } from '../src/config.js';
import type { Sql } from '../src/database/connection/connect.js';
import { loadSdkFiles } from '../src/site/sdkFiles.js';
import { revokeConsoleSessions } from '../src/teams/sql/consoleSession.js';
import { decodeId } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { linkToken, postForm, signIn } from './console.js';
import { sendTo, startServerForTest } from './server.js';
import { stopClock } from './stopClock.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

afterEach(() => void vi.useRealTimers());

/** Makes all links and sessions so much older. */
async function pass({ sql }: { sql: Sql }, ms: number) {
  // Citus updates by functions that depend on nothing but their arguments; by the time zone of the session it does not.
  const aged = (column: string) =>
    sql`(${sql(column)} at time zone 'UTC' - ${ms}::float8 * interval '1 millisecond') at time zone 'UTC'`;
  await sql`
    update console_link set created_at = ${aged('created_at')}, expires_at = ${aged('expires_at')}`;
  await sql`
    update console_session set created_at = ${aged('created_at')}, last_seen_at = ${aged('last_seen_at')},
      expires_at = ${aged('expires_at')}`;
}

it('a link opens the console once, also when ten browsers open it at the same time', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const token = await linkToken(server, teamId);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => postForm(server.url, '/console/sign-in', { token })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(403)]);
  expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
  expect(await server.sql`select from console_session`).toHaveLength(1);
});

it('a link works until it expires, and a page that refuses one says why and whom to ask', async () => {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam();
  const token = await linkToken(server, teamId, 15 * minuteMs);
  const late = await linkToken(server, teamId, 15 * minuteMs);
  await pass(server, 14 * minuteMs);
  expect((await postForm(server.url, '/console/sign-in', { token })).status).toBe(303);
  await pass(server, minuteMs);
  const withdrawn = await linkToken(server, teamId);
  await revokeConsoleSessions(server.sql, uuid);
  const [used, expired] = [await linkToken(server, teamId), await linkToken(server, teamId, 15 * minuteMs)];
  await postForm(server.url, '/console/sign-in', { token: used });
  await pass(server, 16 * minuteMs);
  for (const [text, reason] of [
    [used, 'was used before'],
    [expired, 'has expired'],
    // Links of before the revocation are unknown, whatever their state was.
    [late, 'does not know this link'],
    [withdrawn, 'does not know this link'],
    [`team_${'0'.repeat(26)}.${'a'.repeat(43)}`, 'does not know this link'],
    ['', 'not a whole link'],
    ['x', 'not a whole link'],
    [`${teamId}.`, 'not a whole link'],
    [`${used.slice(0, -1)}!`, 'not a whole link'],
  ] as const) {
    const answer = await postForm(server.url, '/console/sign-in', { token: text });
    expect([text, answer.status, answer.headers.get('set-cookie')]).toEqual([text, 403, null]);
    expect(answer.text).toContain(reason);
    expect(answer.text).toContain('Ask whoever runs your server for a new link');
    // The command is folded away.
    expect(answer.text.indexOf('orderbeacon console')).toBeGreaterThan(answer.text.indexOf('<details>'));
  }
});

it('links that ended 30 days ago are forgotten when another one is made', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const [used] = [await linkToken(server, teamId), await linkToken(server, teamId)];
  await postForm(server.url, '/console/sign-in', { token: used });
  await pass(server, 29 * dayMs);
  await linkToken(server, teamId);
  expect(await server.sql`select from console_link`).toHaveLength(3);
  await pass(server, 2 * dayMs);
  await linkToken(server, teamId);
  expect(await server.sql`select from console_link`).toHaveLength(2);
});

it('a whole link that somebody pastes is as good as its token', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const token = ` https://orders.shop.example/console/sign-in#${await linkToken(server, teamId)}\n`;
  expect((await postForm(server.url, '/console/sign-in', { token })).status).toBe(303);
});

it('a session ends 30 days after it was used last', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const { get } = await signIn(server, teamId);
  await pass(server, 29 * dayMs);
  const used = await get('/console');
  expect([used.status, used.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringContaining('Max-Age=2592000'),
  ]);
  await pass(server, 29 * dayMs);
  expect((await get('/console')).status).toBe(200);
  await pass(server, 30 * dayMs + 1);
  const ended = await get('/console');
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/console/sign-in']);
});

it.each([-400, -1, 1, 400])(
  'a server’s clock that is wrong by %i days ends no link and no session, and prolongs none',
  async (days) => {
    const server = await startServerForTest();
    const { teamId } = await server.addTeam();
    const before = await signIn(server, teamId);
    const token = await linkToken(server, teamId, 15 * minuteMs);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs });
    expect((await postForm(server.url, '/console/sign-in', { token })).status).toBe(303);
    const meanwhile = await signIn(server, teamId);
    for (const { get } of [before, meanwhile]) expect((await get('/console')).status).toBe(200);
    vi.useRealTimers();
    for (const { get } of [before, meanwhile]) expect((await get('/console')).status).toBe(200);
    const [ends] = await server.sql`
      select min(expires_at) > now() + interval '29 days' and max(expires_at) <= now() + interval '30 days' as good
      from console_session`;
    expect(ends).toEqual({ good: true });
  },
);

it('a revoked session ends immediately on every server', async () => {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam();
  const second = await listen(server.pools, readConfig({ PORT: '0' }), {
    sdk: await loadSdkFiles(),
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => second.stop());
  const { get } = await signIn(server, teamId);
  for (const url of [server.url, second.publicUrl]) expect((await get('/console', {}, url)).status).toBe(200);
  expect(await revokeConsoleSessions(server.sql, uuid)).toEqual({ sessions: 1, links: 0 });
  for (const url of [server.url, second.publicUrl]) expect((await get('/console', {}, url)).status).toBe(303);
});

it('nobody who is not signed in sees a page or changes anything', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  for (const path of [
    '/console',
    '/console/orders',
    '/console/orders.csv',
    '/console/live',
    '/console/setup',
  ]) {
    const answer = await server.send('GET', path, {
      headers: { cookie: `orderbeacon=${teamId}.${'a'.repeat(43)}` },
    });
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, '/console/sign-in']);
  }
  const removal = await postForm(server.url, '/console/domains/remove', { domain: 'shop.example' });
  expect(removal.status).toBe(303);
  expect(await server.sql`select entry from domain`).toEqual([{ entry: 'shop.example' }]);
});

it('a form counts only from a page of this console, of this session', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const ann = await signIn(server, teamId);
  const bob = await signIn(server, teamId);
  const fields = { domain: 'shop.example', formToken: await ann.formToken() };
  const port = new URL(server.url).port;
  const origins = [
    'https://evil.example',
    'null',
    undefined,
    'garbage',
    `http://127.0.0.1.evil.example:${port}`,
  ];
  for (const origin of origins) {
    const { status } = await ann.post('/console/domains', fields, { origin });
    expect([origin, status]).toEqual([origin, 403]);
  }
  for (const site of ['cross-site', 'same-site', 'none', 'garbage']) {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': site };
    expect([site, (await ann.post('/console/domains', fields, headers)).status]).toEqual([site, 403]);
  }
  const tokens = ['', 'x', await bob.formToken()];
  for (const formToken of tokens) {
    const { status, text } = await ann.post('/console/domains', { ...fields, formToken });
    expect([status, text]).toEqual([403, expect.stringContaining('from an earlier session')]);
  }
  expect(await server.sql`select from domain`).toHaveLength(0);
  expect((await ann.post('/console/domains', fields)).status).toBe(303);
  expect(await server.sql`select entry from domain`).toEqual([{ entry: 'shop.example' }]);
});

it('behind a proxy that changes the host, a form counts when the browser says that it is of the same origin', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const ann = await signIn(server, teamId);
  const fields = { domain: 'shop.example', formToken: await ann.formToken() };
  const origin = 'https://orders.shop.example';
  expect((await ann.post('/console/domains', fields, { origin })).status).toBe(403);
  const headers = { origin, 'sec-fetch-site': 'same-origin' };
  expect((await ann.post('/console/domains', fields, headers)).status).toBe(303);
  const strange = await ann.post('/console/domains', { ...fields, formToken: 'x' }, headers);
  expect(strange.status).toBe(403);
});

it('a signed-out session is gone, and the other one of the team stays', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const [ann, bob] = [await signIn(server, teamId), await signIn(server, teamId)];
  const { headers } = await ann.post('/console/sign-out', { formToken: await ann.formToken() });
  expect(headers.get('set-cookie')).toContain('orderbeacon=; Max-Age=0; Path=/');
  expect((await ann.get('/console')).status).toBe(303);
  expect((await bob.get('/console')).status).toBe(200);
});

it('no script reads the cookie and no other site sends it; over https it is bound to the host', async () => {
  const plain = await startServerForTest();
  const { teamId } = await plain.addTeam();
  const overHttp = await postForm(plain.url, '/console/sign-in', { token: await linkToken(plain, teamId) });
  expect(overHttp.headers.get('set-cookie')).toMatch(
    /^orderbeacon=team_\w{26}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );

  const publicUrl = 'https://orders.shop.example/ob';
  const proxied = await startServerForTest({ env: { PUBLIC_URL: publicUrl } });
  const team = await proxied.addTeam();
  const local = proxied.bindUrl;
  const token = await linkToken(proxied, team.teamId);
  const overHttps = await postForm(
    local,
    '/console/sign-in',
    { token },
    { origin: 'https://orders.shop.example' },
  );
  expect(overHttps.headers.get('location')).toBe('/ob/console');
  const cookie = overHttps.headers.get('set-cookie')!;
  expect(cookie).toMatch(/^__Host-orderbeacon=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const page = await sendTo(new URL('/console', local), 'GET', {
    headers: { cookie: cookie.split(';')[0]! },
  });
  expect(page.text).toContain('href="/ob/console/orders"');
});

it('one address has 20 attempts a minute to sign in', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const token = await linkToken(server, teamId);
  stopClock();
  for (let n = 0; n < 20; n++) {
    expect((await postForm(server.url, '/console/sign-in', { token: 'x' })).status).toBe(403);
  }
  const refused = await postForm(server.url, '/console/sign-in', { token });
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 3]);
  expect(refused.headers.get('content-type')).toBe('text/html; charset=UTF-8');
});

it('a session sees and changes one team alone', async () => {
  const server = await startServerForTest();
  const [one, other] = [await server.addTeam('one.example'), await server.addTeam('other.example')];
  const order = { teamId: one.teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' };
  const { body } = await server.report(order, { origin: 'https://one.example' });
  await server.addKey(one.uuid);
  const [owner, stranger] = [await signIn(server, one.teamId), await signIn(server, other.teamId)];
  const pages = [
    '/console',
    '/console/orders',
    '/console/orders?q=o-1',
    '/console/orders.csv',
    '/console/setup',
  ];
  const seen = async ({ get }: typeof owner) =>
    (await Promise.all(pages.map((path) => get(path)))).map(({ text }) => text).join();
  for (const text of ['one.example', body.data.orderNumber]) {
    expect(await seen(owner)).toContain(text);
    expect(await seen(stranger)).not.toContain(text);
  }
  expect((await owner.get(`/console/orders/${body.data.id}`)).status).toBe(200);
  expect((await stranger.get(`/console/orders/${body.data.id}`)).status).toBe(404);
  await stranger.post('/console/domains/remove', {
    domain: 'one.example',
    formToken: await stranger.formToken(),
  });
  expect(await server.sql`select entry from domain order by 1`).toEqual([
    { entry: 'one.example' },
    { entry: 'other.example' },
  ]);
});

it('the root leads to the console, and the console to the sign-in page, in HTML also where something is wrong', async () => {
  const server = await startServerForTest();
  expect((await server.send('GET', '/')).headers.get('location')).toBe('/console');
  const page = await server.send('GET', '/console/sign-in');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  const { teamId } = await server.addTeam();
  const { get } = await signIn(server, teamId);
  const missing = await get('/console/orders/ord_x');
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
});

it('the command prints links, lists who is signed in, and signs out one or all', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const env = { ...server.env, PUBLIC_URL: server.url };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runOrderbeacon(['console', ...args, '--json'], env);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const before = Date.now();
  const { url, expiresAt } = await run('--team', teamId, '--valid', '1h');
  expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 60 * minuteMs);
  expect(url).toMatch(new RegExp(`^${server.url}/console/sign-in#${teamId}\\.[\\w-]{43}$`));
  expect((await postForm(server.url, '/console/sign-in', { token: new URL(url).hash.slice(1) })).status).toBe(
    303,
  );
  await signIn(server, teamId);
  await linkToken(server, teamId);

  const { url: forLooking } = await run('--team', teamId, '--read-only');
  expect(forLooking).toMatch(new RegExp(`#${teamId}\\.[\\w-]{43}\\.view$`));

  const listed = await run('list', '--team', teamId);
  expect(listed).toEqual(
    Array(2).fill({
      id: expect.stringMatching(/^ses_\w{26}$/),
      isReadOnly: false,
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
    }),
  );
  expect(await run('revoke', '--team', teamId, listed[0].id)).toEqual({ sessions: 1, links: 0 });
  expect(await run('list', '--team', teamId)).toEqual([listed[1]]);
  expect(await run('revoke', '--team', teamId)).toEqual({ sessions: 1, links: 2 });
  expect(await run('list', '--team', teamId)).toEqual([]);
  expect(decodeId('ses', listed[0].id)).not.toBeNull();

  for (const args of [
    [],
    ['--team', teamId, '--valid', '8d'],
    ['--team', teamId, '--valid', '0m'],
    ['revoke', '--team', teamId, listed[0].id],
  ]) {
    const { code, stdout, stderr } = await runOrderbeacon(['console', ...args], env);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  }
});

it('a link for looking only shows every page without a form, and refuses every form but the one that signs out', async () => {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam('shop.example');
  const owner = await signIn(server, teamId);
  const ownerForm = await owner.formToken();
  const page = await owner.post('/console/links', { may: 'look', formToken: ownerForm });
  const token = /sign-in#([\w.-]+)/.exec(page.text)![1]!;
  // A changed right is another token.
  expect((await postForm(server.url, '/console/sign-in', { token: token.replace('.view', '') })).status).toBe(
    403,
  );
  const { headers } = await postForm(server.url, '/console/sign-in', { token });
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  const get = (path: string) => sendTo(new URL(path, server.url), 'GET', { headers: { cookie } });
  // What has forms for others: a refused report, a source, a signing key, a webhook.
  await server.report({ teamId, email: 'ann@buyer.example', amount: 'much' });
  await owner.post('/console/sources', { kind: 'shopify', formToken: ownerForm });
  await owner.post('/console/signing-keys', { formToken: ownerForm });
  await owner.post('/console/webhooks', { url: 'https://hooks.example/', formToken: ownerForm });
  for (const path of ['', '/orders', '/refused', '/webhooks', '/setup', '/check', '/compare']) {
    const { status, text } = await get(`/console${path}`);
    expect([path, status]).toEqual([path, 200]);
    const actions = [...text.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action]) => action);
    expect([path, actions]).toEqual([path, ['/console/sign-out']]);
    expect(text).toContain('Test</strong> <span class="badge">looking only');
    const folded = [...text.matchAll(/<summary>([^<]+)/g)].map(([, summary]) => summary);
    expect([path, folded]).toEqual([path, path === '/setup' ? ['Pinned to this version'] : []]);
  }
  const formToken = /name="formToken" value="([^"]+)"/.exec((await get('/console')).text)![1]!;
  const forms = [
    'domains',
    'domains/remove',
    'links',
    'sessions/revoke',
    'compare',
    'compare/store',
    'check',
  ];
  for (const path of [...forms, 'webhooks', 'signing-keys', 'sources', 'refused/discard', 'refused/allow']) {
    const fields = { formToken, domain: 'shop.example', browser: 'all', may: 'all' };
    const { status } = await postForm(server.url, `/console/${path}`, fields, { cookie });
    expect([path, status]).toEqual([path, 403]);
  }
  expect(await server.sql`select from domain where team_id = ${uuid}`).toHaveLength(1);
  const browsers =
    await server.sql`select is_read_only as "isReadOnly" from console_session order by created_at`;
  expect(browsers).toEqual([{ isReadOnly: false }, { isReadOnly: true }]);
  const out = await postForm(server.url, '/console/sign-out', { formToken }, { cookie });
  expect([out.status, (await get('/console')).status]).toEqual([303, 303]);
});

it('the setup page lists the signed-in browsers of its team alone, and signs each or all out', async () => {
  const server = await startServerForTest();
  const [{ teamId }, other] = [await server.addTeam(), await server.addTeam()];
  const [ann, bob, eve] = [
    await signIn(server, teamId),
    await signIn(server, teamId),
    await signIn(server, other.teamId),
  ];
  const idsOf = (text: string) =>
    [...text.matchAll(/name="browser" value="(ses_\w+)"/g)].map(([, id]) => id!);
  const { text } = await ann.get('/console/setup');
  const ids = idsOf(text);
  expect(ids).toHaveLength(2);
  // Nothing brings this browser back, so a first press asks.
  const folded = /<details><summary>Sign out all browsers<\/summary>.*?<\/details>/s.exec(text)?.[0];
  expect(folded).toContain('name="browser" value="all"');
  const formToken = await ann.formToken();
  const evesId = idsOf((await eve.get('/console/setup')).text)[0]!;
  await ann.post('/console/sessions/revoke', { browser: evesId, formToken });
  await ann.post('/console/sessions/revoke', { browser: 'x', formToken });
  const statuses = () => Promise.all([ann, bob, eve].map(async ({ get }) => (await get('/console')).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  await ann.post('/console/sessions/revoke', { browser: ids[0]!, formToken });
  expect(await statuses()).toEqual([200, 303, 200]);
  const unused = await linkToken(server, teamId);
  await ann.post('/console/sessions/revoke', { browser: 'all', formToken });
  expect(await statuses()).toEqual([303, 303, 200]);
  expect((await postForm(server.url, '/console/sign-in', { token: unused })).status).toBe(403);
});
