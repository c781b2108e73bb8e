import { expect } from 'vitest';
import type { SyncResult } from '../../../src/features/sources/ask/syncSource.js';
import { claimSync, listSources, recordSync } from '../../../src/features/sources/sql/source.js';
import { type Shop, test } from '../../kit/shop.js';
import { paidOrder } from './kit/shopifySamples.js';
import { signers } from './kit/sources.js';
import { wooOrder } from './kit/wooCommerceSamples.js';

const secret = 'a secret of the shop';

/** Opens the setup page of a shop. It adds sources, and sends events to them. */
async function openSetup(shop: Shop) {
  const { server } = shop;
  const { get, read, submit } = await shop.console();
  const html = async () => (await get('/console/setup/sources')).text;
  /** Adds a source by the form. Resolves with its id and the path that the page shows. */
  async function add(kind: string, fields: Record<string, string> = { secret }) {
    const { status, headers } = await submit('/console/setup/sources', { kind, ...fields });
    const [, id] = /#(src_\w+)$/.exec(headers.get('location') ?? '') ?? [];
    expect([status, id]).toEqual([303, expect.any(String)]);
    const article = new RegExp(`<article id="${id}".*?</article>`, 's').exec(await html())![0];
    const [, path] = new RegExp(`<pre[^>]*>\\s*${server.url}(/svc-api/v1/sources/src_\\S+)\\s*</pre>`).exec(
      article,
    )!;
    return { id: id!, path: path! };
  }
  /** Sends an event as Shopify or WooCommerce does. */
  async function say(path: string, kind: 'shopify' | 'woocommerce', payload: object, signedWith = secret) {
    const body = JSON.stringify(payload);
    const topic = kind === 'shopify' ? 'orders/paid' : 'order.updated';
    const headers = { 'content-type': 'application/json', ...signers[kind](body, signedWith, topic) };
    return (await server.send('POST', path, { headers, body })).status;
  }
  return { html, submit, add, say, text: () => read('/console/setup/sources') };
}

const sources = ({ sql, team }: Shop) => sql`select secret from source where team_id = ${team}`;

test.for([
  ['stripe', ['Add destination', 'checkout.session.completed', 'refund.created', 'Signing secret']],
  [
    'shopify',
    ['Settings → Notifications → Webhooks', 'Order payment', 'Refund create', 'will be signed with'],
  ],
  [
    'woocommerce',
    [
      'WooCommerce → Settings → Advanced → Webhooks',
      'Order updated',
      'Delivery URL',
      'WP REST API Integration v3',
      'as the user who made it',
    ],
  ],
] as const)(
  'a source of %s is added, with the words of its admin, and removed',
  async ([kind, words], { shop }) => {
    const { add, text, submit } = await openSetup(shop);
    // A source of WooCommerce without a secret gets one.
    const { id, path } = await add(kind, kind === 'woocommerce' ? { secret } : {});
    const page = await text();
    const states = kind === 'woocommerce' ? ['No event yet'] : ['Secret missing', 'It accepts nothing yet.'];
    for (const word of [...words, ...states]) expect(page).toContain(word);
    expect((await submit('/console/setup/sources/remove', { source: id })).status).toBe(303);
    expect(await text()).not.toContain(path);
    expect(await sources(shop)).toEqual([]);
  },
);

test('the page of a platform leads to its source, which is chosen there', async ({ shop }) => {
  const { get } = await shop.console();
  for (const kind of ['shopify', 'woocommerce']) {
    const { text } = await get(`/console/setup/install?platform=${kind}`);
    const [, path] = /href="([^"]*\/setup\/sources[^"]*)">Add a source for/.exec(text)!;
    expect((await get(path!)).text).toMatch(new RegExp(`<option value="${kind}" selected`));
  }
});

test('a source of WooCommerce gets a secret of letters and digits, which is shown once', async ({ shop }) => {
  const { submit, html } = await openSetup(shop);
  const { status, text } = await submit('/console/setup/sources', { kind: 'woocommerce' });
  const [{ secret: made }] = (await sources(shop)) as unknown as [{ secret: string }];
  expect([status, made]).toEqual([200, expect.stringMatching(/^[0-9a-f]{48}$/)]);
  expect(text).toContain(made);
  expect(await html()).not.toContain(made);
});

