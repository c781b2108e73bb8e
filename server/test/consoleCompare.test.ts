import { connect } from 'node:net';
import { expect } from 'vitest';
import { textOf } from './html.js';
import { sendTo } from './server.js';
import { openShop, type Shop, test } from './shop.js';

const boundary = '----FormBoundary7MA4YWxk';
const multipart = `multipart/form-data; boundary=${boundary}`;

const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** The body of a form as a browser sends it, with the file last. */
function formWith(fields: Record<string, string>, file: string | Buffer): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => part(name, value));
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="orders.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(parts.join('') + head),
    Buffer.from(file),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** A browser on the page that compares, which uploads files and stores what a comparison found to be missing. */
async function openCompare(shop: Shop) {
  const browser = await shop.console();
  const { origin } = new URL(shop.server.url);
  const send = (body: string | Buffer, type = multipart, headers: Record<string, string> = {}) =>
    sendTo(new URL(`${browser.home}/compare`, shop.server.url), 'POST', {
      headers: { cookie: browser.cookie, origin, 'content-type': type, ...headers },
      body,
    });
  return {
    ...browser,
    send,
    upload: (file: string | Buffer, fields: Record<string, string> = {}, headers?: Record<string, string>) =>
      send(formWith({ mode: 'live', ...fields }, file), multipart, headers),
    store: (orders: string) => browser.submit('/console/compare/store', { orders }),
  };
}

/** The missing orders that a page offers to store. */
const ordersIn = (html: string) => /name="orders" value="([^"]+)"/.exec(html)![1]!;
const storedIds = async (shop: Shop) => (await shop.stored()).map(({ orderId }) => orderId).sort();

const csv = [
  'orderId,amount,currency,email,createdAt',
  'same,49.90,EUR,ann@buyer.example,2026-05-01',
  'amount,11,EUR,ann@buyer.example,2026-05-01',
  'gone,"1.234,50",EUR,bob@buyer.example,2026-05-01T10:00:00Z',
  'bad,5,EUR,,2026-04-30',
].join('\r\n');

test('shows the differences and stores nothing; a second step without the file stores what is missing, once', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'same', currency: 'EUR' });
  await shop.reportByKey({ orderId: 'amount', amount: 10, currency: 'EUR' });
  const { get, upload, store, cookie } = await openCompare(shop);
  expect((await get('/console/orders')).text).toMatch(/href="[^"]*\/compare"/);
  const inNewYork = { 'accept-language': 'de', cookie: `${cookie}; orderbeacon_zone=America%2FNew_York` };
  const page = await upload(csv, {}, inNewYork);
  const text = textOf(page.text);
  expect([page.status, text]).toEqual([
    200,
    expect.stringContaining('4 paid orders (Orderbeacon): 1 equal, 2 missing here, 1 different.'),
  ]);
  // The year is said in other years only.
  expect(text).toMatch(/gone 1\.234,50 € bob@buyer\.example 1\. Mai(?: 2026)?, 06:00/);
  // A date without a time is a day, in whatever zone it is looked at.
  expect(text).toContain('bad 5,00 € – 30. Apr. 2026 ');
  expect(text).toContain('amount 11,00 € 10,00 €');
  expect(text).toContain('bad has no email');
  expect(text).toContain('Missing orders that cannot be stored (1)');
  // Comparing again would not help an order without an email.
  expect(text).toContain('Each counts once. Store the missing order');
  expect(await storedIds(shop)).toEqual(['amount', 'same']);

  const orders = ordersIn(page.text);
  expect(textOf((await store(orders)).text)).toContain('1 order is stored.');
  await store(orders);
  expect(await storedIds(shop)).toEqual(['amount', 'gone', 'same']);
  const gone = (await shop.stored()).find(({ orderId }) => orderId === 'gone');
  expect(gone).toMatchObject({
    amount: '1234.5',
    reportedBy: 'key',
    createdAt: new Date('2026-05-01T10:00:00Z'),
  });
});

test('orders to be stored are taken only from the session that compared them, unchanged', async ({
  server,
  shop,
}) => {
  const { upload, store } = await openCompare(shop);
  const orders = ordersIn((await upload(csv)).text);
  const [signature, text] = orders.split('.');
  const other = JSON.parse(String(Buffer.from(text!, 'base64url')));
  other.orders[0].order.amount = '1';
  const changed = `${signature}.${Buffer.from(JSON.stringify(other)).toString('base64url')}`;
  const stranger = await openShop(server);
  for (const answer of [
    await store(changed),
    await store(''),
    await (await openCompare(stranger)).store(orders),
  ]) {
    expect([answer.status, textOf(answer.text)]).toEqual([
      400,
      expect.stringContaining('Compare the file again.'),
    ]);
  }
  expect([...(await storedIds(shop)), ...(await storedIds(stranger))]).toEqual([]);
});

