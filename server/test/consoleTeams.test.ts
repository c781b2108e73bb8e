import { expect } from 'vitest';
import type { Sql } from '../src/database/connection/connect.js';
import { newAccessToken } from '../src/teams/accessTokens.js';
import { newUuid } from '../src/values/ids.js';
import { linkToken, openLink, postForm } from './console.js';
import { sendTo, startServerForTest, type TestServer } from './server.js';
import { openShop, type Shop, test } from './shop.js';

/** A browser: it keeps the cookie that it was given last. */
function openBrowser(server: TestServer, cookie = '') {
  let kept = cookie;
  const keep = <Answer extends { headers: Headers }>(answer: Answer) => {
    const given = answer.headers.get('set-cookie')?.split(';')[0];
    if (given !== undefined) kept = given;
    return answer;
  };
  const get = async (path: string) =>
    keep(await sendTo(new URL(path, server.url), 'GET', { headers: { cookie: kept } }));
  const post = async (path: string, fields: Record<string, string>) =>
    keep(await postForm(server.url, path, fields, { cookie: kept }));
  const formToken = async () => /name="formToken" value="([^"]+)"/.exec((await get('/console')).text)![1]!;
  const open = async (token: string) => keep(await openLink(server, token, kept));
  return {
    get,
    post,
    formToken,
    cookie: () => kept,
    open,
    signIn: async ({ teamId }: Shop) => open(await linkToken(server, teamId)),
    look: async ({ teamId }: Shop) => open(await linkToken(server, teamId, { isReadOnly: true })),
    press: async (path: string, fields: Record<string, string> = {}) =>
      post(`/console${path}`, { formToken: await formToken(), ...fields }),
    /** The current team, and those that its page offers. */
    async teams() {
      const { status, text } = await get('/console');
      if (status !== 200) return [];
      const current = /<strong dir="auto">([^<]+)</.exec(text)![1]!;
      return [current, ...[...text.matchAll(/aria-label="Switch to ([^"]+)"/g)].map(([, name]) => name)];
    },
  };
}

async function addTeams(server: TestServer, names: string[]) {
  const shops = await Promise.all(names.map(() => openShop(server)));
  for (const [n, { team }] of shops.entries())
    await server.sql`update team set name = ${names[n]!} where id = ${team}`;
  return shops;
}

const sessionsOf = async (...shops: Shop[]) => {
  const teams = shops.map(({ team }) => team);
  return (await shops[0]!.sql`select from console_session where team_id in ${shops[0]!.sql(teams)}`).length;
};
const domainsOf = async ({ sql, team }: Shop) =>
  (await sql`select entry from domain where team_id = ${team} order by 1`).map(({ entry }) => entry);

test('signing in to another team keeps the first session, and the header switches between them', async ({
  server,
}) => {
  const shops = await addTeams(server, ['One', 'Two', 'Three']);
  const browser = openBrowser(server);
  for (const shop of shops) await browser.signIn(shop);
  expect(await browser.teams()).toEqual(['Three', 'Two', 'One']);
  const answer = await browser.press('/switch', { team: shops[0]!.teamId });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
  expect(await browser.teams()).toEqual(['One', 'Three', 'Two']);
  expect(await sessionsOf(...shops)).toBe(3);
});

test('a team that the browser has no session of, or none any more, cannot be switched to', async ({
  server,
}) => {
  const [one, two, foreign] = (await addTeams(server, ['One', 'Two', 'Foreign'])) as [Shop, Shop, Shop];
  const browser = openBrowser(server);
  for (const shop of [two, one]) await browser.signIn(shop);
  for (const team of [foreign.teamId, '', 'team_x', '\0']) await browser.press('/switch', { team });
  expect(await browser.teams()).toEqual(['One', 'Two']);
  await server.sql`delete from console_session where team_id = ${two.team}`;
  expect(await browser.teams()).toEqual(['One']);
  expect(browser.cookie()).not.toContain('~');
});

test('signing in again to the same team ends the session that the browser had of it, and no other', async ({
  server,
}) => {
  const [one, two] = (await addTeams(server, ['One', 'Two'])) as [Shop, Shop];
  const [ann, bob] = [openBrowser(server), openBrowser(server)];
  for (const shop of [one, two]) await ann.signIn(shop);
  await bob.signIn(one);
  expect((await ann.open('x')).status).toBe(403);
  expect(await ann.teams()).toEqual(['Two', 'One']);
  const former = openBrowser(server, ann.cookie());
  await ann.signIn(one);
  expect(await ann.teams()).toEqual(['One', 'Two']);
  expect(await former.teams()).toEqual(['Two']);
  expect(await bob.teams()).toEqual(['One']);
  expect(await sessionsOf(one, two)).toBe(3);
});

test('the ninth team ends the session that was used longest ago', async ({ server }) => {
  const shops = await addTeams(
    server,
    Array.from({ length: 9 }, (_, n) => `Team ${n}`),
  );
  const browser = openBrowser(server);
  for (const shop of shops.slice(0, 8)) await browser.signIn(shop);
  await browser.press('/switch', { team: shops[0]!.teamId });
  await browser.signIn(shops[8]!);
  expect(await browser.teams()).toEqual([8, 0, 7, 6, 5, 4, 3, 2].map((n) => `Team ${n}`));
  expect([await sessionsOf(...shops), await sessionsOf(shops[1]!)]).toEqual([8, 0]);
});

