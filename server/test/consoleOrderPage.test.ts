import { expect } from 'vitest';
import { landing } from './anOrder.js';
import { addTestHook } from './hooks.js';
import { textOf, unescaped } from './html.js';
import { startReceiver } from './receiver.js';
import { openShop, type Shop, test } from './shop.js';

const dayMs = 86_400_000;

/** Reports an order as a page of the shop, or of another host; resolves with its id. */
const reportedBy =
  ({ report }: Shop) =>
  async (order: Record<string, unknown>, host?: string) => {
    const { body } = await report(order, host ? { origin: `https://${host}` } : {});
    return body.data?.id as string;
  };

/** The lines of what led to an order. */
async function story(shop: Shop, id: string) {
  const { text } = await (await shop.console()).get(`/console/orders/${id}`);
  const [, list] = /<ol class="story">([\s\S]*?)<\/ol>/.exec(text)!;
  return list!.split('</li>').slice(0, -1).map(textOf);
}

test('an order leads back to the list that it was opened from, with its filters, range, search and place', async ({
  shop,
}) => {
  const id = await reportedBy(shop)({ orderId: 'o-1' });
  const { get } = await shop.console();
  for (const query of ['', '?range=7d&mode=live&q=o-1', `?by=browser&before=${Date.now() + 60_000}.${id}`]) {
    const list = (await get(`/console/orders${query}`)).text;
    const link = new RegExp(`href="([^"]*/orders/${id}[^"]*)"`).exec(list)![1]!;
    const { text } = await get(unescaped(link));
    const [, back] = /<a href="([^"]+)">(?:All orders|Back to the orders)</.exec(text)!;
    expect(unescaped(back!)).toBe(`/console/${shop.teamId}/orders${query}`);
  }
});

test('an order’s page tells what led to it: landings, refused reports, the first report and later ones, by time', async ({
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
  // It is kept after the answer.
  await expect.poll(async () => (await shop.refused()).length).toBe(2);
  await shop.reportByKey({ orderId: 'o-1', name: 'Ann' });
  const lines = await story(shop, id);
  const expected = [
    /First visit .* Page \/spring .*Source news .*Campaign <b>spring/,
    /Last campaign .*Source google .*Click id gclid/,
    /Refused .*new\.example.*It needs attention\. .*Amount \$49\.90 Buyer ann@buyer/,
    /First reported/,
    /Refused .*another amount.*It needs attention\. .*Amount \$50\.00/,
    /Reported again .* page of new\.example .*The values of the backend count/,
  ];
  expect(lines).toEqual(expected.map((words) => expect.stringMatching(words)));
});

test('an order that a backend reported before the page is not told as one that the page reported first', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'o-1' });
  const id = await reportedBy(shop)({ orderId: 'o-1', visitorId: 'v-1' });
  const [first, again] = await story(shop, id);
  expect(first).not.toContain('page');
  expect(again).toContain(`page of ${shop.domain}`);
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
  const deliveries = [...text.matchAll(/name="delivery" value="(msg_[\w.]+)"/g)].map(([, name]) => name!);
  expect(deliveries).toHaveLength(1);
  const told = () => receiver.received.filter(({ json }) => json.data.id === id).length;
  expect(told()).toBe(1);
  await submit('/console/webhooks/resend', { delivery: deliveries[0]! });
  await expect.poll(told).toBe(2);
});

test('an order’s page shows all that is stored, who reported it, and how it is corrected; long ids are folded away', async ({
  shop,
}) => {
  const item = { sku: 'TEE', name: 'T-shirt', quantity: 2, price: 24.95, gift: true };
  const { body } = await shop.report({ orderId: 'o-1', name: 'Ann', visitorId: 'v-1', items: [item] });
  const { id, orderNumber } = body.data;
  const { get, read } = await shop.console();
  const before = await read(`/console/orders/${id}`);
  expect(before).toContain(`by a page of ${shop.domain}`);
  expect(before).toContain(`orderbeacon order discard --team ${shop.teamId} ${id}`);
  expect(before).not.toContain('Reported again');
  const { text } = await get(`/console/orders/${id}`);
  const folded = /<details><summary>Technical details<\/summary>([\s\S]*?)<\/details>/.exec(text)![1]!;
  for (const word of [id, 'ppl_', 'v-1']) expect([word, folded.includes(word)]).toEqual([word, true]);
  await shop.reportByKey({ orderId: 'o-1', amount: 50 });
  const after = await read(`/console/orders/${id}`);
  const words = [
    '$50.00',
    'o-1',
    'ann@buyer.example',
    'Ann',
    'TEE',
    'T-shirt',
    '24.95',
    '{"gift":true}',
    orderNumber,
  ];
  for (const word of [...words, 'Reported again', 'and by a backend with an API key', '/svc-api/v1/orders'])
    expect(after).toContain(word);
  expect(after).not.toContain('order discard');
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
  expect(await (await shop.console()).read(`/console/orders/${id}`)).toContain(
    'by a backend with an API key',
  );
});

test.for(['{{ order.id }}', '[object Object]', '<b>{{ id }}</b>'])(
  'an order whose page sent %s as its id says so, with the fix and its guide, and one without an id does not',
  async (orderId, { shop }) => {
    const report = reportedBy(shop);
    const { get, read } = await shop.console();
    const { text } = await get(`/console/orders/${await report({ orderId })}`);
    expect(textOf(text)).toMatch(/This order has no order id of yours. The page sent .*: a template/);
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
    const [, table] = /<h2 id="items">.*?<table>(.*?)<\/table>/s.exec(text)!;
    return table!
      .split('</tr>')
      .map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => textOf(cell!)));
  };
  const items = [
    { name: 'Cup', quantity: 2 },
    { name: 'Plate', price: 3.5, gift: true },
  ];
  expect(await tableOf(items)).toEqual([
    ['name', 'quantity', 'price', 'more'],
    ['Cup', '2', '', ''],
    ['Plate', '', '3.5', '{"gift":true}'],
    [],
  ]);
  expect(await tableOf([{ sku: 'CUP' }])).toEqual([['sku'], ['CUP'], []]);
});
