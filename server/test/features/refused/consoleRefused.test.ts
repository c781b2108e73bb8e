import { expect } from 'vitest';
import { sumRefused } from '../../../src/features/refused/sql/groupRefused.js';
import { encodeId } from '../../../src/values/ids.js';
import { signIn } from '../../kit/console.js';
import { createTrigger } from '../../kit/createTrigger.js';
import { textOf, unescaped } from '../../kit/html.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { addTestSource } from '../sources/kit/sources.js';
import { wooOrder } from '../sources/kit/wooCommerceSamples.js';
import { placeRefused } from './kit/refused.js';

/** A host of the shop that is not allowed, and the group of its reports. */
const host = 'checkout.example';
const group = { reason: 'domain_not_allowed', host, field: '' };
const listOf = (kind: Record<string, string>) => `/console/refused?${new URLSearchParams(kind)}`;

/** Reports orders that are refused and kept. By default they are of pages of `host`. */
async function refuse(shop: Shop, orders: object[], origin = `https://${host}`) {
  for (const order of orders) {
    const { status } = await shop.report(order as Record<string, unknown>, { origin });
    expect([400, 403, 409]).toContain(status);
  }
}

/** Sends this many reports that are refused, each with another order id. */
const many = (shop: Shop, count: number) =>
  refuse(
    shop,
    Array.from({ length: count }, (_, n) => ({ orderId: `o-${n}` })),
  );

const idOf = async (shop: Shop, orderId: string) => {
  const [row] = await shop.sql<{ id: string }[]>`
    select id from refused_report where team_id = ${shop.team} and order_id = ${orderId}`;
  return encodeId('ref', row!.id);
};

const idsOf = (text: string) =>
  [...new Set([...text.matchAll(/\/refused\/(ref_\w{26})/g)])].map(([, id]) => id!);

const storedIds = async (shop: Shop) => (await shop.stored()).map(({ orderId }) => orderId).sort();

test('says in a merchant’s words which host is refused, how many orders, how much money, and since when', async ({
  shop,
}) => {
  const { read } = await shop.console();
  expect(await read('/console/refused')).toContain('No refused reports need attention.');
  const [two, euros] = [
    { orderId: 'o-2', amount: 40 },
    { amount: 7, currency: 'EUR' },
  ];
  await refuse(shop, [{ amount: 1500.2 }, two, two, euros, { amount: 'much' }]);
  await shop.sql`update refused_report set received_at = now() - interval '3 days' where team_id = ${shop.team}`;
  const text = await read('/console/refused');
  expect(text).toMatch(
    /\$1,540\.20 €7\.00; 3 orders since \d+ \w{3,4}(?: \d{4})?, \d\d:\d\d checkout\.example is not among your domains/,
  );
  expect(text).toMatch(/1 order since .* checkout\.example: amount is not valid: “much”/);
  await shop.report();
  for (const page of ['/console', '/console/refused'])
    expect(await read(page)).toContain('4 orders, $1,540.20 and other currencies, do not count yet.');
});

test('a group and each of its reports lead to the page about their reason', async ({ server, shop }) => {
  await refuse(shop, [{ orderId: 'o-1' }]);
  const { get } = await shop.console();
  for (const path of ['', `/${await idOf(shop, 'o-1')}`]) {
    const { text } = await get(`/console/refused${path}`);
    const [, docs] = /<a href="([^"]+)">Why this is refused/.exec(text)!;
    expect((await fetch(new URL(docs!, server.url))).status).toBe(200);
  }
});

test('allowing the host stores each of its orders once, as of the time when it came, and none of another host', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await many(shop, 70);
  await refuse(shop, [{ orderId: 'other' }], 'https://other.example');
  // Without a time zone, because an update of several rows on a Citus cluster may not depend on one.
  await sql`
    update refused_report set received_at = (received_at at time zone 'UTC' - interval '1 d') at time zone 'UTC'
    where team_id = ${team}`;
  const came = new Map((await shop.refused()).map((report) => [report.orderId, report.receivedAt]));
  const { press } = await shop.console();
  const text = await press('/console/refused/allow', { host });
  expect(text).toContain('70 live orders are stored.');
  expect(text).toContain('other.example is not among your domains');
  expect(text).not.toContain(host);
  const stored = await shop.stored();
  expect(stored).toHaveLength(70);
  for (const { orderId, createdAt, isTest } of stored)
    expect([orderId, createdAt, isTest]).toEqual([orderId, came.get(orderId), false]);
  expect((await shop.report({}, { origin: `https://${host}` })).status).toBe(200);
  expect(await press('/console/refused/allow', { host })).toContain('Nothing was left to do');
  expect(await shop.stored()).toHaveLength(71);
});