test('signing out ends the current session alone, and goes on to the next one', async ({ server }) => {
  const [one, two] = (await addTeams(server, ['One', 'Two'])) as [Shop, Shop];
  const browser = openBrowser(server);
  for (const shop of [one, two]) await browser.signIn(shop);
  const first = await browser.press('/sign-out');
  const next = await browser.get(first.headers.get('location')!);
  expect(next.text).toContain('You are signed out of the team that you looked at.');
  expect([await browser.teams(), await sessionsOf(one, two)]).toEqual([['One'], 1]);
  const last = await browser.press('/sign-out');
  expect([last.headers.get('location'), last.headers.get('set-cookie')]).toEqual([
    '/console/sign-in',
    'orderbeacon=; Max-Age=0; Path=/',
  ]);
  expect(await sessionsOf(one, two)).toBe(0);
});

test('a revoked session leads to the overview of the next team, and its form changes nothing there', async ({
  server,
}) => {
  const [one, two] = (await addTeams(server, ['One', 'Two'])) as [Shop, Shop];
  const browser = openBrowser(server);
  for (const shop of [one, two]) await browser.signIn(shop);
  const form = { formToken: await browser.formToken(), domain: 'new.example' };
  await server.sql`delete from console_session where team_id = ${two.team}`;
  const stale = openBrowser(server, browser.cookie());
  const page = await browser.get('/console/setup');
  expect([page.status, page.headers.get('location')]).toEqual([303, '/console?left=1']);
  expect((await stale.post('/console/domains', form)).status).toBe(303);
  // Also when the cookie has the other session alone by now.
  expect((await browser.post('/console/domains', form)).status).toBe(403);
  expect([await domainsOf(one), await domainsOf(two)]).toEqual([[one.domain], [two.domain]]);
});

test('each session keeps its own right: one that may look only can switch to one that may change, and back', async ({
  server,
}) => {
  const [one, two] = (await addTeams(server, ['One', 'Two'])) as [Shop, Shop];
  const browser = openBrowser(server);
  await browser.signIn(one);
  await browser.look(two);
  const add = async () => (await browser.press('/domains', { domain: 'a.example' })).status;
  const right = [await add()];
  for (const { teamId } of [one, two]) {
    await browser.press('/switch', { team: teamId });
    right.push(await add());
  }
  expect(right).toEqual([403, 303, 403]);
  expect([await domainsOf(one), await domainsOf(two)]).toEqual([['a.example', one.domain], [two.domain]]);
});

test('a link for looking only takes no right from a browser that may change its team, and stays for a colleague', async ({
  server,
  shop,
}) => {
  const forLooking = () => linkToken(server, shop.teamId, { isReadOnly: true });
  const browser = openBrowser(server);
  await browser.signIn(shop);
  const link = await forLooking();
  const opened = await browser.open(link);
  expect(opened.status).toBe(303);
  expect((await browser.get(opened.headers.get('location')!)).text).toContain('for a colleague as before');
  expect((await browser.press('/domains', { domain: 'one.example' })).status).toBe(303);
  const colleague = openBrowser(server);
  expect((await colleague.open(link)).status).toBe(303);
  expect((await colleague.press('/domains', { domain: 'two.example' })).status).toBe(403);
  // A right that was taken back is none that a browser keeps.
  await server.sql`delete from console_session where team_id = ${shop.team} and not is_read_only`;
  expect((await browser.open(await forLooking())).status).toBe(303);
  expect((await browser.press('/domains', { domain: 'three.example' })).status).toBe(403);
  expect(await domainsOf(shop)).toEqual(['one.example', shop.domain]);
});

test('a used link leads a browser that is signed in to its team to that team, and no other browser', async ({
  server,
}) => {
  const [one, two] = (await addTeams(server, ['One', 'Two'])) as [Shop, Shop];
  const browser = openBrowser(server);
  const token = await linkToken(server, one.teamId);
  await browser.open(token);
  await browser.signIn(two);
  expect((await browser.open(token)).status).toBe(303);
  expect(await browser.teams()).toEqual(['One', 'Two']);
  expect((await openBrowser(server).open(token)).status).toBe(403);
  await server.sql`delete from console_session where team_id = ${one.team}`;
  expect((await browser.open(token)).status).toBe(403);
});

test('a live page of a team gets no orders of another one that its browser has switched to', async ({
  server,
}) => {
  const [one, two] = (await addTeams(server, ['One', 'Two'])) as [Shop, Shop];
  const browser = openBrowser(server);
  for (const shop of [one, two]) await browser.signIn(shop);
  expect((await browser.get(`/console/live?since=0&team=${one.teamId}`)).status).toBe(404);
});

test('a cookie costs three statements at most, however many tokens somebody made up for it', async () => {
  let asked = 0;
  const watching = (sql: Sql) =>
    new Proxy(sql, {
      apply(target, self, given) {
        if (String(given[0][0]).startsWith('/*')) asked++;
        return Reflect.apply(target, self, given);
      },
    });
  const server = await startServerForTest({ watching });
  const shops = await addTeams(server, ['One', 'Two', 'Three']);
  const madeUp = shops.map(({ team }) => newAccessToken(team).token);
  const ofNoTeam = Array.from({ length: 100 }, () => newAccessToken(newUuid()).token);
  for (const cookie of [[], madeUp, ofNoTeam, [...madeUp, ...ofNoTeam], Array(5_000).fill('')]) {
    asked = 0;
    const { status } = await openBrowser(server, `orderbeacon=${cookie.join('~')}`).get('/console');
    expect([cookie.length, status, asked <= 3]).toEqual([cookie.length, 303, true]);
  }
});