test('a file that cannot be compared gets one sentence on the form, which keeps what was chosen', async ({
  shop,
}) => {
  const { upload } = await openCompare(shop);
  for (const [file, sentence] of [
    ['', 'The file is empty.'],
    [Buffer.from('PK\x03\x04…'), 'an Excel workbook'],
    ['Nummer,Summe\n1,5\n', 'The first line must name the columns'],
  ] as const) {
    const { status, text } = await upload(file, { currency: 'CHF', mode: 'test' });
    expect([status, textOf(text)]).toEqual([400, expect.stringMatching(/Not compared\. /)]);
    expect(textOf(text)).toContain(sentence);
    expect(text).toContain('value="CHF"');
    expect(text).toContain('<option value="test" selected="">');
  }
});

test('a file whose words for paid are not known is no good news, and the page says how to name them', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: '101', amount: 5, currency: 'EUR' });
  const { upload } = await openCompare(shop);
  const head = 'order_number,order_total,status,billing_email,order_currency';
  const page = await upload(`${head}\n101,5,Terminée,ann@buyer.example,EUR\n`);
  expect(page.text).toMatch(/class="notice bad">\s*0 paid orders/);
  expect(textOf(page.text)).toContain('Left out as not paid: 1 Terminée. No row counts as paid');
  expect(textOf(page.text)).toContain('use the command order compare with --paid.');
  const paid = await upload(`${head}\n101,5,completed,ann@buyer.example,EUR\n102,6,failed,,\n`);
  expect(paid.text).toMatch(/class="notice good">\s*1 paid order/);
  expect(textOf(paid.text)).not.toContain('No row counts as paid');
});

test('a form that no browser sends gets 400 or 415, and the server goes on', async ({ shop }) => {
  const { send, upload } = await openCompare(shop);
  expect((await send('mode=live', 'application/x-www-form-urlencoded')).status).toBe(415);
  expect((await send('x', 'multipart/form-data')).status).toBe(415);
  for (const body of [
    '',
    'no parts',
    `--${boundary}--\r\n`,
    `${part('mode', 'live')}--${boundary}--\r\n`,
    part('mode', 'live'),
    part('formToken', 'x'.repeat(100_000)),
    part('a', '1').repeat(100),
    `--${boundary}\r\n${'x'.repeat(100_000)}`,
    String(formWith({ mode: 'live' }, csv)).slice(0, -boundary.length),
  ])
    expect([body.slice(0, 99), (await send(body)).status]).toEqual([body.slice(0, 99), 400]);
  expect((await upload(csv)).status).toBe(200);
});

test('a file over 20 MB is refused, and of one just below it the first 100 differences are shown', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'R5', amount: 5, currency: 'EUR' });
  const { upload } = await openCompare(shop);
  const line = `,5,EUR,ann@buyer.example,2026-05-01,${'x'.repeat(98_000)}\n`;
  const rows = (count: number) =>
    `orderId,amount,currency,email,createdAt,note\n${Array.from({ length: count }, (_, n) => `R${n}${line}`).join('')}`;
  const large = await upload(rows(200));
  expect([large.status, textOf(large.text)]).toEqual([
    200,
    expect.stringContaining('200 paid orders (Orderbeacon): 1 equal, 199 missing here'),
  ]);
  expect(textOf(large.text)).toContain('These are the first 100.');
  const tooLarge = await upload(rows(215));
  expect([tooLarge.status, textOf(tooLarge.text)]).toEqual([
    413,
    expect.stringContaining('The file is larger than 20 MB.'),
  ]);
});

test('an upload that breaks off leaves nothing, and the next comparison of the team runs', async ({
  server,
  shop,
}) => {
  const { upload, store, cookie, home } = await openCompare(shop);
  const { port, host, origin } = new URL(server.url);
  const body = formWith({ mode: 'live' }, csv.repeat(3));
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  socket.write(
    `POST ${home}/compare HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nContent-Type: ${multipart}\r\nContent-Length: ${body.length + 1_000}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.length - 50));
  // A form without orders stores nothing. It is refused with 503 from when the comparison runs.
  await expect.poll(async () => (await store('')).status).toBe(503);
  const meanwhile = await upload(csv);
  expect([meanwhile.status, textOf(meanwhile.text)]).toEqual([
    503,
    expect.stringContaining('Another comparison is running'),
  ]);
  socket.destroy();
  await expect.poll(async () => (await upload(csv)).status).toBe(200);
  expect(await storedIds(shop)).toEqual([]);
});
