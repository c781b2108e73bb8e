import { expect, it } from 'vitest';
import { readPastedDomain } from '../../src/console/setup/pastedDomain.js';
import { type Shop, test } from '../kit/shop.js';

const domains = async ({ sql, team }: Shop) =>
  (await sql`select entry, is_test from domain where team_id = ${team} order by 1`).map(
    ({ entry, is_test }) => [entry, is_test],
  );

/** Signs in. `allow` posts the form that allows a domain, and resolves with the text of the next page. */
async function openSetup(shop: Shop) {
  const browser = await shop.console();
  const allow = (domain: string, more: Record<string, string> = {}) =>
    browser.press('/console/setup/domains', { domain, ...more });
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
  expect(await allow('https://BÜCHER.example/cart?x#y')).toContain(
    'bücher.example is allowed. Its orders are live orders.',
  );
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
  expect(await allow(domain, { test: 'yes' })).toContain(`${domain} is allowed. Its orders are test orders.`);
  expect(await allow(`www.${domain}`)).toContain(`www.${domain} is allowed.`);
  expect(await domains(shop)).toEqual([
    [domain, true],
    [`www.${domain}`, false],
  ]);
});

test('localhost is a test, and a domain is removed by a press that its row asks for', async ({ shop }) => {
  const { allow, press } = await openSetup(shop);
  expect(await allow('http://localhost:3000/cart')).toContain(
    'localhost is allowed. Its orders are test orders, because anyone can use such a host.',
  );
  expect(await domains(shop)).toContainEqual(['localhost', true]);
  expect(await press('/console/setup/domains/remove', { domain: 'localhost' })).toContain(
    'localhost is removed.',
  );
  expect(await press('/console/setup/domains/remove', { domain: 'localhost' })).not.toContain('is removed.');
  expect(await domains(shop)).toEqual([[shop.domain, false]]);
});

test('a text that is no domain is refused with a hint, and its form stays as it was filled in', async ({
  shop,
}) => {
  const { submit } = await openSetup(shop);
  const { status, text } = await submit('/console/setup/domains', { domain: 'not a host', test: 'yes' });
  expect([status, text]).toEqual([400, expect.stringMatching(/role="alert"[^>]*>Not added: [^<]+\.</)]);
  const [form] = /<input name="domain".*?<\/form>/s.exec(text)!;
  expect([form.includes('autofocus'), form.includes('selected')]).toEqual([true, true]);
  expect(await domains(shop)).toEqual([[shop.domain, false]]);
});

test('of a domain with www. the apex, which includes it, is offered by one press', async ({ shop }) => {
  const { cookie, get, submit } = await shop.console();
  const answerTo = async (domain: string) => {
    const { headers } = await submit('/console/setup/domains', { domain });
    const flash = headers.get('set-cookie')!.split(';')[0];
    return (await get('/console/setup/domains', { cookie: `${cookie}; ${flash}` })).text;
  };
  const offered = await answerTo('https://www.own-shop.example/thanks');
  expect(offered).toContain('www.own-shop.example is allowed');
  expect(offered).toMatch(/name="domain" value="own-shop\.example"[\s\S]*?Allow own-shop\.example, too/);
  expect(await answerTo('own-shop.example')).not.toContain(', too');
  expect(await answerTo('www.own-shop.example')).not.toContain(', too');
});