test('a host that is allowed as a test stores tests, and pressing again with another choice changes nothing', async ({
  shop,
}) => {
  await refuse(shop, [{}], 'http://localhost:3000');
  const { get, submit } = await shop.console();
  expect((await get('/console/refused?mode=test')).text).toMatch(/name="test" value="yes" checked/);
  await submit('/console/refused/allow', { host: 'localhost', test: 'yes' });
  await submit('/console/refused/allow', { host: 'localhost' });
  expect((await shop.report({}, { origin: 'http://localhost:3000' })).body.data.isTest).toBe(true);
  expect((await shop.stored()).map(({ isTest }) => isTest)).toEqual([true, true]);
});

test('a refused report is corrected and stored, and a correction that is refused says why and keeps what was typed', async ({
  shop,
}) => {
  const sent = { orderId: 'o-1', amount: '1.000', email: 'ann buyer.example' };
  await refuse(shop, [sent], shop.origin);
  const id = await idOf(shop, 'o-1');
  const { get, submit, press } = await shop.console();
  const { text } = await get(`/console/refused/${id}`);
  for (const value of [sent.amount, sent.email]) expect(text).toContain(`value="${value}"`);
  const correct = (amount: string, email: string) =>
    submit('/console/refused/correct', { id, orderId: 'o-1', currency: '', amount, email });
  const noNumber = await correct('10,000,0', 'ann@buyer.example');
  expect([noNumber.status, textOf(noNumber.text)]).toEqual([400, expect.stringContaining('1234.50')]);
  expect(noNumber.text).toContain('value="10,000,0"');
  const noEmail = await correct('1000.5', 'ann');
  expect([noEmail.status, textOf(noEmail.text)]).toEqual([
    400,
    expect.stringMatching(/Not stored: a field is not valid\.\s+email ?: must be/),
  ]);
  expect(noEmail.text).toContain('value="1000.5"');
  expect(await shop.stored()).toEqual([]);
  const right = { id, orderId: 'o-1', currency: '', amount: '1000.5', email: 'Ann@buyer.example' };
  expect(await press('/console/refused/correct', right)).toContain('1 live order is stored.');
  expect(await shop.stored()).toMatchObject([
    { orderId: 'o-1', amount: '1000.5', email: 'ann@buyer.example' },
  ]);
  expect((await get(`/console/refused/${id}`)).status).toBe(404);
  expect((await correct('2', 'ann@buyer.example')).status).toBe(404);
});

test('an amount is stored in the currency of its sign alone', async ({ shop }) => {
  const order = { orderId: 'o-1', amount: '1.239,00 €' };
  await refuse(shop, [order], shop.origin);
  const id = await idOf(shop, 'o-1');
  const { submit, press } = await shop.console();
  const correct = { ...order, id, email: 'ann@buyer.example' };
  for (const currency of ['', 'GBP']) {
    const { status, text } = await submit('/console/refused/correct', { ...correct, currency });
    expect([status, textOf(text)]).toEqual([
      400,
      expect.stringContaining(
        `the amount is written in another currency. currency: must be that of “1.239,00 €”, not ${currency || 'USD'}`,
      ),
    ]);
  }
  expect(await press('/console/refused/correct', { ...correct, currency: 'EUR' })).toContain('1 live order');
  expect(await shop.stored()).toMatchObject([{ amount: '1239', currency: 'EUR' }]);
});

