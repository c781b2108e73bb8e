import { request } from 'node:http';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { addDomain } from '../src/teams/sql/domain.js';
import { signIn } from './console.js';
import { addTestHook } from './hooks.js';
import { startReceiver } from './receiver.js';
import { startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let teamId: string;
let uuid: string;
let browser: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  server = await startServerForTest();
  ({ teamId, uuid } = await server.addTeam('shop.example'));
  browser = await signIn(server, teamId);
});

async function report(order: object, origin = 'https://shop.example') {
  const { status, body } = await server.report(
    { teamId, email: 'ann@buyer.example', amount: 49.9, ...order },
    { origin },
  );
  return { status, id: body.data?.id as string };
}

/** The text of a page, with one space between its parts. */
const shown = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

/** The lines of what led to an order. */
async function story(id: string) {
  const { text } = await browser.get(`/console/orders/${id}`);
  const [, list] = /<ol class="story">([\s\S]*?)<\/ol>/.exec(text)!;
  return list!.split('</li>').slice(0, -1).map(shown);
}

it('an order leads back to the list that it was opened from, with its filters, range, search and place', async () => {
  const { id } = await report({ orderId: 'o-1' });
  const linkIn = (text: string) => new RegExp(`href="(/console/orders/${id}[^"]*)"`).exec(text)![1]!;
  for (const query of ['', '?range=7d&mode=live&q=o-1', `?by=browser&before=${Date.now() + 60_000}.${id}`]) {
    const link = linkIn((await browser.get(`/console/orders${query}`)).text).replaceAll('&amp;', '&');
    const { text } = await browser.get(link);
    const [, back] = /<a href="([^"]+)">(?:All orders|Back to the orders)</.exec(text)!;
    expect(back!.replaceAll('&amp;', '&')).toBe(`/console/orders${query}`);
  }
  const stream = request(`${server.url}/console/live?mode=live&range=7d&since=1`, {
    headers: { cookie: browser.cookie },
  }).end();
  onTestFinished(() => void stream.destroy());
  const row = await new Promise<string>((resolve) => {
    let text = '';
    stream.on('response', (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (text.includes('</tr>')) resolve(text);
      });
    });
  });
  expect(linkIn(row)).toBe(`/console/orders/${id}?range=7d&amp;mode=live`);
});

it('an order’s page tells what led to it: landings, refused reports, the first report and later ones, by time', async () => {
  const landing = (ms: number, parameters: string) =>
    Buffer.from(`${ms} undefined ${parameters} /spring`).toString('base64');
  const dayMs = 86_400_000;
  const landings = [
    landing(Date.now() - 12 * dayMs, '?utm_source=news,&utm_campaign=<b>spring'),
    landing(Date.now() - dayMs, '?gclid='),
  ].join('.');
  const order = { orderId: 'o-1', visitorId: 'v-1', landings };
  expect((await report(order, 'https://new.example')).status).toBe(403);
  await addDomain(server.sql, uuid, { entry: 'new.example', isTest: false });
  await expect.poll(async () => (await report(order, 'https://new.example')).status).toBe(200);
  const { id } = await report({ ...order, amount: 50 });
  // It is kept after the answer.
  await expect.poll(() => server.sql`select from refused_report`).toHaveLength(2);
  await server.reportByKey(await server.addKey(uuid), {
    teamId,
    email: 'ann@buyer.example',
    amount: 49.9,
    orderId: 'o-1',
    name: 'Ann',
  });
  const lines = await story(id);
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(/First visit .* Page \/spring .*Source news .*Campaign &lt;b&gt;spring/);
  expect(lines[1]).toMatch(/Last campaign .*Source google .*Click id gclid/);
  expect(lines[2]).toMatch(
    /Refused .*new\.example.*Its order was stored since\. .*Amount \$49\.90 Buyer ann@buyer/,
  );
  expect(lines[3]).toMatch(/First reported/);
  expect(lines[4]).toMatch(/Refused .*another amount.*It needs attention\. .*Amount \$50\.00/);
  expect(lines[5]).toMatch(/Reported again .* page of new\.example .*The values of the backend count/);
  const { text } = await browser.get(`/console/orders/${id}`);
  const refused = /href="(\/console\/refused\/ref_\w+)"/.exec(text)![1]!;
  expect((await browser.get(refused)).status).toBe(200);
});

