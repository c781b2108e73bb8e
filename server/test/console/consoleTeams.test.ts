import { expect } from 'vitest';
import { newAccessToken } from '../../src/console/access/consoleAccess.js';
import { linkToken, openLink, postForm } from '../kit/console.js';
import { textOf } from '../kit/html.js';
import { sendTo, type TestServer } from '../kit/server.js';
import { openShop, type Shop, test } from '../kit/shop.js';

/** Opens a browser, which stores the cookies that it gets. */
function openBrowser(server: TestServer) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const keep = <Answer extends { headers: Headers }>(answer: Answer) => {
    for (const given of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(given)!;
      if (value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
    return answer;
  };
  const get = async (path: string, headers: Record<string, string> = {}) =>
    keep(await sendTo(new URL(path, server.url), 'GET', { headers: { cookie: cookie(), ...headers } }));
  const open = async (token: string) => keep(await openLink(server, token, cookie()));
  return {
    get,
    cookie,
    open,
    post: async (path: string, fields: Record<string, string> = {}) =>
      keep(await postForm(server.url, path, fields, { cookie: cookie() })),
    signIn: async ({ teamId }: Shop) => open(await linkToken(server, teamId)),
    look: async ({ teamId }: Shop) => open(await linkToken(server, teamId, { isReadOnly: true })),
    /** Reads the team of a page, and those that its menu offers; none if the page asks to sign in. */
    async teams({ teamId }: Shop) {
      const { status, text } = await get(`/console/${teamId}`);
      const menu = text.matchAll(/href="\/console\/team_\w+"[^>]*><bdi>([^<]+)</g);
      return status === 200
        ? [/<strong dir="auto">([^<]+)</.exec(text)![1]!, ...[...menu].map(([, name]) => name!).sort()]
        : [];
    },
  };
}

async function addTeams(server: TestServer, names: string[]) {
  const shops = await Promise.all(names.map(() => openShop(server)));
  for (const [n, { team }] of shops.entries())
    await server.sql`update team set name = ${names[n]!} where id = ${team}`;
  return shops as [Shop, Shop, Shop];
}

const sessionsOf = async ({ sql, team }: Shop) =>
  (await sql`select from console_session where team_id = ${team}`).length;

const domainsOf = async ({ sql, team }: Shop) =>
  (await sql`select entry from domain where team_id = ${team} order by 1`).map(({ entry }) => entry);

test('a browser keeps a session of each team, each page is of the team in its address, and its menu leads to the others', async ({
  server,
}) => {
  const shops = await addTeams(server, ['One', 'Two', 'Three']);
  const [one, two, three] = shops;
  const browser = openBrowser(server);
  for (const shop of shops) await browser.signIn(shop);
  expect(await browser.teams(one)).toEqual(['One', 'Three', 'Two']);
  expect(await browser.teams(three)).toEqual(['Three', 'One', 'Two']);
  // Signing in again ends the browser's session of that team, and no other.
  await browser.signIn(one);
  expect(await Promise.all(shops.map(sessionsOf))).toEqual([1, 1, 1]);
  const out = await browser.post(`/console/${two.teamId}/sign-out`);
  expect(out.headers.get('location')).toBe('/console');
  expect([await browser.teams(two), await browser.teams(one)]).toEqual([[], ['One', 'Three']]);
  await server.sql`delete from console_session where team_id = ${three.team}`;
  expect([await browser.teams(three), await browser.teams(one)]).toEqual([[], ['One']]);
  expect(browser.cookie()).not.toContain(three.teamId);
});

test('a link to a page opens it for a colleague who is signed in, and leads others there by way of signing in', async ({
  server,
  shop,
}) => {
  const order = (await shop.report()).body.data;
  const path = `/console/${shop.teamId}/orders/${order.id}?range=7d`;
  const colleague = openBrowser(server);
  await colleague.signIn(shop);
  // The link is in a mail that is read on another site. So the browser sends no cookie of this server.
  const first = await openBrowser(server).get(path, { 'sec-fetch-site': 'cross-site' });
  expect([first.status, first.text]).toEqual([200, expect.stringContaining('http-equiv="refresh"')]);
  const again = await colleague.get(path, { 'sec-fetch-site': 'same-origin' });
  expect([again.status, again.text.includes(order.orderNumber)]).toEqual([200, true]);

  const newcomer = openBrowser(server);
  const asked = await newcomer.get(path);
  const signIn = new URL(asked.headers.get('location')!, server.url);
  const page = await newcomer.get(signIn.pathname + signIn.search);
  expect(textOf(page.text)).toContain('Sign in to Orderbeacon');
  const send = async (to: string) => {
    const token = await linkToken(server, shop.teamId);
    return (await newcomer.post('/console/sign-in', { token, to })).headers.get('location');
  };
  expect(await send(/name="to" value="([^"]+)"/.exec(page.text)![1]!)).toBe(path);
  const home = `/console/${shop.teamId}`;
  expect(await send(`${home}?mode=test&range=7d`)).toBe(`${home}?mode=test&range=7d`);
  for (const to of ['', '//evil.example', `${home}.evil.example/`, `${home}/\\evil`, '/demo'])
    expect([to, await send(to)]).toEqual([to, home]);
});

test('an address without a team leads to the same page of a team that the browser is signed in to', async ({
  server,
  shop,
}) => {
  const browser = openBrowser(server);
  const leads = async (path: string) => (await browser.get(path)).headers.get('location');
  expect(await leads('/console/orders?q=a%26b')).toBe(
    `/console/sign-in?${new URLSearchParams({ to: '/console/orders?q=a%26b' })}`,
  );
  await browser.signIn(shop);
  const home = `/console/${shop.teamId}`;
  expect(await leads('/console')).toBe(home);
  expect(await leads('/console/orders?q=a%26b')).toBe(`${home}/orders?q=a%26b`);
  expect(await leads('/console/orders/ord_x')).toBe(`${home}/orders/ord_x`);
  for (const team of [`team_${'0'.repeat(26)}`, 'team_x'])
    expect([team, await leads(`/console/${team}/orders`)]).toEqual([
      team,
      expect.stringContaining('/console/sign-in'),
    ]);
});

test('each session has its own right; a link for looking only takes none away, and stays for a colleague', async ({
  server,
}) => {
  const [one, two] = await addTeams(server, ['One', 'Two', 'Three']);
  const browser = openBrowser(server);
  const add = async ({ teamId }: Shop, domain: string) =>
    (await browser.post(`/console/${teamId}/setup/domains`, { domain })).status;
  await browser.signIn(one);
  await browser.look(two);
  expect([await add(one, 'a.example'), await add(two, 'a.example')]).toEqual([303, 403]);
  const link = await linkToken(server, one.teamId, { isReadOnly: true });
  const opened = await browser.open(link);
  expect((await browser.get(opened.headers.get('location')!)).text).toContain('for a colleague as before');
  expect(await add(one, 'b.example')).toBe(303);
  expect((await openBrowser(server).open(link)).status).toBe(303);
  // A browser does not keep a right that was taken back.
  await server.sql`delete from console_session where team_id = ${one.team} and not is_read_only`;
  await browser.look(one);
  expect(await add(one, 'c.example')).toBe(403);
  expect([await domainsOf(one), await domainsOf(two)]).toEqual([
    ['a.example', 'b.example', one.domain],
    [two.domain],
  ]);
});

test('a used link leads a browser that is signed in to its team to that team, and no other browser', async ({
  server,
  shop,
}) => {
  const browser = openBrowser(server);
  const token = await linkToken(server, shop.teamId);
  await browser.open(token);
  expect((await browser.open(token)).status).toBe(303);
  expect((await openBrowser(server).open(token)).status).toBe(403);
  await server.sql`delete from console_session where team_id = ${shop.team}`;
  expect((await browser.open(token)).status).toBe(403);
});

test('a browser that keeps no cookie is told so, and its link stays good', async ({ server, shop }) => {
  const token = await linkToken(server, shop.teamId);
  const refused = await postForm(server.url, '/console/sign-in', { token });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('it is not used up')]);
  expect((await openBrowser(server).open(token)).status).toBe(303);
});

test('a cookie is a session of the team in its name alone', async ({ server, shop }) => {
  const other = await openShop(server);
  const browser = openBrowser(server);
  await browser.signIn(other);
  const token = browser.cookie().split('=')[1]!;
  const madeUp = newAccessToken(shop.team).token;
  for (const value of [token, madeUp, '', 'x']) {
    const headers = { cookie: `orderbeacon_${shop.teamId}=${value}` };
    expect((await sendTo(new URL(`/console/${shop.teamId}`, server.url), 'GET', { headers })).status).toBe(
      303,
    );
  }
});
