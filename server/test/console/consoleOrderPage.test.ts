import { expect } from 'vitest';
import { orderDiffers } from '../../src/core/orders/store/answer.js';
import { decodeId, encodeId, type Uuid } from '../../src/values/ids.js';
import { addTestSource } from '../features/sources/kit/sources.js';
import { payment, session, stripeEvent } from '../features/sources/kit/stripeSamples.js';
import { wooOrder } from '../features/sources/kit/wooCommerceSamples.js';
import { addTestHook } from '../features/webhooks/kit/hooks.js';
import { landing } from '../kit/anOrder.js';
import { textOf, tilesOf, unescaped } from '../kit/html.js';
import { startReceiver } from '../kit/receiver.js';
import { openShop, type Shop, test } from '../kit/shop.js';

const dayMs = 86_400_000;

/** Reports an order as a page of the shop, or of another host. Resolves with its id. */
const reportedBy =
  ({ report }: Shop) =>
  async (order: Record<string, unknown>, host?: string) => {
    const { body } = await report(order, host ? { origin: `https://${host}` } : {});
    return body.data?.id as string;
  };

/** Reads the lines of an order's timeline. */
async function story(shop: Shop, id: string) {
  const { text } = await (await shop.console()).get(`/console/orders/${id}`);
  const [, list] = /<ol class="timeline body" aria-label="Timeline">([\s\S]*?)<\/ol>/.exec(text)!;
  return list!.split('</li>').slice(0, -1).map(textOf);
}

test('an order leads back to the list that it was opened from, with its filters, range, search and place', async ({
  shop,
}) => {
  const id = await reportedBy(shop)({ orderId: 'o-1' });
  const { get } = await shop.console();
  for (const query of ['', '?range=7d&q=o-1', `?by=browser&before=${Date.now() + 60_000}.${id}`]) {
    const list = (await get(`/console/orders${query}`)).text;
    const link = new RegExp(`href="([^"]*/orders/${id}[^"]*)"`).exec(list)![1]!;
    const { text } = await get(unescaped(link));
    const [, back] = /<h1[^>]*><a href="([^"]+)">Orders</.exec(text)!;
    expect(unescaped(back!)).toBe(`/console/${shop.teamId}/orders${query}`);
  }
});

test('an order’s page tells what led to it and what came of it: landings, reports, refused ones too, and refunds, by time', async ({
  shop,
}) => {
  const at = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
  const landings = [
    landing({ at: at(12), parameters: '?utm_source=news,&utm_campaign=<b>spring', path: '/spring' }),
    landing({ at: at(1), parameters: '?gclid=' }),
  ].join('.');
  const order = { orderId: 'o-1', visitorId: 'v-1', landings };
  const report = reportedBy(shop);
  await report(order, 'new.example');
  await shop.addDomain('new.example');
  await expect.poll(() => report(order, 'new.example')).toBeDefined();
  const id = await report({ ...order, amount: 50 });
  // The report is kept after the answer.
  await expect.poll(async () => (await shop.refused()).map(({ reason }) => reason)).toContain(orderDiffers);
  await shop.reportByKey({ orderId: 'o-1', name: 'Ann' });
  await shop.refund({ orderId: 'o-1', refundId: 'r-1', amount: 20, reason: 'late' });
  const expected = [
    /^First visit.*news, campaign <b>spring.*Landed on \/spring/,
    /^Last campaign.*google.*click gclid/,
    /^First reported.*\$49\.90\. A new order\./,
    /^Another report says otherwise.*It says \$50\.00 ?, and does not count.*It needs attention\./,
    /^A backend confirmed it.*The values of a backend count\./,
    /^Refund of \$20\.00.*“late”, refund r-1/,
  ];
  // The report that was refused before its domain was allowed is removed later, because its order is stored.
  const lines = (await story(shop, id)).filter((line) => !line.includes('new.example'));
  expect(lines).toEqual(expected.map((words) => expect.stringMatching(words)));
  const page = await (await shop.console()).read(`/console/orders/${id}`);
  expect(page).toContain('news, <b>spring, 12 days before; back by google');
});

