import { createHash } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { Check } from '../src/site/checks/check.js';
import { checkPage } from '../src/site/checks/checkPage.js';
import { createFetchText } from '../src/site/checks/fetchText.js';
import type { PageContext } from '../src/site/checks/pageContext.js';
import { commandFixes } from '../src/site/checks/pageFixes.js';
import { tagHtml } from '../src/site/tag.js';
import { collectGarbage } from './collectGarbage.js';
import { startHttp } from './http.js';

const publicUrl = 'https://orders.example';
const orders = '/svc-api/v1/orders';
const page = 'https://shop.example/thanks';
const script = 'window.track = () => {};';
const pinnedTo = {
  version: '0.0.2',
  integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
};

/** The answer of an address. */
interface Answered {
  status?: number;
  headers?: Record<string, string>;
  text?: string;
}

/** The answers of all hosts, by URL; a text is a page. Every other URL answers 404. */
type Web = Record<string, string | Answered>;

const served = { headers: { 'content-type': 'text/javascript' }, text: script };
const refused = { status: 405, text: '{"error":{"code":"method_not_allowed"}}' };
const serverAt = (url: string): Web => ({ [`${url}/sdk/track.js`]: served, [url + orders]: refused });
const server: Web = { ...serverAt(publicUrl), [`${publicUrl}/sdk/0.0.2/track.js`]: served };

/** Checks a page; gives the names of the checks that failed, each check by its name, and the URLs that were requested. */
async function look(web: Web, { url = page, ...more }: Partial<PageContext> & { url?: string } = {}) {
  const asked: string[] = [];
  const checks = await checkPage(url, {
    async fetchText(address) {
      asked.push(address);
      const given = { ...server, ...web }[address] ?? { status: 404 };
      const answered: Answered = typeof given === 'string' ? { text: given } : given;
      const { status = 200, headers = {}, text = '' } = answered;
      return { status, headers: new Headers(headers), text };
    },
    fixes: commandFixes,
    publicUrl,
    teamId: null,
    domainsOf: async (id) =>
      ({
        team_a: [{ domain: 'shop.example', isTest: false }],
        team_b: [{ domain: 'shop.example', isTest: false }],
        team_other: [{ domain: 'other.example', isTest: false }],
      })[id] ?? null,
    lastOrderOf: async () => null,
    ...more,
  });
  return {
    faults: checks.filter(({ ok }) => !ok).map(({ check }) => check),
    of: (name: string) => checks.find(({ check }) => check === name) as Check,
    asked,
  };
}

const tag = (more: Partial<Parameters<typeof tagHtml>[0]> = {}) =>
  tagHtml({ publicUrl, teamId: 'team_a', ...more });
const pinned = tag({ pinnedTo });
const second = tag({ teamId: 'team_b' }).replace('<script async', '<script async data-global="second"');

it.each<[string, string, string?]>([
  ['the tag', tag()],
  ['a pinned tag', pinned],
  ['a pinned tag without crossorigin that is a module', pinned.replace(/ crossorigin="\w+"/, ' type=module')],
  ['the tags of two teams, each with a global name of its own', tag() + second, 'team_a'],
  ['the tags of two teams, of which the other one is looked for', tag() + second, 'team_b'],
])('a page with %s has no fault', async (_, html, teamId = 'team_a') => {
  expect((await look({ [page]: html }, { teamId })).faults).toEqual([]);
});

it.each<[string, string, string, RegExp, string?]>([
  ['without the tag', '<p>Thanks!</p>', 'tag', /^The HTML of the page has no tag of Orderbeacon\.$/],
  ['with the tag twice', tag() + tag(), 'tag', /^The page has 2 tags of Orderbeacon\.$/],
  ['with two tags of one global name', tag() + second + second, 'tag', /^The page has 3 tags/],
  ['with a tag of no team', tag().replace(/ data-team-id="\w+"/, ''), 'tag', /^The tag names no team\.$/],
  ['with the tag of another team', tag(), 'tag', /^The tag names the team team_a, not team_b\.$/, 'team_b'],
  [
    'with a tag that waits for consent',
    tag().replace('<script async', '<script type="text/plain"'),
    'tag',
    /consent/,
  ],
  ['of a team that is none', tag({ teamId: 'team_…' }), 'host', /"team_…", which does not exist/],
  ['on a host that is not allowed', tag({ teamId: 'team_other' }), 'host', /^shop\.example is not among/],
  [
    'whose script is not there',
    tag().replace('/track.js', '/9.9.9/track.js'),
    'script',
    /9\.9\.9.* answers 404/,
  ],
  ['whose script is another one', pinned.replace(/sha384-./, 'sha384-_'), 'script', /browsers refuse it/],
  [
    'with integrity alone',
    pinned.replace(/ crossorigin="\w+"/, ''),
    'script',
    /^The tag has integrity without crossorigin/,
  ],
])('a page %s has this one fault', async (_, html, fault, message, teamId) => {
  const { faults, of } = await look({ [page]: html }, { teamId: teamId ?? null });
  expect([faults, of(fault).message]).toEqual([[fault], expect.stringMatching(message)]);
});