it('an order that a backend reported before the page is not told as one that the page reported first', async () => {
  const order = { orderId: 'o-1', email: 'ann@buyer.example' };
  await server.reportByKey(await server.addKey(uuid), { teamId, ...order, amount: 49.9 });
  const { id } = await report({ ...order, visitorId: 'v-1' });
  const [first, again] = await story(id);
  expect(first).not.toContain('page');
  expect(again).toMatch(/Reported again .*page of shop\.example/);
});

it('refused reports of another order or team are not an order’s', async () => {
  const { id } = await report({ orderId: 'o-1' });
  await report({ orderId: 'o-2' }, 'https://evil.example');
  await report({}, 'https://evil.example');
  const other = await server.addTeam();
  await server.report({ teamId: other.teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' });
  const kept = () => server.sql`select from refused_report`;
  await expect.poll(async () => (await kept()).length).toBe(3);
  expect(await story(id)).toHaveLength(1);
});

it('an order’s page lists the webhooks that were told of it, and sends one again', async () => {
  const receiver = await startReceiver();
  await addTestHook(server.sql, uuid, { url: receiver.url });
  const { id } = await report({ orderId: 'o-1' });
  await report({ orderId: 'o-2' });
  const page = async () => (await browser.get(`/console/orders/${id}`)).text;
  await expect.poll(async () => shown(await page())).toMatch(/Delivered in [\d,]+ ms: 200/);
  const text = await page();
  const deliveries = [...text.matchAll(/name="delivery" value="(msg_[\w.]+)"/g)].map(
    ([, delivery]) => delivery!,
  );
  expect(deliveries).toHaveLength(1);
  const told = () => receiver.received.filter(({ json }) => json.data.id === id).length;
  expect(told()).toBe(1);
  const formToken = await browser.formToken();
  await browser.post('/console/webhooks/resend', { delivery: deliveries[0]!, formToken });
  await expect.poll(told).toBe(2);
});

it('an order’s page says how it is corrected, and has long ids folded away', async () => {
  const { id } = await report({ orderId: 'o-1', visitorId: 'v-1' });
  const { text } = await browser.get(`/console/orders/${id}`);
  const folded = /<details><summary>Technical details<\/summary>([\s\S]*?)<\/details>/.exec(text)![1]!;
  for (const word of [id, 'ppl_', 'v-1']) expect([word, folded.includes(word)]).toEqual([word, true]);
  expect(text).toContain(`<code>node_modules/.bin/orderbeacon order discard --team ${teamId} ${id}`);
  await server.reportByKey(await server.addKey(uuid), {
    teamId,
    email: 'ann@buyer.example',
    amount: 1,
    orderId: 'o-1',
  });
  const both = (await browser.get(`/console/orders/${id}`)).text;
  expect(both).not.toContain('order discard');
  expect(both).toContain('/svc-api/v1/orders');
});

it.each(['{{ order.id }}', '[object Object]', '<b>{{ id }}</b>'])(
  'an order whose page sent %s as its id says so, with the fix and its guide',
  async (orderId) => {
    const { id } = await report({ orderId });
    const { text } = await browser.get(`/console/orders/${id}`);
    expect(shown(text).replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toContain(
      `This order has no order id of yours. The page sent ${orderId} : a template`,
    );
    const [, guide] = /<a href="([^"#]+)#what-can-go-wrong">How to give every order its id</.exec(text)!;
    const { status, text: page } = await browser.get(guide!);
    expect([status, page]).toEqual([200, expect.stringContaining('id="what-can-go-wrong"')]);
  },
);

it.each([{ orderId: 'o-1' }, {}])('an order of %j says nothing of a template', async (order) => {
  const { id } = await report(order);
  expect((await browser.get(`/console/orders/${id}`)).text).not.toContain('The page sent');
});

it('an order’s items have a column for each field that one of them has, and for no other', async () => {
  const items = [
    { name: 'Cup', quantity: 2 },
    { name: 'Plate', price: 3.5, gift: true },
  ];
  const { id } = await report({ orderId: 'o-1', items });
  const read = async (order: string) => {
    const { text } = await browser.get(`/console/orders/${order}`);
    const [, table] = /<h2 id="items">.*?<table>(.*?)<\/table>/s.exec(text)!;
    return table!
      .split('</tr>')
      .map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => shown(cell!).trim()));
  };
  expect(await read(id)).toEqual([
    ['name', 'quantity', 'price', 'more'],
    ['Cup', '2', '', ''],
    ['Plate', '', '3.5', '{&quot;gift&quot;:true}'],
    [],
  ]);
  const plain = await report({ orderId: 'o-2', items: [{ sku: 'CUP' }] });
  expect(await read(plain.id)).toEqual([['sku'], ['CUP'], []]);
});
