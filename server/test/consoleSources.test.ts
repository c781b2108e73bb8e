import { beforeEach, expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';
import { paidOrder } from './shopifySamples.js';
import { signers } from './sources.js';
import { wooOrder } from './wooCommerceSamples.js';

const secret = 'a secret of the shop';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let teamId: string;
let uuid: string;
let console: Awaited<ReturnType<typeof signIn>>;
let formToken: string;

beforeEach(async () => {
  server = await startServerForTest();
  ({ teamId, uuid } = await server.addTeam('shop.example'));
  console = await signIn(server, teamId);
  formToken = await console.formToken();
});

const post = (path: string, fields: Record<string, string>) => console.post(path, { ...fields, formToken });
const setup = async () => (await console.get('/console/setup')).text;

/** The text of a page: without tags and line breaks. */
const shown = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

/** Adds a source by the form. Resolves with its id and the path that the page shows. */
async function addSource(kind: string, fields: Record<string, string> = { secret }) {
  const { status, headers } = await post('/console/sources', { kind, ...fields });
  const [, id] = /^\/console\/setup#(src_\w+)$/.exec(headers.get('location') ?? '') ?? [];
  expect([status, id]).toEqual([303, expect.any(String)]);
  const article = new RegExp(`<article id="${id}".*?</article>`, 's').exec(await setup())![0];
  const [, url] = /<pre[^>]*>\s*(\S+?)\s*<\/pre>/.exec(article)!;
  expect(url).toMatch(new RegExp(`^${server.url}/svc-api/v1/sources/src_`));
  return { id: id!, path: new URL(url!).pathname };
}

/** Sends an event as Shopify or WooCommerce does. */
async function say(path: string, kind: 'shopify' | 'woocommerce', payload: object, signedWith = secret) {
  const body = JSON.stringify(payload);
  const topic = kind === 'shopify' ? 'orders/paid' : 'order.updated';
  const headers = { 'content-type': 'application/json', ...signers[kind](body, signedWith, topic) };
  return (await server.send('POST', path, { headers, body })).status;
}

const reportByPage = (orderId: string) =>
  server.report({ teamId, email: 'ann@shop.example', amount: 49.9, currency: 'EUR', orderId });

/** Waits until a server has noted that many orders of sources. Notes are written once a second. */
const noted = (orders: number) =>
  expect.poll(async () => (await server.sql`select count(*)::int from source_event`)[0]!.count).toBe(orders);

it.each([
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
    ],
  ],
])('a source of %s is added, with the words of its admin, and removed', async (kind, words) => {
  const { id, path } = await addSource(kind, {});
  const text = shown(await setup());
  for (const word of words) expect(text).toContain(word);
  expect(text).toContain('It accepts nothing yet, because its signing secret is missing.');
  expect(text).toContain('No event yet.');
  expect((await post('/console/sources/remove', { source: id })).headers.get('location')).toBe(
    '/console/setup#sources',
  );
  expect(await setup()).not.toContain(path);
  expect(await server.sql`select id from source`).toEqual([]);
  expect((await post('/console/sources/remove', { source: id })).status).toBe(303);
});

it('a source takes orders once its secret is entered, and says when its last event came', async () => {
  const { id, path } = await addSource('shopify', {});
  expect(await say(path, 'shopify', paidOrder(1))).toBe(401);
  expect((await post('/console/sources/secret', { source: id, secret: ` ${secret}\n` })).status).toBe(303);
  expect(await say(path, 'shopify', paidOrder(1))).toBe(200);
  await noted(1);
  const html = await setup();
  expect(shown(html)).toMatch(/Last event \d+ s(?:econds?)? ago: a new order\./);
  expect(html).not.toContain(secret);

  expect((await post('/console/sources/secret', { source: id, secret: 'another' })).status).toBe(303);
  expect(await say(path, 'shopify', paidOrder(2))).toBe(401);
  await expect.poll(async () => shown(await setup())).toContain('ago: refused, because it was not signed');
  expect(await say(path, 'shopify', paidOrder(2), 'another')).toBe(200);
});