test('what cannot be stored stays in the list with its new reason', async ({ shop }) => {
  await refuse(shop, [{ orderId: 'o-1', email: 'bob@buyer.example' }]);
  await shop.report({ orderId: 'o-1' });
  const { press } = await shop.console();
  const text = await press('/console/refused/allow', { host });
  expect(text).toContain('1 was refused again, and stays below.');
  expect(text).toContain('the order id belongs to another buyer’s order');
  expect(await shop.stored()).toMatchObject([{ email: 'ann@buyer.example' }]);
});

test('one report or a group is discarded after naming its money, and what came after its page was made stays', async ({
  shop,
}) => {
  await refuse(shop, [{ orderId: 'o-1' }, { orderId: 'o-2' }]);
  const { get, read, press, submit } = await shop.console();
  const id = await idOf(shop, 'o-1');
  expect(await read(`/console/refused/${id}`)).toContain('Discard this report');
  expect(await press('/console/refused/discard', { id })).toContain('1 report is discarded.');
  expect(await press('/console/refused/discard', { id })).toContain('Nothing was left to discard.');
  const { text } = await get('/console/refused');
  expect(textOf(text)).toMatch(/\$49\.90 1 order since .* Discard 1 report/);
  const until = /name="until" value="([^"]+)"/.exec(text)![1]!;
  await expect.poll(() => Date.now()).toBeGreaterThan(new Date(until).getTime());
  await refuse(shop, [{ orderId: 'o-3' }]);
  expect(await press('/console/refused/discard', { ...group, until })).toContain('1 report is discarded.');
  expect(await shop.refused()).toMatchObject([{ orderId: 'o-3' }]);
  expect((await submit('/console/refused/discard', group)).status).toBe(400);
});

test('Undo brings back what this press has discarded, once, and nothing that was discarded before', async ({
  shop,
}) => {
  await refuse(shop, [{ orderId: 'o-1' }, { orderId: 'o-2' }]);
  const { cookie, get, press, submit } = await shop.console();
  await press('/console/refused/discard', { id: await idOf(shop, 'o-1') });
  const until = new Date().toISOString();
  const { headers } = await submit('/console/refused/discard', { ...group, until });
  const flash = headers.get('set-cookie')!.split(';')[0];
  const { text } = await get('/console/refused', { cookie: `${cookie}; ${flash}` });
  const [, form] = /<form [^>]*restore"[^>]*>([\s\S]*?)<\/form>/.exec(text)!;
  const fields = Object.fromEntries(
    [...form!.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  expect(await press('/console/refused/restore', fields)).toContain('1 report is back.');
  expect(await shop.refused()).toMatchObject([{ orderId: 'o-2' }]);
  expect(await press('/console/refused/restore', fields)).toContain('None was left to bring back');
});

test('lists every report of a group exactly once over its pages', { tags: ['all'] }, async ({ shop }) => {
  // Equal times must not make a page skip or repeat a report.
  const yesterday = new Date(Date.now() - 86_400_000);
  const equal = (n: number) => n > 30 && n < 80 && { received_at: yesterday };
  await placeRefused(shop.sql, shop.team, 120, (n) => ({ host, ...equal(n) }));
  const { get } = await shop.console();
  const seen: string[] = [];
  for (let path: string | undefined = listOf(group); path !== undefined; ) {
    const { text } = await get(path);
    seen.push(...idsOf(text));
    await refuse(shop, [{}]);
    const next = /<a href="([^"]+)">Older<\/a>/.exec(text)?.[1];
    path = next && unescaped(next);
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
});

test('a press that takes too long ends after some seconds and says how many are left', {
  tags: ['all'],
}, async () => {
  const server = await startServerForTest();
  const shop = await openShop(server);
  await many(shop, 100);
  await createTrigger(
    server.sql,
    `create function slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.09); return new; end $$`,
    `create trigger slow before insert on placed_order for each row execute function slow()`,
  );
  const { press } = await shop.console();
  const first = await press('/console/refused/allow', { host });
  expect(first).toContain('64 live orders are stored. 36 are left: press again.');
  expect(first).toContain('was not among your domains and is now');
  await server.sql`
    create or replace function slow() returns trigger language plpgsql as $$ begin return new; end $$`;
  expect(await press('/console/refused/store', group)).toContain('36 live orders are stored.');
  expect(await shop.stored()).toHaveLength(100);
});

test('no other team’s reports are seen', async ({ server, shop }) => {
  await refuse(shop, [{ orderId: 'o-1' }]);
  const { read, get } = await (await openShop(server)).console();
  expect(await read('/console/refused')).not.toContain(host);
  expect((await get(`/console/refused/${await idOf(shop, 'o-1')}`)).status).toBe(404);
});

test('a form with nonsense changes nothing', async ({ shop }) => {
  await refuse(shop, [{}]);
  const { submit } = await shop.console();
  for (const [action, sent, status] of [
    ['allow', { host: '' }, 400],
    ['allow', { host: 'not a host' }, 400],
    ['allow', { host: 'x'.repeat(5000) }, 400],
    ['store', {}, 400],
    ['correct', { id: 'ref_x' }, 404],
    ['discard', { reason: '\0', until: 'yesterday' }, 400],
  ] as const)
    expect([action, (await submit(`/console/refused/${action}`, sent)).status]).toEqual([action, status]);
  expect([await shop.refused(), await shop.stored()]).toMatchObject([[{ host }], []]);
});

test('the setup page of domains leads to what was refused', async ({ shop }) => {
  await refuse(shop, [{ orderId: 'o-1' }]);
  const { text: html } = await (await shop.console()).get('/console/setup/domains');
  const [, path] = /wait under <a href="([^"]+)"/.exec(html)!;
  expect(textOf((await (await shop.console()).get(path!)).text)).toContain(
    `${host} is not among your domains`,
  );
});