it.each([
  ['shop.example', 'shop.example'],
  ['localhost', '--test localhost'],
])('the host %s, where it is not allowed, gets the very command that allows it', async (host, words) => {
  const url = `http://${host}/thanks`;
  const { of } = await look({ [url]: tag({ teamId: 'team_other' }) }, { url });
  expect(of('host').fix).toBe(`node_modules/.bin/orderbeacon domain add --team team_other ${words}`);
});

it.each([
  ['data-endpoint="/orders/"', `Reports go to https://shop.example/orders${orders}.`, true],
  ['data-endpoint="/other"', `https://shop.example/other${orders} answers 404, and not as this server does.`],
  ['', `https://shop.example${orders} answers 404, and not as this server does.`],
  ['data-endpoint="orders.example"', 'The tag’s data-endpoint is neither a URL with https:// nor a path.'],
  [
    'data-endpoint="https://old.example"',
    `Reports go to https://old.example, but the server’s address is ${publicUrl}.`,
  ],
])(
  'reports of a tag behind the shop’s own host, with %s, are followed',
  async (endpoint, message, ok = false) => {
    const proxied = serverAt('https://shop.example/orders');
    const html = `<script src="/orders/sdk/track.js" data-team-id="team_a" ${endpoint}></script>`;
    const { faults, of } = await look({ ...proxied, [page]: html });
    expect([faults, of('endpoint').message]).toEqual([ok ? [] : ['endpoint'], message]);
  },
);

it.each([
  ['its header', { 'content-security-policy': "default-src 'self'" }, '', "default-src 'self'"],
  [
    'a meta element',
    {},
    `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`,
    "connect-src 'none'",
  ],
])('a policy in %s is shown, with what it has to list', async (_, headers, meta, policy) => {
  const html = meta + tag().replace('<script async', '<script data-endpoint="/p"');
  const { of } = await look({ ...serverAt('https://shop.example/p'), [page]: { headers, text: html } });
  expect(of('policy')).toMatchObject({
    ok: true,
    message: `The page’s Content-Security-Policy has to list ${publicUrl} in script-src, with the nonce of each inline script, and https://shop.example in connect-src. It is: ${policy}`,
  });
});

const to = (location: string) => ({ status: 302, headers: { location } });

it('a redirect is followed within the page’s host, and no other host is requested', async () => {
  const web = { [page]: to('/new'), 'https://shop.example/new': tag({ publicUrl: 'https://other.example' }) };
  const { of, asked } = await look(web);
  expect(of('page').message).toBe('https://shop.example/new answers 200.');
  expect(of('script').message).toContain('The tag loads from https://other.example, but');
  expect(asked).toEqual([page, 'https://shop.example/new']);
});

it.each([
  ['https://other.example/there', /^If that site is yours too: .* doctor https:\/\/other\.example\/there$/],
  ['https://shop.example:8443/', /doctor https:\/\/shop\.example:8443\/$/],
  [page, /^Open it in a browser\.$/],
  ['http://[', /^Correct the redirect/],
  ['https://shop.example:99999/', /^Correct the redirect/],
  ['javascript:alert(1)', /^Correct the redirect/],
  ['data:text/html,x', /^Correct the redirect/],
  ['file:///etc/passwd', /^Correct the redirect/],
])('a redirect to %s is not followed, and is a fault of the page', async (location, fix) => {
  const { faults, of, asked } = await look({ [page]: to(location) });
  expect([faults, of('page').fix]).toEqual([['page'], expect.stringMatching(fix)]);
  expect(new Set(asked)).toEqual(new Set([page]));
});

it('a page that answers 404 is a fault of the page', async () => {
  const { faults, of } = await look({});
  expect([faults, of('page').message]).toEqual([['page'], `${page} answers 404.`]);
});

it('a script without TLS, which browsers do not load on a page with TLS, is a fault', async () => {
  const plain = 'http://orders.example';
  const web = { ...serverAt(plain), [page]: tag({ publicUrl: plain }) };
  const { faults, of } = await look(web, { publicUrl: plain });
  const message = `${plain}/sdk/track.js has no TLS: browsers do not load it on this page.`;
  expect([faults, of('script').message]).toEqual([['script'], message]);
  const url = 'http://shop.example/thanks';
  expect((await look({ ...web, [url]: web[page]! }, { publicUrl: plain, url })).faults).toEqual([]);
});

it('a page that comes too slowly is given up, though garbage is collected meanwhile', async () => {
  const { url } = await startHttp((_, response) => void response.write('<html>'));
  // Node 20 forgets the time limit of a signal that only `AbortSignal.any` holds once garbage is collected.
  const collecting = setInterval(collectGarbage, 100);
  onTestFinished(() => clearInterval(collecting));
  const { of } = await look({}, { url, fetchText: createFetchText({ allWithinMs: 1_000 }) });
  expect(of('page').message).toBe(`${url} cannot be reached: no answer within 1 s.`);
});
