import { expect, it } from 'vitest';
import { readPastedDomain } from '../src/console/setup/pastedDomain.js';
import { type Shop, test } from './shop.js';

const domains = async ({ sql, team }: Shop) =>
  (await sql`select entry, is_test from domain where team_id = ${team} order by 1`).map(
    ({ entry, is_test }) => [entry, is_test],
  );

/** Signs in, to allow domains as the form of the setup page does; `allow` resolves with what the page then says. */
async function openSetup(shop: Shop) {
  const browser = await shop.console();
  const allow = (domain: string, more: Record<string, string> = {}) =>
    browser.press('/console/domains', { domain, ...more });
  return { ...browser, allow };
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
  [`https://other.example/cart?items=${'1'.repeat(1500)}`, 'other.example'],
])('a pasted %s is the domain %s', (pasted, entry) => {
  expect(readPastedDomain(pasted)).toMatchObject({ entry });
});

it.each([
  'not a host',
  '',
  '"><script>',
  '*.1.2.3.4',
  '*.com',
  'https://com/',
  'ftp://shop.example/',
  'https://',
])('a pasted %s is no domain', (pasted) => {
  expect(readPastedDomain(pasted)).toEqual({ hint: expect.stringMatching(/./) });
});

test('the address of a page is allowed as its domain, and the page says so', async ({ shop }) => {
  const { allow } = await openSetup(shop);
  expect(await allow('https://BÜCHER.example/cart?x#y')).toContain('Allowed bücher.example.');
  expect(await domains(shop)).toContainEqual(['xn--bcher-kva.example', false]);
});

test('a domain that is allowed already, or by a wider one, is told so, and one whose orders change, too', async ({
  shop,
}) => {
  const { domain } = shop;
  const { allow } = await openSetup(shop);
  expect(await allow(`https://${domain}/`)).toContain(
    `${domain} was allowed already. Its orders are live orders.`,
  );
  expect(await allow(`www.${domain}`)).toContain(`www.${domain} was allowed already, by ${domain}.`);
  expect(await domains(shop)).toEqual([[domain, false]]);
  expect(await allow(domain, { test: 'yes' })).toContain(`Orders of ${domain} are tests from now on.`);
  expect(await allow(`www.${domain}`)).toContain(`Allowed www.${domain}.`);
  expect(await domains(shop)).toEqual([
    [domain, true],
    [`www.${domain}`, false],
  ]);
});

test('localhost is a test; where it was made live the page warns, and one press makes its orders tests', async ({
  shop,
}) => {
  const { allow, read } = await openSetup(shop);
  const warning = 'Orders of localhost count as live.';
  const text = await allow('http://localhost:3000/cart');
  expect(text).toContain('Allowed localhost. Its orders are tests');
  expect(text).not.toContain(warning);
  expect(await domains(shop)).toContainEqual(['localhost', true]);
  await shop.addDomain('localhost');
  expect(await read('/console/setup')).toContain(warning);
  expect(await read('/console/setup')).toContain('Make its orders tests');
  expect(await allow('localhost', { test: 'yes' })).toContain('Orders of localhost are tests from now on.');
  expect(await domains(shop)).toContainEqual(['localhost', true]);
});

test('a text that is no domain is refused with a hint, and its form stays as it was filled in', async ({
  shop,
}) => {
  const { submit } = await openSetup(shop);
  const { status, text } = await submit('/console/domains', { domain: 'not a host', test: 'yes' });
  expect([status, text]).toEqual([400, expect.stringMatching(/role="alert"[^>]*>Not added: [^<]+\.</)]);
  const [form] = /<input id="domain".*?<\/form>/s.exec(text)!;
  expect([form.includes('autofocus'), form.includes('checked')]).toEqual([true, true]);
  expect(await domains(shop)).toEqual([[shop.domain, false]]);
});

test('an address that somebody made up claims nothing that is not so', async ({ shop }) => {
  const { read } = await openSetup(shop);
  for (const query of [
    'allowed=evil.example&did=new&by=evil.example',
    `allowed=evil.example&did=included&by=${shop.domain}`,
    `allowed=${shop.domain}&did=owned&by=${shop.domain}`,
    `allowed=Call%20us.${shop.domain}&did=included&by=${shop.domain}`,
  ])
    expect(await read(`/console/setup?${query}`)).not.toMatch(/Allowed (evil|Call)|Call us|allowed already/);
});
