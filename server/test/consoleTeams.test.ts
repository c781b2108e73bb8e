import { hash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { newAccessToken } from '../src/teams/accessTokens.js';
import { makeConsoleLink } from '../src/teams/consoleLink.js';
import { decodeId, newUuid } from '../src/values/ids.js';
import { linkToken, postForm } from './console.js';
import { type Explained, explainAll } from './explained.js';
import { sendTo, startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
beforeEach(async () => {
  server = await startServerForTest();
});

/** A browser: it keeps the cookie that it was given last. */
function openBrowser(cookie = '') {
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
  return {
    get,
    cookie: () => kept,
    tokens: () => kept.replace('orderbeacon=', '').split('~').filter(Boolean),
    open: (token: string) => post('/console/sign-in', { token }),
    signIn: async (teamId: string) => post('/console/sign-in', { token: await linkToken(server, teamId) }),
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

async function addTeams(...names: string[]) {
  const ids: string[] = [];
  for (const name of names) {
    const { teamId, uuid } = await server.addTeam();
    await server.sql`update team set name = ${name} where id = ${uuid}`;
    ids.push(teamId);
  }
  return ids;
}

const sessions = async () => (await server.sql`select from console_session`).length;

it('signing in to another team keeps the first session, and the header switches between them', async () => {
  const [one, two, three] = (await addTeams('One', 'Two', 'Three')) as [string, string, string];
  const browser = openBrowser();
  await browser.signIn(one);
  expect(await browser.teams()).toEqual(['One']);
  await browser.signIn(two);
  await browser.signIn(three);
  expect(await browser.teams()).toEqual(['Three', 'Two', 'One']);
  const answer = await browser.press('/switch', { team: one });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
  expect(await browser.teams()).toEqual(['One', 'Three', 'Two']);
  expect(await sessions()).toBe(3);

  await server.sql`update team set name = 'A <b>shop</b>' where id = ${decodeId('team', two)}`;
  expect(await browser.teams()).toEqual(['One', 'Three', 'A &lt;b&gt;shop&lt;/b&gt;']);
});

it('a team that the browser has no session of, or none any more, cannot be switched to', async () => {
  const [one, two, foreign] = (await addTeams('One', 'Two', 'Foreign')) as [string, string, string];
  const browser = openBrowser();
  await browser.signIn(two);
  await browser.signIn(one);
  for (const team of [foreign, '', 'team_x', '\0']) await browser.press('/switch', { team });
  expect(await browser.teams()).toEqual(['One', 'Two']);
  await server.sql`delete from console_session where team_id = ${decodeId('team', two)}`;
  expect(await browser.teams()).toEqual(['One']);
  expect(browser.tokens()).toHaveLength(1);
});

it('signing in again to the same team ends the session that the browser had of it, and no other', async () => {
  const [one, two] = (await addTeams('One', 'Two')) as [string, string];
  const [ann, bob] = [openBrowser(), openBrowser()];
  for (const team of [one, two]) await ann.signIn(team);
  await bob.signIn(one);
  expect((await ann.open('x')).status).toBe(403);
  expect(await ann.teams()).toEqual(['Two', 'One']);
  const former = openBrowser(ann.cookie());
  await ann.signIn(one);
  expect(await ann.teams()).toEqual(['One', 'Two']);
  expect(await former.teams()).toEqual(['Two']);
  expect(await bob.teams()).toEqual(['One']);
  expect(await sessions()).toBe(3);
});

it('the ninth team ends the session that was used longest ago', async () => {
  const names = Array.from({ length: 9 }, (_, n) => `Team ${n}`);
  const ids = await addTeams(...names);
  const browser = openBrowser();
  for (const id of ids.slice(0, 8)) await browser.signIn(id);
  await browser.press('/switch', { team: ids[0]! });
  await browser.signIn(ids[8]!);
  expect(await browser.teams()).toEqual([8, 0, 7, 6, 5, 4, 3, 2].map((n) => `Team ${n}`));
  expect(await sessions()).toBe(8);
  expect(await server.sql`select from console_session where team_id = ${decodeId('team', ids[1]!)}`).toEqual(
    [],
  );
});

it('signing out ends the current session alone, and goes on to the next one', async () => {
  const [one, two] = (await addTeams('One', 'Two')) as [string, string];
  const browser = openBrowser();
  for (const team of [one, two]) await browser.signIn(team);
  const first = await browser.press('/sign-out');
  expect(first.headers.get('location')).toBe('/console?left=1');
  expect((await browser.get('/console?left=1')).text).toContain(
    'You are signed out of the team that you looked at.',
  );
  expect([await browser.teams(), await sessions()]).toEqual([['One'], 1]);
  const last = await browser.press('/sign-out');
  expect([last.headers.get('location'), last.headers.get('set-cookie')]).toEqual([
    '/console/sign-in',
    'orderbeacon=; Max-Age=0; Path=/',
  ]);
  expect(await sessions()).toBe(0);
});

it('a revoked session leads to the overview of the next team, and its form changes nothing there', async () => {
  const [one, two] = (await addTeams('One', 'Two')) as [string, string];
  const browser = openBrowser();
  for (const team of [one, two]) await browser.signIn(team);
  const { text } = await browser.get('/console/setup');
  const formToken = /name="formToken" value="([^"]+)"/.exec(text)![1]!;
  await server.sql`delete from console_session where team_id = ${decodeId('team', two)}`;
  const stale = openBrowser(browser.cookie());
  const page = await browser.get('/console/setup');
  expect([page.status, page.headers.get('location')]).toEqual([303, '/console?left=1']);
  const form = await postForm(
    server.url,
    '/console/domains',
    { formToken, domain: 'shop.example' },
    { cookie: stale.cookie() },
  );
  expect([form.status, form.headers.get('location')]).toEqual([303, '/console?left=1']);
  // Also when the cookie has the other session alone by now.
  const again = await postForm(
    server.url,
    '/console/domains',
    { formToken, domain: 'shop.example' },
    { cookie: browser.cookie() },
  );
  expect(again.status).toBe(403);
  expect(await server.sql`select from domain`).toEqual([]);
});

it('each session keeps its own right: one that may look only can switch to one that may change, and back', async () => {
  const [one, two] = (await addTeams('One', 'Two')) as [string, string];
  const browser = openBrowser();
  await browser.signIn(one);
  const { url } = await makeConsoleLink(server.sql, {
    publicUrl: server.url,
    teamId: decodeId('team', two)!,
    isReadOnly: true,
  });
  await browser.open(new URL(url).hash.slice(1));
  expect((await browser.press('/domains', { domain: 'two.example' })).status).toBe(403);
  await browser.press('/switch', { team: one });
  expect((await browser.press('/domains', { domain: 'one.example' })).status).toBe(303);
  await browser.press('/switch', { team: two });
  expect((await browser.press('/domains', { domain: 'two.example' })).status).toBe(403);
  expect(await server.sql`select entry from domain`).toEqual([{ entry: 'one.example' }]);
});

it('a link for looking only takes no right from a browser that may change its team, and stays for a colleague', async () => {
  const [one] = (await addTeams('One')) as [string];
  const forLooking = async () => {
    const teamId = decodeId('team', one)!;
    const { url } = await makeConsoleLink(server.sql, { publicUrl: server.url, teamId, isReadOnly: true });
    return new URL(url).hash.slice(1);
  };
  const browser = openBrowser();
  await browser.signIn(one);
  const link = await forLooking();
  const opened = await browser.open(link);
  expect(opened.status).toBe(303);
  expect((await browser.get(opened.headers.get('location')!)).text).toContain('for a colleague as before');
  expect((await browser.press('/domains', { domain: 'one.example' })).status).toBe(303);
  const colleague = openBrowser();
  expect((await colleague.open(link)).status).toBe(303);
  expect((await colleague.press('/domains', { domain: 'two.example' })).status).toBe(403);
  // A right that was taken back is none that a browser keeps.
  await server.sql`delete from console_session where not is_read_only`;
  expect((await browser.open(await forLooking())).status).toBe(303);
  expect((await browser.press('/domains', { domain: 'three.example' })).status).toBe(403);
  expect(await server.sql`select entry from domain`).toEqual([{ entry: 'one.example' }]);
});

it('a cookie of a release that held one token still works', async () => {
  const [one] = (await addTeams('One')) as [string];
  const browser = openBrowser();
  await browser.signIn(one);
  expect(browser.cookie()).toMatch(/^orderbeacon=team_\w{26}\.[\w-]{43}$/);
  const { token, hash: tokenHash } = newAccessToken(decodeId('team', one)!);
  expect(hash('sha256', token)).toBe(tokenHash);
  await server.sql`
    insert into console_session (team_id, hash, id, created_at, last_seen_at, expires_at)
    values (${decodeId('team', one)}, ${tokenHash}, ${newUuid()}, now(), now(), now() + interval '1 day')`;
  expect(await openBrowser(`orderbeacon=${token}`).teams()).toEqual(['One']);
});

it('a used link leads a browser that is signed in to its team to that team, and no other browser', async () => {
  const [one, two] = (await addTeams('One', 'Two')) as [string, string];
  const browser = openBrowser();
  const token = await linkToken(server, one);
  await browser.open(token);
  await browser.signIn(two);
  expect((await browser.open(token)).status).toBe(303);
  expect(await browser.teams()).toEqual(['One', 'Two']);
  expect((await openBrowser().open(token)).status).toBe(403);
  await server.sql`delete from console_session where team_id = ${decodeId('team', one)}`;
  expect((await browser.open(token)).status).toBe(403);
});

it('a live page of a team gets no orders of another one that its browser has switched to', async () => {
  const [one, two] = (await addTeams('One', 'Two')) as [string, string];
  const browser = openBrowser();
  for (const team of [one, two]) await browser.signIn(team);
  expect((await browser.get(`/console/live?since=0&team=${one}`)).status).toBe(404);
});

it('a cookie of garbage costs three statements at most, however many tokens it has, and known sessions cost one', async () => {
  const plans: Explained[] = [];
  server = await startServerForTest({ watching: (sql) => explainAll(sql, plans) });
  const ids = await addTeams('One', 'Two', 'Three');
  const browser = openBrowser();
  for (const id of ids) await browser.signIn(id);
  await browser.get('/console/check');
  const ofSessions = async (ask: () => Promise<unknown>) => {
    const before = plans.length;
    await ask();
    const names = plans.slice(before).map(({ name }) => name);
    return names.filter((name) => ['findTeams', 'findConsoleSessions'].includes(name));
  };
  expect(await ofSessions(() => browser.get('/console/check'))).toEqual(['findConsoleSessions']);

  const madeUp = ids.map((id) => newAccessToken(decodeId('team', id)!).token);
  const ofNoTeam = Array.from({ length: 100 }, () => newAccessToken(newUuid()).token);
  const ofManyTeams = [...madeUp, ...ofNoTeam].join('~');
  for (const [cookie, expected] of [
    [madeUp.join('~'), ['findConsoleSessions']],
    [ofNoTeam.join('~'), ['findTeams']],
    [ofManyTeams, ['findTeams', 'findConsoleSessions']],
    ['~'.repeat(5_000), []],
  ] as const) {
    const names = await ofSessions(async () => {
      expect((await openBrowser(`orderbeacon=${cookie}`).get('/console')).status).toBe(303);
    });
    // The queue of teams takes half of what waits: eight of them are two statements.
    expect([[...new Set(names)], names.length <= 3]).toEqual([expected, true]);
  }
});