test('the page of one report offers what its group offers, and no button that cannot succeed', async ({
  shop,
}) => {
  await refuse(shop, [{ orderId: 'host' }, { orderId: 'both', amount: 'much' }]);
  await refuse(shop, [{ orderId: 'amount', amount: '49,90 €' }], shop.origin);
  await refuse(shop, [{ orderId: 'hidden' }], 'null');
  const { get, submit } = await shop.console();
  const actionsOf = async (orderId: string) => {
    const { text } = await get(`/console/refused/${await idOf(shop, orderId)}`);
    return [...text.matchAll(/action="[^"]*\/refused\/(\w+)"/g)].map(([, action]) => action).sort();
  };
  expect(await actionsOf('host')).toEqual(['allow', 'discard']);
  expect(await actionsOf('both')).toEqual(['allow', 'discard']);
  expect(await actionsOf('hidden')).toEqual(['discard']);
  expect(await actionsOf('amount')).toEqual(['correct', 'discard']);
  await submit('/console/refused/allow', { host });
  expect(await actionsOf('both')).toEqual(['correct', 'discard']);
  await submit('/console/refused/correct', { id: await idOf(shop, 'amount'), amount: '49.90' });
  expect(await storedIds(shop)).toEqual(['amount', 'host']);
});

test('hosts, fields and currencies that strangers make up never make the page long', {
  tags: ['all'],
}, async ({ shop }) => {
  const { sql, team } = shop;
  const letter = (n: number) => String.fromCharCode(65 + n);
  await placeRefused(sql, team, 2200, (n) => ({
    host: n < 600 ? `host-${n}.example` : 'one.example',
    currency: `${letter(n % 26)}${letter(n % 25)}X`,
  }));
  const { read } = await shop.console();
  const all = await read('/console/refused');
  expect(all.match(/is not among your domains/g)).toHaveLength(50);
  expect(all).toContain('551 more groups are not shown.');
  const one = await read(listOf({ ...group, host: 'one.example' }));
  expect(one).toMatch(/and \d+ other currencies; 1,600 orders since/);
  expect(one).toContain('Discard 1,600 reports');
  expect(one).not.toContain('host-');
  expect(one).toMatch(/Refused 2,200 · [^·]+ \+ others/);
  expect(await sumRefused(sql, team, false)).toHaveLength(2);
});

test('all amounts with a decimal comma, and all missing currencies, are corrected in one go', {
  tags: ['all'],
}, async ({ shop }) => {
  const kind = (field: string) => ({ reason: 'invalid_request', host: shop.domain, field });
  const amountOf = { 'a-1': '49,90', 'a-2': '1.250', 'a-3': '$ 7,5', 'a-4': '€ 7,5' };
  const currencyOf = { 'c-1': '', 'c-2': 'Euro €' };
  const ofAmount = Object.entries(amountOf).map(([orderId, amount]) => ({ orderId, amount }));
  const ofCurrency = Object.entries(currencyOf).map(([orderId, currency]) => ({ orderId, currency }));
  await refuse(shop, [...ofAmount, ...ofCurrency], shop.origin);
  const { read, press } = await shop.console();
  expect(await read(listOf(kind('amount')))).toMatch(/Correct and store [12]/);
  const amounts = await press('/console/refused/correct-all', kind('amount'));
  expect(amounts).toContain('2 live orders are stored.');
  expect(amounts).toContain('2 were refused again, and stay below.');
  expect(await read(listOf(kind('amount')))).not.toContain('Correct and store');
  await press('/console/refused/correct-all', { ...kind('currency'), currency: 'eur' });
  const stored = (await shop.stored()).map(
    ({ orderId, amount, currency }) => `${orderId} ${amount} ${currency}`,
  );
  expect(stored.sort()).toEqual(['a-1 49.9 USD', 'a-3 7.5 USD', 'c-1 49.9 EUR', 'c-2 49.9 EUR']);
});

test('no button corrects a group of which no report can be read', async ({ shop }) => {
  const kind = { reason: 'invalid_request', host: shop.domain, field: 'amount' };
  await refuse(shop, [{ orderId: 'o-1', amount: '49,90', currency: '€' }], shop.origin);
  const { read } = await shop.console();
  const alone = await read('/console/refused');
  expect(alone).toContain('Open each one, correct it and store it.');
  expect(alone).toContain('Open each');
  expect(alone).not.toContain('Correct and store');
  expect(await read(listOf(kind))).not.toContain('Correct and store');
  await refuse(shop, [{ orderId: 'o-2', amount: '7,50', currency: 'EUR' }], shop.origin);
  expect(await read('/console/refused')).toMatch(
    /Store those as numbers, such as 7\.50\..*Correct and store 1/,
  );
});

test('a sentence that begins with an Arabic host is written from left to right', async ({ shop }) => {
  await refuse(shop, [{ orderId: 'o-1' }], 'https://xn--mgbh0fb.example');
  const { get } = await shop.console();
  const sentence = '<bdi dir="ltr">مثال.example (xn--mgbh0fb.example) is not among your domains</bdi>';
  for (const path of ['', `/${await idOf(shop, 'o-1')}`])
    expect((await get(`/console/refused${path}`)).text).toContain(sentence);
});

test('each page names the refused reports and the money at risk in its navigation', async ({ shop }) => {
  const { read } = await shop.console();
  const mark = async (path = '/setup/keys') =>
    / Refused(?: [\d,]+\+?(?: · \S+(?: \+ others)?)?)?/.exec(await read(`/console${path}`))![0].trim();
  expect(await mark()).toBe('Refused');
  await refuse(shop, [{ amount: 'much' }], shop.origin);
  expect(await mark()).toBe('Refused 1');
  await refuse(shop, [{ amount: 120 }, { amount: 50 }]);
  for (const path of ['', '/orders', '/refused', '/webhooks', '/setup/install', '/compare'])
    expect([path, await mark(path)]).toEqual([path, 'Refused 3 · $170']);
  await refuse(shop, [{ amount: 5000.5, currency: 'EUR' }]);
  expect(await mark()).toBe('Refused 4 · $170 + others');
  await placeRefused(shop.sql, shop.team, 1500, () => ({ host }));
  expect(await mark()).toBe('Refused 1,504 · $1,670 + others');
});

test('an amount below zero, with whatever minus a language writes, is not stored with its group', async ({
  shop,
}) => {
  const below = ['-49,90', '−49,90', '–49,90 €', '(49,90)', '49,90−'];
  const amounts = [...below, '1.234,– €', '49,90 $'];
  await refuse(
    shop,
    amounts.map((amount, n) => ({ orderId: `o-${n}`, amount })),
    shop.origin,
  );
  const { submit } = await shop.console();
  const kind = { reason: 'invalid_request', host: shop.domain, field: 'amount' };
  await submit('/console/refused/correct-all', kind);
  expect((await shop.stored()).map(({ amount }) => amount)).toEqual(['49.9']);
});

test('a group whose reports would be refused again has no button that stores them as they are', async ({
  shop,
}) => {
  const { get } = await shop.console();
  await refuse(shop, [{ orderId: 'o-1', email: 'nobody' }], shop.origin);
  expect((await get('/console/refused')).text).not.toContain('/refused/store');
  await shop.report({ orderId: 'o-2', email: 'bob@buyer.example' });
  await refuse(shop, [{ orderId: 'o-2' }], shop.origin);
  expect((await get('/console/refused')).text).not.toContain('/refused/store');
});

test('says which source has spoken, and offers no form for an event that is no order, also after it was tried again', async ({
  server,
  shop,
}) => {
  const { get, read, submit } = await shop.console();
  const stripe = await addTestSource(server, shop.team, { kind: 'stripe' });
  const shopify = await addTestSource(server, shop.team, { kind: 'shopify' });
  const woo = await addTestSource(server, shop.team, { kind: 'woocommerce' });
  await stripe.say({ object: 'v2.core.event', type: 'v1.charge.succeeded', id: 'evt_1' });
  await shopify.say({ shop_id: 1, customer: { email: 'ann@buyer.example' } }, 'customers/redact');
  await woo.say({ order: { id: 1 } }, 'order.updated');
  await woo.say(wooOrder(7, { billing: { email: 'ann' } }), 'order.updated');
  await shop.command('refused', 'replay');
  const page = await read('/console/refused');
  for (const name of ['Stripe', 'Shopify', 'WooCommerce'])
    expect(page + (await shop.command('refused', 'list')).stdout).toContain(
      `${name}: an event holds no order that can be read`,
    );
  expect(page).not.toContain('Your backend');
  const hasForm: [string, boolean][] = [];
  for (const { id, body } of await shop.refused()) {
    const path = `/console/refused/${encodeId('ref', id)}`;
    const { text } = await get(path);
    hasForm.push([/your source of (\w+)/.exec(textOf(text))![1]!, text.includes('Correct it and store it')]);
    if (!body.includes('"7"'))
      await submit('/console/refused/correct', {
        id: encodeId('ref', id),
        email: 'a@b.example',
        amount: '1',
        currency: 'EUR',
        orderId: 'made-up',
      });
  }
  expect(hasForm).toEqual([
    ['Stripe', false],
    ['Shopify', false],
    ['WooCommerce', false],
    ['WooCommerce', true],
  ]);
  expect(await shop.stored()).toEqual([]);
});

test('a template that nobody filled in and a wrong value of the same field are two causes', async ({
  shop,
}) => {
  const emails = ['nobody', '{{ checkout.email }}'];
  await refuse(
    shop,
    emails.map((email) => ({ email })),
    shop.origin,
  );
  const { text } = await (await shop.console()).get('/console/refused');
  const titles = [...text.matchAll(/<h2><bdi[^>]*>\S+ (.*?)<\/bdi>/g)].map(([, title]) => title);
  expect(titles.sort()).toEqual([
    'email is a template that nobody filled in: “{{ checkout.email }}”',
    'email is not valid: “nobody”',
  ]);
  const { body } = await shop.report({ email: '<?= $email ?>' });
  expect(body.error.issues[0].message).toBe(
    'is a template that nobody filled in: it is filled in by PHP in a file that the server runs',
  );
});

test('reports with a key that lack their teamId are stored by one press', async ({ shop }) => {
  const { get, press } = await shop.console();
  const orders = [49.9, 7].map((amount) => ({ email: 'bob@buyer.example', amount, currency: 'EUR' }));
  for (const order of orders) {
    const { status } = await shop.server.send('POST', '/svc-api/v1/orders', {
      headers: { authorization: `Bearer ${await shop.liveKey()}`, 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
    expect(status).toBe(400);
  }
  const { text } = await get('/console/refused');
  expect(textOf(text)).toMatch(/sends no teamId .*Correct and store 2/);
  const group = { reason: 'invalid_request', host: '', field: 'teamId', cause: 'is required' };
  expect(await press('/console/refused/correct-all', group)).toContain('2 live orders are stored.');
  expect((await shop.stored()).map(({ amount }) => Number(amount)).sort()).toEqual([49.9, 7]);
});

test('each cause has a title of its own with its money, and an amount under a near name is read', async ({
  shop,
}) => {
  const euros = { currency: 'EUR' };
  await refuse(
    shop,
    [
      { ...euros, orderId: 'a-1', amount: '1.239,90 €' },
      { ...euros, orderId: 'a-2', amount: undefined, total: 20 },
      { orderId: 'a-3', amount: undefined, total: '30,50', currency_code: 'eur', currency: undefined },
      { ...euros, orderId: 'a-4', amount: undefined },
      { ...euros, orderId: 'a-5', amount: '1.239' },
    ],
    shop.origin,
  );
  const { get, read, press } = await shop.console();
  const all = await get('/console/refused');
  expect(
    [...all.text.matchAll(/<h2><bdi[^>]*>(.*?)<\/bdi>/g)].map(([, title]) => title!.replace(/^\S+ /, '')),
  ).toEqual([
    'the amount can be read in two ways: “1.239”',
    'sends no amount',
    'sends the amount as “total”',
    'writes amounts with a comma: “1.239,90 €”',
  ]);
  expect(textOf(all.text)).toContain('€1,239.90 1 order since');
  expect(textOf(all.text)).toContain('€50.50 2 orders since');
  expect(textOf(all.text)).toContain('5 orders, €1,290.40');
  const formOf = (html: string) => {
    const [, form] = /<form [^>]*correct-all"[^>]*>([\s\S]*?)<\/form>/.exec(html)!;
    return Object.fromEntries(
      [...form!.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        unescaped(value!),
      ]),
    );
  };
  const [, link] = /href="([^"]*cause=[^"]*total[^"]*)">See 2 orders/.exec(all.text)!;
  const ofTotal = await get(unescaped(link!));
  expect(idsOf(ofTotal.text)).toEqual([await idOf(shop, 'a-3'), await idOf(shop, 'a-2')]);
  expect(await press('/console/refused/correct-all', formOf(ofTotal.text))).toContain(
    '2 live orders are stored.',
  );
  const commaForm = /writes amounts with a comma[\s\S]*?(<form [^>]*correct-all[\s\S]*?<\/form>)/.exec(
    all.text,
  )![1]!;
  expect(await press('/console/refused/correct-all', formOf(commaForm))).toContain('1 live order is stored.');
  const money = (await shop.stored()).map(
    ({ orderId, amount, currency }) => `${orderId} ${amount} ${currency}`,
  );
  expect(money.sort()).toEqual(['a-1 1239.9 EUR', 'a-2 20 EUR', 'a-3 30.5 EUR']);
  expect(await read('/console/refused')).toContain('2 orders do not count yet.');
});

test('the form takes its own text: an amount with separators, and one under a near name', async ({
  shop,
}) => {
  await refuse(
    shop,
    [
      { orderId: 'a-1', amount: '1.239,90 €', currency: 'EUR' },
      { orderId: 'a-2', amount: undefined, total: 1.239, currency: 'EUR' },
    ],
    shop.origin,
  );
  const { get, submit } = await shop.console();
  for (const [orderId, filled] of [
    ['a-1', '1239.90'],
    ['a-2', '1.239'],
  ] as const) {
    const id = await idOf(shop, orderId);
    expect((await get(`/console/refused/${id}`)).text).toContain(`value="${filled}"`);
    expect((await submit('/console/refused/correct', { id, amount: filled })).status).toBe(303);
  }
  expect((await shop.stored()).map(({ amount }) => amount)).toEqual(['1239.9', '1.239']);
});

test.for([
  ['a text of the page', '1.239', 'EUR', '1.239', '€1,239.00 or €1.24. Write 1239.00 or 1.24'],
  ['a text of the page with a comma', '1,239', 'EUR', '1,239', '€1,239.00 or €1.24. Write 1239.00 or 1.24'],
  ['what was typed', 'much', 'EUR', '1.239', '€1,239.00 or €1.24. Write 1239.00 or 1.24'],
  ['what was typed in yen', 'much', 'JPY', '1.239', '¥1,239 or ¥1. Write 1239 or 1'],
] as const)(
  '%s that can be two amounts is asked about, and nothing is stored',
  async ([, sent, currency, typed, words], { shop }) => {
    await refuse(shop, [{ orderId: 'o-1', amount: sent, currency }], shop.origin);
    const id = await idOf(shop, 'o-1');
    const { submit } = await shop.console();
    const asked = await submit('/console/refused/correct', { id, amount: typed, currency });
    expect([asked.status, textOf(asked.text)]).toEqual([
      400,
      expect.stringContaining(`“${typed}” can be ${words}`),
    ]);
    expect(await shop.stored()).toEqual([]);
    const [, written] = / or (\S+)$/.exec(words)!;
    await submit('/console/refused/correct', { id, amount: written!, currency });
    expect((await shop.stored()).map(({ amount }) => Number(amount))).toEqual([Number(written)]);
  },
);

test.for([
  ['1.239', 'KWD', 1.239],
  ['1.239', 'USDC', 1.239],
  ['1,239', 'EUR', 1239],
  ['1.2345', 'EUR', 1.2345],
] as const)(
  '%s of %s, which can be one amount, is stored as typed',
  async ([amount, currency, stored], { shop }) => {
    await refuse(shop, [{ orderId: 'o-1', amount: 'much', currency }], shop.origin);
    const { submit } = await shop.console();
    await submit('/console/refused/correct', { id: await idOf(shop, 'o-1'), amount, currency });
    expect((await shop.stored()).map(({ amount }) => Number(amount))).toEqual([stored]);
  },
);

test('what was stored is linked: one order itself, also beside others that were refused again', async ({
  shop,
}) => {
  await refuse(shop, [
    { orderId: 'o-1' },
    { orderId: 'o-2', email: 'bob@buyer.example' },
    { orderId: 'o-3' },
  ]);
  await shop.report({ orderId: 'o-2' });
  const { cookie, get, submit } = await shop.console();
  const linkAfter = async (action: string, fields: Record<string, string>) => {
    const { headers } = await submit(action, fields);
    const flash = headers.get('set-cookie')!.split(';')[0];
    const { text } = await get(headers.get('location')!, { cookie: `${cookie}; ${flash}` });
    const [, href, words] = /<a href="([^"]+)">(Open the order|See the orders)<\/a>/.exec(text)!;
    return [words, textOf((await get(unescaped(href!))).text)];
  };
  await submit('/console/refused/discard', { id: await idOf(shop, 'o-3') });
  expect(await linkAfter('/console/refused/allow', { host })).toEqual([
    'Open the order',
    expect.stringContaining('Orders / o-1'),
  ]);
  await refuse(
    shop,
    [
      { orderId: 'o-4', amount: '4,50' },
      { orderId: 'o-5', amount: '5,50' },
    ],
    shop.origin,
  );
  const kind = { reason: 'invalid_request', host: shop.domain, field: 'amount' };
  expect(await linkAfter('/console/refused/correct-all', kind)).toEqual([
    'See the orders',
    expect.stringContaining('o-5'),
  ]);
});

test('a browser that may look only is told whom to ask, and reads of no button', async ({ server, shop }) => {
  await refuse(shop, [{ orderId: 'o-1', amount: 'much' }], shop.origin);
  const { read } = await signIn(server, shop.teamId, { isReadOnly: true });
  expect(await read('/console')).toMatch(/1 order does not count yet\.\s+See them/);
  for (const path of ['', `/${await idOf(shop, 'o-1')}`]) {
    const text = await read(`/console/refused${path}`);
    expect(text).toContain('ask whoever sent you the link');
    expect(text).not.toMatch(/Open each|Correct it here/);
  }
});