test('a source takes orders once its secret is entered, and says when its last event came', async ({
  shop,
}) => {
  const { add, say, html, text, submit } = await openSetup(shop);
  const { id, path } = await add('shopify', {});
  expect(await say(path, 'shopify', paidOrder(1))).toBe(401);
  expect(await text()).not.toContain('Connected');
  await submit('/console/setup/sources/secret', { source: id, secret: ` ${secret}\n` });
  expect(await say(path, 'shopify', paidOrder(1))).toBe(200);
  await expect.poll(text).toMatch(/Last event \d+ s(?:econds?)? ago: a new order\./);
  expect(await text()).toContain('Connected');
  expect(await html()).not.toContain(secret);

  await submit('/console/setup/sources/secret', { source: id, secret: 'another' });
  expect(await say(path, 'shopify', paidOrder(2))).toBe(401);
  await expect.poll(text).toContain('ago: refused, because it was not signed');
  expect(await text()).not.toContain('Connected');
  expect(await text()).toContain('Secret differs');
  expect(await say(path, 'shopify', paidOrder(2), 'another')).toBe(200);
});

test('a secret that is none is not saved; the page says why, and its form stays as it was filled in, unfolded', async ({
  shop,
}) => {
  const { add, submit } = await openSetup(shop);
  const wrong = await submit('/console/setup/sources', {
    kind: 'stripe',
    test: 'yes',
    secret: 'sk_live_of_a_merchant',
  });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toMatch(/role="alert">Not saved: [^<]*whsec_/);
  expect(wrong.text).not.toContain('sk_live_of_a_merchant');
  const [form] = /<form[^>]*action="[^"]*\/sources"[^>]*>.*?<\/form>/s.exec(wrong.text)!;
  expect(form).toContain('<option value="stripe" selected="">');
  expect(form).toContain('<option value="yes" selected="">');
  expect(await sources(shop)).toEqual([]);

  const { id } = await add('shopify', {});
  for (const text of ['', ' ', 'x'.repeat(256), 'schlüssel']) {
    const answer = await submit('/console/setup/sources/secret', { source: id, secret: text });
    expect([text, answer.status]).toEqual([text, 400]);
    expect(answer.text).toMatch(new RegExp(`id="refusal-${id}" role="alert">Not saved: `));
    expect(answer.text).toContain('<details open=""><summary><small>Connect Shopify</small></summary>');
  }
  expect(await sources(shop)).toEqual([{ secret: null }]);
});

test('forms for a source that is gone or is none change nothing', async ({ shop }) => {
  const { add, submit } = await openSetup(shop);
  await add('shopify');
  for (const source of ['', 'src_x', '"><script>', `src_${'0'.repeat(26)}`])
    for (const path of ['/console/setup/sources/secret', '/console/setup/sources/remove'])
      expect((await submit(path, { source, secret: 'another' })).status).toBe(303);
  expect(await sources(shop)).toEqual([{ secret }]);
});

test('a shop is asked once its key is entered, which is never shown, and the page says what came of it', async ({
  shop,
}) => {
  const { add, submit, text, html } = await openSetup(shop);
  const { id } = await add('woocommerce');
  const shopUrl = 'https://shop.invalid';
  const wrong = await submit('/console/setup/sources/access', { source: id, shopUrl, apiKey: 'cs_1' });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringMatching(/Not saved: [^<]*ck_…:cs_…/)]);
  await submit('/console/setup/sources/access', { source: id, shopUrl, apiKey: 'ck_1:cs_secret' });
  expect(await text()).toContain('WooCommerce is asked for its orders within a minute.');
  expect(await html()).not.toContain('cs_secret');
  const [row] = await shop.sql`select * from source where team_id = ${shop.team}`;
  expect(row).toMatchObject({ shop_url: shopUrl, api_key: 'ck_1:cs_secret', allows_private: false });
  const day = 24 * 3_600_000;
  const result: SyncResult = {
    ...{ named: 214, orders: 214, missing: 3, kept: 0, passedOver: [], fault: null },
    ...{ isKeyInQuery: false, isBuyerWithheld: false, webhook: null },
    since: new Date(Date.now() - 30 * day),
    until: new Date(),
  };
  const [source] = await listSources(shop.sql, shop.team);
  const asked = await claimSync(shop.sql, shop.team, source!.id, null);
  await recordSync(shop.sql, asked!, result);
  expect(await text()).toContain(
    '214 of the 214 paid orders that the shop named of the last 30 days are here. 3 of them were missing.',
  );
  await submit('/console/setup/sources/sync', { source: id });
  const due = shop.sql`select from source where team_id = ${shop.team} and sync_at <= now()`;
  expect(await due).toHaveLength(1);
});

