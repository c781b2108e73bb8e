import { beforeEach, expect, it } from 'vitest';
import { addDomain } from '../src/teams/sql/domain.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let uuid: string;
let browser: Awaited<ReturnType<typeof signIn>>;
let formToken: string;

beforeEach(async () => {
  server = await startServerForTest();
  const team = await server.addTeam('shop.example');
  uuid = team.uuid;
  browser = await signIn(server, team.teamId);
  formToken = await browser.formToken();
});

const domains = async () =>
  (await server.sql`select entry, is_test from domain order by 1`).map(({ entry, is_test }) => [
    entry,
    is_test,
  ]);

const noticeOf = (text: string) =>
  /<p role="status" class="notice good">([^<]*)<\/p>/.exec(text)?.[1]?.replaceAll('&#39;', '’');

/** Allows a domain as the form does, follows the redirect, and returns what the page then says. */
async function allow(domain: string, more: Record<string, string> = {}) {
  const { status, headers } = await browser.post('/console/domains', { domain, formToken, ...more });
  expect([domain, status]).toEqual([domain, 303]);
  const location = headers.get('location')!;
  expect(location).toMatch(/#domains$/);
  return noticeOf((await browser.get(location)).text);
}

it.each([
  ['https://www.Other.example/cart?x#y', 'www.other.example'],
  ['  https://other.example:8443/  ', 'other.example'],
  ['//other.example/a b', 'other.example'],
  ['other.example/thanks', 'other.example'],
  ['other.example:3000', 'other.example'],
  ['<https://other.example/>', 'other.example'],
  ['“https://other.example/”', 'other.example'],
  ['https://*.other.example/', '*.other.example'],
  ['*.other.example', '*.other.example'],
  ['HTTPS://BÜCHER.example/?q=ü', 'xn--bcher-kva.example'],
  [' Bücher.example ', 'xn--bcher-kva.example'],
])('%s is allowed as %s, and the page says so', async (pasted, entry) => {
  const shown = entry.replace('xn--bcher-kva', 'bücher');
  expect(await allow(pasted)).toContain(`Allowed ${shown}.`);
  expect(await domains()).toEqual(
    [
      [entry, false],
      ['shop.example', false],
    ].sort(),
  );
});

it('the address of a page may be long', async () => {
  expect(await allow(`https://other.example/cart?items=${'1'.repeat(1500)}`)).toBe('Allowed other.example.');
});

it('a domain that is allowed already, or by a wider one, is told so, and one whose orders change, too', async () => {
  expect(await allow('https://shop.example/')).toBe(
    'shop.example was allowed already. Its orders are live orders.',
  );
  expect(await allow('www.shop.example')).toBe(
    'www.shop.example was allowed already, by shop.example. Its orders are live orders.',
  );
  expect(await domains()).toEqual([['shop.example', false]]);
  expect(await allow('shop.example', { test: 'yes' })).toBe('Orders of shop.example are tests from now on.');
  expect(await allow('www.shop.example')).toBe(
    'Allowed www.shop.example. Pages without www. are not included: allow shop.example if you have any.',
  );
  expect(await domains()).toEqual([
    ['shop.example', true],
    ['www.shop.example', false],
  ]);
});

it('localhost is a test; where it was made live the page warns, and one press makes its orders tests', async () => {
  expect(await allow('http://localhost:3000/cart')).toMatch(/^Allowed localhost\. Its orders are tests/);
  expect(await domains()).toContainEqual(['localhost', true]);
  const warning = 'Orders of localhost count as live.';
  expect((await browser.get('/console/setup')).text).not.toContain(warning);
  await addDomain(server.sql, uuid, { entry: 'localhost', isTest: false });
  const { text } = await browser.get('/console/setup');
  expect(text).toContain(warning);
  expect(text).toContain('Make its orders tests');
  expect(await allow('localhost', { test: 'yes' })).toBe('Orders of localhost are tests from now on.');
  expect(await domains()).toContainEqual(['localhost', true]);
});

it('a text that is no domain is refused with a hint, and its form stays as it was filled in; a domain is removed', async () => {
  const none = [
    'not a host',
    '',
    '"><script>',
    '*.1.2.3.4',
    '*.com',
    'https://com/',
    'ftp://shop.example/',
    'https://',
  ];
  for (const domain of none) {
    const { status, text } = await browser.post('/console/domains', { domain, formToken });
    expect([domain, status]).toEqual([domain, 400]);
    expect(text).toMatch(/role="alert"[^>]*>Not added: [^<]+\.</);
    expect(text).not.toContain('<script>"');
  }
  for (const fields of [{ test: 'yes' }, {}]) {
    const { text } = await browser.post('/console/domains', { domain: 'not a host', formToken, ...fields });
    const [form] = /<input id="domain".*?<\/form>/s.exec(text)!;
    expect(form).toContain('autofocus');
    expect(form.includes('checked')).toBe('test' in fields);
  }
  await browser.post('/console/domains/remove', { domain: 'shop.example', formToken });
  expect(await domains()).toEqual([]);
});

it('an address that somebody made up claims nothing that is not so', async () => {
  for (const query of [
    'allowed=evil.example&did=new&by=evil.example',
    'allowed=evil.example&did=included&by=shop.example',
    'allowed=shop.example&did=owned&by=shop.example',
    'allowed=Call%20us.shop.example&did=included&by=shop.example',
  ]) {
    expect([query, noticeOf((await browser.get(`/console/setup?${query}`)).text)]).toEqual([
      query,
      undefined,
    ]);
  }
});