test('an order’s page shows its money, who reported it and all that is stored; long ids are folded away', async ({
  shop,
}) => {
  const item = { sku: 'TEE', name: 'T-shirt', quantity: 2, price: 24.95, gift: true };
  const stated = { orderId: 'o-1', name: 'Ann', amount: 50, source: 'PAYPAL', items: [item], tax: 7.5 };
  const { body } = await shop.reportByKey(stated);
  await shop.refund({ orderId: 'o-1', refundId: 'r-1', amount: 20 });
  const { id, orderNumber } = body.data;
  const { get, read } = await shop.console();
  const { text } = await get(`/console/orders/${id}`);
  expect(tilesOf(text)).toMatchObject({
    Amount: ['$50.00', 'Paid by PayPal'],
    Refunded: ['$20.00', expect.stringMatching(/^1 refund, Today/)],
    Left: ['$30.00', 'Counts as net'],
    Buyer: ['Ann', 'ann@buyer.example'],
  });
  const page = await read(`/console/orders/${id}`);
  for (const word of [
    orderNumber,
    'o-1',
    'TEE',
    'T-shirt',
    '$24.95',
    '{"gift":true}',
    'Backend only',
    '$20.00 refunded',
    'Other fields, as they were sent tax 7.5',
  ])
    expect([word, page.includes(word)]).toEqual([word, true]);
  const folded = /<summary>Technical ids<\/summary>([\s\S]*?)<\/details>/.exec(text)![1]!;
  for (const word of [id, 'ppl_']) expect([word, folded.includes(word)]).toEqual([word, true]);
});

test('a refund is recorded by the form with the order’s own values, once, and never more than is left', async ({
  shop,
}) => {
  const { id } = (await shop.reportByKey({ orderId: 'o-1', amount: 50 })).body.data;
  const { get, press } = await shop.console();
  const { text } = await get(`/console/orders/${id}`);
  const refund = /name="refund" value="([^"]+)"/.exec(text)![1]!;
  expect(text).toMatch(/name="amount"[^>]*value="50\.00"/);
  const send = (amount: string, more = {}) =>
    press(`/console/orders/${id}/refund`, { refund, amount, reason: 'late', ...more });
  expect(await send('49,90')).toContain('A refund of $49.90 is recorded.');
  await send('49,90');
  expect(await send('10', { refund: 'another' })).toContain('The amount must be at most 0.1 USD');
  for (const amount of ['', '0', '-1', 'much', '1.234,56'])
    expect(await send(amount, { refund: 'none' })).toContain('not a number above 0. Write it like 1234.50.');
  const { refundedAmount } = (await shop.read('o-1')).body.data;
  expect(refundedAmount).toBe(49.9);
});

test('the page of a test order is of test mode, and so are its links', async ({ shop }) => {
  const { id } = (await shop.reportByKey({ orderId: 't-1' }, { key: await shop.testKey() })).body.data;
  const { get } = await shop.console();
  const { status, headers } = await get(`/console/orders/${id}?q=t-1`);
  const address = `/console/${shop.teamId}/orders/${id}?q=t-1&mode=test`;
  expect([status, headers.get('location')]).toEqual([303, address]);
  const { text } = await get(address);
  expect(text).toContain('data-mode="test"');
  expect(text).toMatch(/mode=test[^"]*q=ann%40buyer\.example">Orders of this buyer/);
});

test('the page of an order that was merged leads to the one that it became a part of', async ({ shop }) => {
  const { sql, team } = shop;
  const source = await addTestSource(shop.server, team, { kind: 'stripe' });
  const left = await reportedBy(shop)({ email: 'ann@shop.example', orderId: session().id });
  await source.say(stripeEvent('payment_intent.succeeded', payment()));
  const [{ id }] = await sql<[{ id: Uuid }]>`
    select id from placed_order where team_id = ${team} and id <> ${decodeId('ord', left)}`;
  const merged = encodeId('ord', id);
  const { get } = await shop.console();
  expect((await get(`/console/orders/${merged}`)).status).toBe(200);
  await source.say(stripeEvent('checkout.session.completed', session()));
  const { status, headers } = await get(`/console/orders/${merged}?q=ann`);
  expect([status, headers.get('location')]).toEqual([303, `/console/${shop.teamId}/orders/${left}?q=ann`]);
});

test('an order that a page alone reported is discarded by its form, and one of a backend has none', async ({
  shop,
}) => {
  const report = reportedBy(shop);
  const id = await report({ orderId: 'o-1' });
  const { get, press } = await shop.console();
  const other = (await shop.reportByKey({ orderId: 'o-2' })).body.data.id;
  expect((await get(`/console/orders/${other}`)).text).not.toContain('/discard"');
  expect(await press(`/console/orders/${other}/discard`)).toContain('is not discarded');
  expect((await get(`/console/orders/${id}`)).text).toContain('/discard"');
  expect(await press(`/console/orders/${id}/discard`)).toContain('o-1 is discarded.');
  expect((await shop.stored()).map(({ orderId }) => orderId)).toEqual(['o-2']);
  expect((await get(`/console/orders/${id}`)).status).toBe(404);
});

test('an order that a backend reported before the page is not told as one that the page reported first', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'o-1' });
  const id = await reportedBy(shop)({ orderId: 'o-1', visitorId: 'v-1' });
  const [first, again] = await story(shop, id);
  expect(first).not.toContain('page');
  expect(again).toContain('A page and a backend have both reported it.');
});

