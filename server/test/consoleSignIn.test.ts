import pino from 'pino';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import type { Sql } from '../src/database/connection/connect.js';
import { listen } from '../src/listen.js';
import { loadSdkFiles } from '../src/site/sdkFiles.js';
import { revokeConsoleSessions } from '../src/teams/sql/consoleSession.js';
import { decodeId } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { linkToken, postForm, signIn } from './console.js';
import { freePort } from './freePort.js';
import { sendTo, startServerForTest } from './server.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

afterEach(() => void vi.useRealTimers());

/** Makes all links and sessions so much older. */
async function pass({ sql }: { sql: Sql }, ms: number) {
  const age = sql`${ms}::float8 * interval '1 millisecond'`;
  await sql`update console_link set created_at = created_at - ${age}, expires_at = expires_at - ${age}`;
  await sql`
    update console_session set created_at = created_at - ${age}, last_seen_at = last_seen_at - ${age},
      expires_at = expires_at - ${age}`;
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

it('a link works until it expires, and a text that is no link never', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const token = await linkToken(server, teamId, 15 * minuteMs);
  const late = await linkToken(server, teamId, 15 * minuteMs);
  await pass(server, 14 * minuteMs);
  expect((await postForm(server.url, '/console/sign-in', { token })).status).toBe(303);
  await pass(server, minuteMs);
  for (const text of [
    late,
    '',
    'x',
    `${teamId}.`,
    `${late.slice(0, -1)}!`,
    `team_${'0'.repeat(26)}.${'a'.repeat(43)}`,
  ]) {
    const answer = await postForm(server.url, '/console/sign-in', { token: text });
    expect([text, answer.status, answer.headers.get('set-cookie')]).toEqual([text, 403, null]);
    expect(answer.text).toContain('has expired, or is not complete');
  }
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

it('signing in again ends the session that the browser had, and no other', async () => {
  const server = await startServerForTest();
  const [{ teamId }, other] = [await server.addTeam(), await server.addTeam()];
  const [ann, bob] = [await signIn(server, teamId), await signIn(server, teamId)];
  const again = async (of: { cookie: string }, team: string) => {
    const token = await linkToken(server, team);
    const { headers } = await postForm(server.url, '/console/sign-in', { token }, { cookie: of.cookie });
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    return {
      cookie,
      get: (path: string) => sendTo(new URL(path, server.url), 'GET', { headers: { cookie } }),
    };
  };
  const refused = await postForm(server.url, '/console/sign-in', { token: 'x' }, { cookie: ann.cookie });
  expect([refused.status, (await ann.get('/console')).status]).toEqual([403, 200]);
  const second = await again(ann, teamId);
  expect([(await ann.get('/console')).status, (await second.get('/console')).status]).toEqual([303, 200]);
  const third = await again(second, other.teamId);
  expect([(await second.get('/console')).status, (await third.get('/console')).status]).toEqual([303, 200]);
  expect((await bob.get('/console')).status).toBe(200);
  expect(await server.sql`select from console_session`).toHaveLength(2);
});

it('a revoked session ends at once on every server', async () => {
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
  const port = await freePort();
  const proxied = await startServerForTest({ PUBLIC_URL: publicUrl, PORT: String(port) });
  const team = await proxied.addTeam();
  const local = `http://127.0.0.1:${port}`;
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

  const listed = await run('list', '--team', teamId);
  expect(listed).toEqual(
    Array(2).fill({
      id: expect.stringMatching(/^ses_\w{26}$/),
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
    }),
  );
  expect(await run('revoke', '--team', teamId, listed[0].id)).toEqual({ sessions: 1, links: 0 });
  expect(await run('list', '--team', teamId)).toEqual([listed[1]]);
  expect(await run('revoke', '--team', teamId)).toEqual({ sessions: 1, links: 1 });
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