test('orders that a source and pages have in common are counted', async ({ shop }) => {
  const { add, say, text } = await openSetup(shop);
  const { path } = await add('woocommerce');
  for (const id of [1, 2, 3]) expect(await say(path, 'woocommerce', wooOrder(id))).toBe(200);
  for (const orderId of ['2', '3', '4'])
    await shop.report({ orderId, email: 'ann@shop.example', currency: 'EUR' });
  expect(await text()).toContain('3 by WooCommerce, 3 by pages, 2 in common.');
});

test('where the ids differ the page says so, with an id of each and the fix', async ({ shop }) => {
  const { add, say, html, text } = await openSetup(shop);
  const { path } = await add('shopify');
  await add('woocommerce');
  for (const id of [5001, 5002]) await say(path, 'shopify', paidOrder(id));
  const report = { email: 'ann@shop.example', currency: 'EUR' };
  for (const orderId of ['#1001', '#1002', '#1003']) await shop.report({ ...report, orderId });
  const page = await text();
  expect(page).toContain('2 by shop systems, 3 by pages, 0 in common: the ids differ.');
  // Without `bdi`, an id in a script that is written from right to left would reverse the sentence.
  expect(await html()).toMatch(/<code><bdi>500\d<\/bdi><\/code> and <code><bdi>#100\d<\/bdi><\/code>/);
  expect(page).toMatch(/different order ids ?, such as 500\d and #100\d ?\./);
  expect(page).toContain('{{ checkout.order_id }}');
});

test('orders of pages that wait for their payment are no sign that the ids differ', async ({ shop }) => {
  const { add, say, text } = await openSetup(shop);
  const { path } = await add('woocommerce');
  for (const orderId of ['11', '12'])
    await shop.report({ orderId, email: 'bob@shop.example', currency: 'EUR' });
  for (const id of [13, 14]) await say(path, 'woocommerce', wooOrder(id));
  const page = await text();
  expect(page).toContain('2 by WooCommerce, 2 by pages, 0 in common.');
  expect(page).toContain(
    'What WooCommerce erases of a buyer, or an email that is emptied there, is erased here, too.',
  );
});

test('orders from before a source, and of the other mode, do not count', async ({ shop }) => {
  const { add, say, text } = await openSetup(shop);
  await shop.report();
  const { path } = await add('shopify');
  await say(path, 'shopify', paidOrder(2, { test: true }));
  expect(await text()).toContain('No live order since this source was added.');
  await say(path, 'shopify', paidOrder(1));
  expect(await text()).toContain('1 by Shopify, 0 by pages, 0 in common.');
});

test('thirty sources leave the page short', async ({ shop }) => {
  const { html, text } = await openSetup(shop);
  await shop.sql`
    insert into source (team_id, id, kind, is_test, token, order_id_prefix)
    select ${shop.team}, gen_random_uuid(), 'shopify', false, gen_random_uuid()::text, '' from generate_series(1, 30)`;
  expect((await html()).match(/<article id="src_/g)).toHaveLength(20);
  expect(await text()).toContain('There are more sources than these.');
});

test('a twenty-first source is not added, though 30 forms come concurrently', { tags: ['all'] }, async ({
  shop,
}) => {
  const { submit, text } = await openSetup(shop);
  const forms = Array.from({ length: 30 }, () =>
    submit('/console/setup/sources', { kind: 'stripe', orderIdPrefix: '' }),
  );
  expect(new Set((await Promise.all(forms)).map(({ status }) => status))).toEqual(new Set([303]));
  expect(await sources(shop)).toHaveLength(20);
  const keys = shop.sql`select from api_key where team_id = ${shop.team} and source_id is not null`;
  expect(await keys).toHaveLength(40);
  expect(await text()).toContain('A team can have 20 sources.');
  const { code, stderr } = await shop.command('source', 'add', 'stripe', '--order-id-prefix', 'B-');
  expect([code, stderr]).toEqual([2, expect.stringContaining('This team has 20 sources. Remove one first.')]);
});

test('a test message connects nothing, and a webhook that the shop has switched off is said until an event comes', async ({
  server,
  shop,
}) => {
  const { add, say, text } = await openSetup(shop);
  const { path } = await add('woocommerce');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await server.send('POST', path, { headers, body: 'webhook_id=7' })).status).toBe(200);
  await expect.poll(text).toContain('ago: a test message without an order');
  expect(await text()).not.toContain('Connected');
  const off = { webhook: { state: 'off' }, named: 0, orders: 0, missing: 0, kept: 0, fault: null };
  const last = { ...off, isKeyInQuery: false, since: new Date(), until: new Date() };
  await shop.sql`
    update source set api_key = 'ck_1:cs_1', sync_at = now() + interval '1 day', synced_at = now(),
      last_event_at = now() - interval '2 hours', last_sync = ${JSON.stringify(last)}::text::json
    where team_id = ${shop.team}`;
  expect(await text()).toContain('Webhook off');
  expect(await text()).toContain('WooCommerce has switched the webhook off');
  expect(await say(path, 'woocommerce', wooOrder(1))).toBe(200);
  await expect.poll(text).toContain('Connected');
  expect(await text()).not.toContain('has switched the webhook off');
});

test('one event that another secret has signed is said until the next one that is signed as it should be', async ({
  shop,
}) => {
  const { add, say, text } = await openSetup(shop);
  const { path } = await add('woocommerce');
  await say(path, 'woocommerce', wooOrder(1));
  await say(path, 'woocommerce', wooOrder(2), 'another');
  await say(path, 'woocommerce', wooOrder(2), 'another');
  await expect.poll(text).toContain('2 events were refused, because another secret signed them.');
  await say(path, 'woocommerce', wooOrder(2));
  await expect.poll(text).toContain('Connected');
  expect(await text()).not.toContain('another secret');
  await say(path, 'woocommerce', wooOrder(3));
  await say(path, 'woocommerce', wooOrder(3), 'another');
  await expect.poll(text).toContain('1 event was refused, because another secret signed it.');
});

test('events that are too large are counted and said, also once others came', async ({ server, shop }) => {
  const { add, say, text } = await openSetup(shop);
  const { path } = await add('woocommerce');
  const headers = {
    'content-type': 'application/json',
    ...signers.woocommerce('{}', secret, 'order.updated'),
  };
  const body = Buffer.alloc(4_200_000);
  for (let at = 0; at < 2; at++)
    expect((await server.send('POST', path, { headers, body })).status).toBe(413);
  expect((await server.send('POST', path, { headers: {}, body })).status).toBe(413);
  await expect.poll(text).toContain('2 events were refused, because they are larger than 4 MiB');
  await say(path, 'woocommerce', wooOrder(1));
  await expect.poll(text).toContain('Connected');
  expect(await text()).toContain('2 events were refused, because they are larger than 4 MiB');
});

test.for(['woocommerce', 'shopify'])(
  'a prefix is asked for where there is a source of %s in the same mode',
  async (kind, { shop }) => {
    const { submit, add } = await openSetup(shop);
    await add(kind);
    await add(kind, { secret, test: 'yes' });
    const asked = await submit('/console/setup/sources', { kind, secret });
    expect([asked.status, asked.text]).toEqual([
      400,
      expect.stringMatching(/name="orderIdPrefix".*Not added yet: this team has a source of/s),
    ]);
    for (const orderIdPrefix of ['a b', 'x'.repeat(21)])
      expect((await submit('/console/setup/sources', { kind, secret, orderIdPrefix })).status).toBe(400);
    await add(kind, { secret, orderIdPrefix: 'B-' });
    const again = await submit('/console/setup/sources', { kind, secret, orderIdPrefix: 'B-' });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('has this prefix')]);
    // A merchant who was asked may answer that the ids of the sources never meet.
    await add(kind, { secret, orderIdPrefix: '' });
    const rows = await shop.sql`
    select order_id_prefix as prefix from source where team_id = ${shop.team} and not is_test order by created_at`;
    expect(rows.map(({ prefix }) => prefix)).toEqual(['', 'B-', '']);
  },
);

test('a key of Stripe’s test mode is taken by a source of tests alone', async ({ shop }) => {
  const { add, submit } = await openSetup(shop);
  const live = await add('stripe', {});
  const tests = await add('stripe', { test: 'yes' });
  const apiKey = 'rk_test_1';
  const refused = await submit('/console/setup/sources/access', { source: live.id, apiKey });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringMatching(/Not saved: this key is of the test mode/),
  ]);
  expect((await submit('/console/setup/sources/access', { source: tests.id, apiKey })).status).toBe(303);
  const keys =
    await shop.sql`select is_test, api_key from source where team_id = ${shop.team} order by is_test`;
  expect(keys).toEqual([
    { is_test: false, api_key: null },
    { is_test: true, api_key: apiKey },
  ]);
});