it('a secret that is none is not saved, and the page says why', async () => {
  const wrong = await post('/console/sources', { kind: 'stripe', secret: 'sk_live_of_a_merchant' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toMatch(/role="alert">Not saved: [^<]*whsec_/);
  expect(wrong.text).not.toContain('sk_live_of_a_merchant');
  expect(await server.sql`select id from source`).toEqual([]);

  const { id } = await addSource('woocommerce', {});
  for (const text of ['', ' ', 'x'.repeat(256), 'schlüssel']) {
    const answer = await post('/console/sources/secret', { source: id, secret: text });
    expect([text, answer.status]).toEqual([text, 400]);
    expect(answer.text).toMatch(new RegExp(`id="refusal-${id}" role="alert">Not saved: `));
  }
  expect(await server.sql`select secret from source`).toEqual([{ secret: null }]);
});

it('a form of a source whose secret is none stays as it was filled in, and is shown unfolded', async () => {
  const wrong = { kind: 'woocommerce', test: 'yes', secret: 'schlüssel' };
  const [form] = /<form[^>]*action="\/console\/sources">.*?<\/form>/s.exec(
    (await post('/console/sources', wrong)).text,
  )!;
  expect(form).toContain('<option value="woocommerce" selected="">');
  expect(form).toMatch(/name="test"[^>]* checked/);
  expect(form).toMatch(/<input id="secret-new"[^>]* autofocus/);

  const { id, path } = await addSource('shopify');
  expect(await say(path, 'shopify', paidOrder(1))).toBe(200);
  await noted(1);
  const folded = '<details><summary>Connect Shopify</summary>';
  expect(await setup()).toContain(folded);
  const refused = (await post('/console/sources/secret', { source: id, secret: 'schlüssel' })).text;
  expect(refused).not.toContain(folded);
  expect(refused).toContain('<details open=""><summary>Connect Shopify</summary>');
});

it('forms for a source that is gone, is of another team or is none change nothing', async () => {
  const other = await server.addTeam();
  const elsewhere = await signIn(server, other.teamId);
  const { id } = await addSource('shopify');
  const theirs = { source: id, secret: 'stolen', formToken: await elsewhere.formToken() };
  for (const path of ['/console/sources/secret', '/console/sources/remove'])
    expect((await elsewhere.post(path, theirs)).status).toBe(303);
  for (const source of ['', 'src_x', '"><script>'])
    for (const path of ['/console/sources/secret', '/console/sources/remove'])
      expect((await post(path, { source, secret })).status).toBe(303);
  expect(await server.sql`select secret from source`).toEqual([{ secret }]);
  expect((await elsewhere.get('/console/setup')).text).not.toContain(id);
});

it('orders that a source and pages have in common are counted', async () => {
  const { path } = await addSource('woocommerce');
  for (const id of [1, 2, 3]) expect(await say(path, 'woocommerce', wooOrder(id))).toBe(200);
  for (const orderId of ['2', '3', '4']) await reportByPage(orderId);
  await noted(3);
  expect(shown(await setup())).toContain('3 by WooCommerce, 3 by pages, 2 in common.');
});

it('where the ids differ the page says so, with an id of each and the fix', async () => {
  const { path } = await addSource('shopify');
  await addSource('woocommerce');
  for (const id of [5001, 5002]) await say(path, 'shopify', paidOrder(id));
  for (const orderId of ['#1001', '#1002', '#1003']) await reportByPage(orderId);
  await noted(2);
  const html = await setup();
  const text = shown(html);
  expect(text).toContain('2 by Shopify, 3 by pages, 0 in common: the ids differ.');
  // An id in a script that is written from right to left would else turn the sentence round.
  expect(html).toMatch(/<code><bdi>500\d<\/bdi><\/code> and <code><bdi>#100\d<\/bdi><\/code>/);
  expect(text).toMatch(/different order ids\s?, such as 500\d and #100\d\s?\./);
  expect(text).toContain('{{ checkout.order_id }}');
  expect(text).toContain('0 by WooCommerce, 3 by pages, 0 in common.');
});

it('orders from before a source, and of the other mode, do not count', async () => {
  await reportByPage('before');
  const { path } = await addSource('shopify');
  await addSource('woocommerce', { test: 'yes', secret });
  await say(path, 'shopify', paidOrder(1));
  await say(path, 'shopify', paidOrder(2, { test: true }));
  await noted(2);
  const text = shown(await setup());
  expect(text).toContain('1 by Shopify, 0 by pages, 0 in common.');
  expect(text).toContain('No test order since this source was added.');
});

it('a source that has told of test orders only says that no live order came', async () => {
  const { path } = await addSource('shopify');
  await say(path, 'shopify', paidOrder(2, { test: true }));
  await noted(1);
  const text = shown(await setup());
  expect(text).toMatch(/Last event .* ago: a new order\./);
  expect(text).toContain('No live order since this source was added.');
});

it('hostile ids are shown as text', async () => {
  const { path } = await addSource('woocommerce');
  await say(path, 'woocommerce', wooOrder(1, { number: '<script>alert(1)</script>' }));
  await reportByPage('<img src=x onerror=alert(1)>');
  await noted(1);
  const html = await setup();
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script>alert|<img src=x/);
});

it('thirty sources leave the page short', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => at);
  for (const at of rows)
    await server.sql`insert into source (team_id, id, kind, is_test, token, secret)
      values (${uuid}, gen_random_uuid(), 'shopify', false, ${`src_${at}`}, null)`;
  const html = await setup();
  expect(html.match(/<article id="src_/g)).toHaveLength(20);
  expect(shown(html)).toContain('There are more sources than these.');
});

it('a twenty-first source is not added, though 30 forms come concurrently', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post('/console/sources', { kind: 'stripe' })),
  );
  expect(answers.filter(({ status }) => status !== 303)).toEqual([]);
  expect(await server.sql`select id from source`).toHaveLength(20);
  expect(await server.sql`select id from api_key where source_id is not null`).toHaveLength(40);
  expect(shown(await setup())).toContain('A team can have 20 sources.');
  const { code, stderr } = await runOrderbeacon(['source', 'add', '--team', teamId, 'stripe'], server.env);
  expect([code, stderr]).toEqual([2, expect.stringContaining('This team has 20 sources. Remove one first.')]);
});