test('refused reports of another order or team are not an order’s', async ({ server, shop }) => {
  const report = reportedBy(shop);
  const id = await report({ orderId: 'o-1' });
  await report({ orderId: 'o-2' }, 'evil.example');
  await report({ orderId: undefined }, 'evil.example');
  const other = await openShop(server);
  await other.report({ orderId: 'o-1' }, { origin: 'https://evil.example' });
  await expect.poll(async () => [...(await shop.refused()), ...(await other.refused())].length).toBe(3);
  expect(await story(shop, id)).toHaveLength(1);
});

test('an order’s page lists the webhooks that were told of it, and sends one again', async ({ shop }) => {
  const receiver = await startReceiver();
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  const report = reportedBy(shop);
  const id = await report({});
  await report({});
  const { get, read, submit } = await shop.console();
  await expect.poll(() => read(`/console/orders/${id}`)).toMatch(/Delivered in [\d,]+ ms: 200/);
  const { text } = await get(`/console/orders/${id}`);
  const deliveries = [...text.matchAll(/ id="(msg_[\w.]+)"/g)].map(([, name]) => name!);
  expect(deliveries).toHaveLength(1);
  const notices = () => receiver.received.filter(({ json }) => json.data.id === id).length;
  expect(notices()).toBe(1);
  await submit('/console/webhooks/resend', { delivery: deliveries[0]!, order: id });
  await expect.poll(notices).toBe(2);
});

test('a key that names another buyer leaves nothing of the page that reported first, its host neither', async ({
  shop,
}) => {
  const id = await reportedBy(shop)({ orderId: 'o-1', email: 'eve@stranger.example' });
  await shop.reportByKey({ orderId: 'o-1' });
  await shop.report({ orderId: 'o-2' });
  await shop.reportByKey({ orderId: 'o-2' });
  expect((await shop.stored()).map(({ reportedBy, host }) => [reportedBy, host])).toEqual([
    ['key', null],
    ['both', shop.domain],
  ]);
  expect(await (await shop.console()).read(`/console/orders/${id}`)).toContain('A backend reported it');
});

test('an order whose page sent its id by another name says which one counts', async ({ shop }) => {
  const id = await reportedBy(shop)({ orderId: undefined, order_id: 'A-77' });
  const { text } = await (await shop.console()).get(`/console/orders/${id}`);
  expect(textOf(text)).toMatch(
    /The page sent order_id A-77 ?, and that name does not count\. .* call it orderId ?\./,
  );
});

test.for(['{{ order.id }}', '[object Object]', '<b>{{ id }}</b>'])(
  'an order whose page sent %s as its id says so, with the fix and its guide, and one without an id does not',
  async (orderId, { shop }) => {
    const report = reportedBy(shop);
    const { get, read } = await shop.console();
    const { text } = await get(`/console/orders/${await report({ orderId })}`);
    expect(textOf(text)).toMatch(/This order has no order id of yours. The page sent .* ?: a template/);
    expect(textOf(text)).toContain(`The page sent ${orderId}`);
    const [, guide] = /<a href="([^"#]+)#what-can-go-wrong">How to give every order its id</.exec(text)!;
    expect((await get(guide!)).text).toContain('id="what-can-go-wrong"');
    expect(await read(`/console/orders/${await report({ orderId: undefined })}`)).not.toContain(
      'The page sent',
    );
  },
);

test('an order’s items have a column for each field that one of them has, and for no other', async ({
  shop,
}) => {
  const report = reportedBy(shop);
  const { get } = await shop.console();
  const tableOf = async (items: object[]) => {
    const { text } = await get(`/console/orders/${await report({ items })}`);
    const [, table] = /<h2 id="items">.*?<table[^>]*>(.*?)<\/table>/s.exec(text)!;
    return table!
      .split('</tr>')
      .map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => textOf(cell!)));
  };
  const items = [
    { name: 'Cup', quantity: 2 },
    { name: 'Plate', price: 3.5, gift: true },
  ];
  expect(await tableOf(items)).toEqual([
    ['Name', 'Count', 'Price', 'More'],
    ['Cup', '× 2', '', ''],
    ['Plate', '', '$3.50', '{"gift":true}'],
    [],
  ]);
  expect(await tableOf([{ sku: 'CUP' }])).toEqual([['SKU'], ['CUP'], []]);
});

test('an order’s page says what a report of another buyer or amount says, and the sum of refused orders leaves out what counts', async ({
  shop,
}) => {
  const id = await reportedBy(shop)({ orderId: 'o-1', amount: 40, currency: 'EUR' });
  await shop.report({ orderId: 'o-1', amount: 45, currency: 'EUR' });
  await shop.report({ orderId: 'o-1', amount: 40, currency: 'EUR', email: 'eve@buyer.example' });
  await expect.poll(async () => (await shop.refused()).length).toBe(2);
  const lines = await story(shop, id);
  expect(lines).toContainEqual(
    expect.stringMatching(/^Another report says otherwise.*It says €45\.00 ?, and does/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^Another report says otherwise.*It says eve@buyer\.example ?, and/),
  );
  const { read } = await shop.console();
  expect(await read('/console')).toContain(
    '1 order, €40.00, does not count yet. 1 report differs from its order.',
  );
});

test('an order’s page tells refunds of another currency, and what the shop says is not paid, apart from refunds', async ({
  shop,
}) => {
  const source = await addTestSource(shop.server, shop.team, { kind: 'woocommerce' });
  const say = (status: string, seconds: number) =>
    source.say(wooOrder(71, { status, date_modified_gmt: `2026-03-01T10:00:0${seconds}` }), 'order.updated');
  await say('processing', 5);
  await say('failed', 6);
  const [failed] = await shop.stored();
  expect(await story(shop, encodeId('ord', failed!.id))).toContainEqual(
    expect.stringMatching(/^Not paid: €49\.90.*failed, is on hold or is pending, so it counts as refunded/),
  );
  const id = await reportedBy(shop)({ orderId: 'o-2', amount: 40, currency: 'EUR' });
  await shop.refund({ orderId: 'o-2', refundId: 'r-2', amount: 5 });
  await shop.sql`update refund set said_currency = 'USD' where team_id = ${shop.team} and refund_id = 'r-2'`;
  expect(await story(shop, id)).toContainEqual(
    expect.stringMatching(/^Refund of \$5\.00.*In another currency than the order, so it does not count\./),
  );
});

test('an order that shares its id leads to the other one', async ({ shop }) => {
  await shop.reportByKey({ orderId: 'o-1', email: 'ann@buyer.example', amount: 7 });
  await shop.sql`update placed_order set created_at = now() - interval '9 days' where team_id = ${shop.team}`;
  const { id } = (await shop.report({ orderId: 'o-1', email: 'eve@buyer.example', amount: 9 })).body.data;
  const other = (await shop.stored()).find(({ amount }) => Number(amount) === 7)!;
  const { get } = await shop.console();
  const { text } = await get(`/console/orders/${id}`);
  expect(text).toMatch(
    new RegExp(`<a href="[^"]*q=${other.orderNumber}">${other.orderNumber}</a> has the same`),
  );
});
