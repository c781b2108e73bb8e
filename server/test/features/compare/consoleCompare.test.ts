import { connect, type Socket } from 'node:net';
import { expect, inject, onTestFinished } from 'vitest';
import { readUpload } from '../../../src/features/compare/console/readUpload.js';
import { textOf } from '../../kit/html.js';
import { sendTo } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { stopClock } from '../../kit/stopClock.js';
import { addTestSource } from '../sources/kit/sources.js';
import { payment, stripeEvent } from '../sources/kit/stripeSamples.js';

const boundary = '----FormBoundary7MA4YWxk';
const multipart = `multipart/form-data; boundary=${boundary}`;

const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Makes the body of a form as a browser sends it, with the file last. */
function formWith(fields: Record<string, string>, file: string | Buffer): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => part(name, value));
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="orders.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(parts.join('') + head),
    Buffer.from(file),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** Opens the page Compare. It uploads files and stores the orders that a comparison finds to be missing. */
async function openCompare(shop: Shop, mode: 'live' | 'test' = 'live') {
  const browser = await shop.console();
  const { origin } = new URL(shop.server.url);
  const send = (body: string | Buffer, type = multipart, headers: Record<string, string> = {}) =>
    sendTo(new URL(`${browser.home}/compare?mode=${mode}`, shop.server.url), 'POST', {
      headers: { cookie: browser.cookie, origin, 'content-type': type, ...headers },
      body,
    });
  const upload = (file: string | Buffer, headers?: Record<string, string>) =>
    send(formWith({}, file), multipart, headers);
  return {
    ...browser,
    send,
    upload,
    /** Uploads a file and answers the questions of its page. */
    ask: async (file: string | Buffer, fields: Record<string, string>, action = 'again') =>
      browser.submit(`/console/compare/${action}?mode=${mode}`, {
        packed: fileIn((await upload(file)).text),
        ...fields,
      }),
    store: (packed: string) => browser.submit(`/console/compare/store?mode=${mode}`, { packed }),
    /** Presses Undo on a page, and resolves with the text of the next page. */
    undo: (html: string) =>
      browser.press(`/console/compare/undo?mode=${mode}`, {
        press: /name="press" value="([^"]+)"/.exec(html)?.[1] ?? 'none',
      }),
  };
}

/** Reads the file that a page carries. */
const fileIn = (html: string) => /name="packed" value="([^"]+)"/.exec(html)![1]!;
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
  await shop.sql`update team set zone = 'America/New_York' where id = ${shop.team}`;
  const inNewYork = { 'accept-language': 'de', cookie };
  const page = await upload(csv, inNewYork);
  const text = textOf(page.text);
  expect([page.status, text]).toEqual([
    200,
    expect.stringContaining(
      '4 paid orders of the file (Orderbeacon), and your live orders Matched 1 the same id and amount Missing here 2 1.239,50 €Different 1 1,00 € more in the file Only here 0',
    ),
  ]);
  // The year is shown unless it is the current one.
  expect(text).toMatch(/gone bob@buyer\.example 1\.234,50 € 1 May(?: 2026)?, 06:00/);
  // A date without a time is a day, in any zone.
  expect(text).toContain('bad – 5,00 € 30 Apr 2026 ');
  expect(text).toContain('amount 11,00 € 10,00 €');
  expect(text).toContain('You can take it back for a day. Store 2 live orders');
  expect(await storedIds(shop)).toEqual(['amount', 'same']);

  const file = fileIn(page.text);
  expect(textOf((await store(file)).text)).toContain('2 live orders are stored.');
  await store(file);
  expect(await storedIds(shop)).toEqual(['amount', 'bad', 'gone', 'same']);
  const gone = (await shop.stored()).find(({ orderId }) => orderId === 'gone');
  expect(gone).toMatchObject({
    amount: '1234.5',
    reportedBy: 'key',
    createdAt: new Date('2026-05-01T10:00:00Z'),
  });
});

const modesOf = async (shop: Shop) =>
  (await shop.stored()).map(({ orderId, isTest }) => `${orderId} ${isTest ? 'test' : 'live'}`).sort();

test('compares with the mode of the switch alone, and stores into it', async ({ shop }) => {
  await shop.reportByKey({ orderId: 'live', amount: 5, currency: 'EUR' });
  await shop.reportByKey({ orderId: 'test', amount: 5, currency: 'EUR' }, { key: await shop.testKey() });
  const file = 'orderId,amount,currency\nlive,5,EUR\ntest,5,EUR\nnew,6,EUR\n';
  const tests = await openCompare(shop, 'test');
  expect(await tests.read('/console/compare?mode=test')).toContain('Compare with your test orders');
  const page = await tests.upload(file);
  expect(textOf(page.text)).toContain('Store 2 test orders');
  expect(page.text).toMatch(/formaction="[^"]*\/compare\/store\?mode=test"/);
  expect(page.text).not.toContain('name="mode"');
  const stored = await tests.store(fileIn(page.text));
  expect(textOf(stored.text)).toMatch(/2 test orders are stored\. .*Undo/);
  expect(stored.text).toContain('/orders?mode=test"');
  expect(await modesOf(shop)).toEqual(['live live', 'live test', 'new test', 'test test']);
  // The page of the other mode does not show it.
  expect(await tests.read('/console/compare?mode=live')).not.toContain('Undo');

  const live = await openCompare(shop);
  expect(textOf((await live.upload(file)).text)).toContain('Store 2 live orders');
});

test('what a press stored is taken back by another one for a day, but for what has changed since', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'known', amount: 5, currency: 'EUR' });
  const file = `orderId,amount,currency,email\n${['known', 'a', 'b', 'c', 'd'].map((id) => `${id},5,EUR,${id}@buyer.example`).join('\n')}\n`;
  const { upload, store, undo, get, read, press, sql } = { ...(await openCompare(shop)), sql: shop.sql };
  const stored = await store(fileIn((await upload(file)).text));
  expect(textOf(stored.text)).toContain('4 live orders are stored.');
  // Another press, which stores nothing new.
  await store(fileIn(stored.text));
  await shop.report({ orderId: 'b', amount: 5, currency: 'EUR', email: 'b@buyer.example' });
  await shop.refund({ orderId: 'c', refundId: 'r', amount: 1 });
  await shop.reportByKey(
    { orderId: 'd', amount: 5, currency: 'EUR', email: 'd@buyer.example' },
    { idempotencyKey: 'of the backend' },
  );
  expect(await read('/console/compare')).toContain('4 live orders of a file were stored today');
  expect(await undo((await get('/console/compare')).text)).toContain(
    '1 live order is removed again. 3 stay, because they were changed or refunded since.',
  );
  expect(await storedIds(shop)).toEqual(['b', 'c', 'd', 'known']);
  // A report of another speaker stays, although it says the same.
  expect((await shop.stored()).map(({ reportedBy }) => reportedBy).sort()).toEqual([
    'browser',
    'key',
    'key',
    'key',
  ]);
  for (const none of ['none', '-'.repeat(36)])
    expect(await press('/console/compare/undo', { press: none })).toContain('Nothing was left to take back');

  await upload(file).then(async ({ text }) => store(fileIn(text)));
  const dayAgo = new Date(Date.now() - 86_460_000);
  await sql`update compare_press set stored_at = ${dayAgo} where team_id = ${shop.team}`;
  expect(await read('/console/compare')).not.toContain('Undo');
});

test('a payment’s id that the file alone named goes with Undo', async ({ shop, server }) => {
  const source = await addTestSource(server, shop.team, { kind: 'stripe' });
  const { upload, store, undo, get } = await openCompare(shop);
  const ids = ['pi_a', payment().id];
  const file = [
    'id,Amount,Amount Refunded,Currency,Status,Customer Email,PaymentIntent ID,orderId (metadata)',
    `ch_a,5,0,EUR,Paid,ann@buyer.example,${ids[0]},a`,
    `ch_b,49.9,0,USD,Paid,ann@shop.example,${ids[1]},b`,
  ].join('\n');
  const { text } = await store(fileIn((await upload(file)).text));
  expect(textOf(text)).toContain('2 live orders are stored.');
  await shop.report({ orderId: 'a', amount: 5, currency: 'EUR', email: 'ann@buyer.example' });
  expect((await source.say(stripeEvent('payment_intent.succeeded', payment()))).status).toBe(200);
  const found = () => Promise.all(ids.map(async (id) => (await shop.read(id)).body.data?.orderId));
  expect(await found()).toEqual(['a', 'b']);
  expect(await undo((await get('/console/compare')).text)).toContain('2 stay');
  expect(await found()).toEqual([undefined, null]);
});

test('the refunds of a file are said before the button, stored by it and undone with it', async ({
  shop,
}) => {
  const file = [
    'orderId,amount,currency,email,Refunded Amount',
    'a,10,EUR,ann@buyer.example,4',
    'b,10,EUR,bob@buyer.example,10',
    'c,10,EUR,cid@buyer.example,4',
    'd,10,EUR,dee@buyer.example,0',
  ].join('\n');
  const { upload, store, undo, get } = await openCompare(shop);
  const page = await upload(file);
  expect(textOf(page.text)).toContain(
    '3 missing orders were refunded (€18.00). The refunds are stored with the orders. Store 4 live orders',
  );
  expect(textOf(page.text)).toContain('a ann@buyer.example €10.00 €4.00');
  await store(fileIn(page.text));
  expect((await shop.read('a')).body.data).toMatchObject({ paymentStatus: 'PARTIALLY_REFUNDED' });
  expect((await shop.read('b')).body.data).toMatchObject({ paymentStatus: 'REFUNDED', refundedAmount: 10 });
  await shop.refund({ orderId: 'c', refundId: 'r', amount: 1 });
  const { text } = await get('/console/compare');
  expect(await undo(text)).toContain('3 live orders are removed again. 1 stays');
  expect(await storedIds(shop)).toEqual(['c']);
  expect((await shop.read('c')).body.data.refundedAmount).toBe(5);
  expect(
    await shop.sql`select refund_id from refund where team_id = ${shop.team} order by refund_id`,
  ).toHaveLength(2);
  // When the file is stored again, its refunds are restored.
  await store(fileIn((await upload(file)).text));
  expect((await shop.read('a')).body.data.refundedAmount).toBe(4);
});

test('a file without a currency is asked for it beside the sentence that says so', async ({ shop }) => {
  const { upload, ask } = await openCompare(shop);
  const file = 'Order ID,Total,Email\n101,5,ann@buyer.example\n';
  const { text } = await upload(file);
  expect(text.match(/name="currency"/g)).toHaveLength(1);
  expect(text).toMatch(
    /<label[^>]*>The file has no currency\. Name it[^<]*<input name="currency"[^>]*form="file"/,
  );
  expect(text).not.toContain('/compare/store');
  const named = await ask(file, { currency: 'EUR' });
  expect(textOf(named.text)).toContain('Store 1 live order');
  expect(named.text.match(/name="currency"/g)).toHaveLength(1);
  expect(named.text).toContain('name="currency" value="EUR"');
});

test('says by how much the file has more or less, and what can be done', async ({ shop }) => {
  for (const [orderId, currency] of [
    ['a', 'EUR'],
    ['b', 'EUR'],
    ['c', 'USD'],
    ['d', 'USD'],
  ])
    await shop.reportByKey({ orderId, amount: 50, currency });
  const { upload } = await openCompare(shop);
  const { text } = await upload('orderId,amount,currency\na,40.5,EUR\nb,60,USD\nc,50,USD\n');
  expect(textOf(text)).toContain('Different 2 $60.00 more in the file, €59.50 less in the file');
  expect(textOf(text)).toMatch(
    /Different \(2\) If the shop has changed an order since, report it with a key/,
  );
  expect(textOf(text)).toMatch(/Only here \(1\) Look these up in the shop/);
});

test('after a refusal says of what is missing that it was refused, and offers no button for it', async ({
  shop,
}) => {
  const { upload, store } = await openCompare(shop);
  const page = await upload('orderId,amount,currency,email\na,5,EUR,no email\nb,5,EUR,bob@buyer.example\n');
  const { text } = await store(fileIn(page.text));
  expect(textOf(text)).toContain('1 live order is stored. 1 was refused.');
  expect(textOf(text)).toContain('Missing here 1 €5.00, of these 1 refused above');
  expect(textOf(text)).not.toContain('Store 1 live order');
});

// On a Citus cluster each statement of an order takes some three times as long, so a press whose clock stands still takes longer than
// the minute that a request may last.
test.skipIf(inject('isCitus'))(
  'of 600 orders of a press, more than are taken back in one turn, each is taken back, of another team none',
  {
    tags: ['slow'],
  },
  async ({ server, shop }) => {
    // A press stores for at most five seconds, in which a slow machine stores fewer orders.
    stopClock();
    const rows = Array.from({ length: 600 }, (_, n) => `n${n},5,EUR,2026-05-01T10:00:00Z`).join('\n');
    const { upload, store, undo } = await openCompare(shop);
    const stored = await store(fileIn((await upload(`orderId,amount,currency,createdAt\n${rows}\n`)).text));
    expect(textOf(stored.text)).toContain('600 live orders are stored.');
    const other = await openCompare(await openShop(server));
    expect(await other.undo(stored.text)).toContain('Nothing was left to take back');
    expect(await undo(stored.text)).toContain('600 live orders are removed again.');
    expect(await storedIds(shop)).toEqual([]);
  },
);

test('a page carries the file, so that columns and words for paid are chosen without choosing it again', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'A-1', amount: 5, currency: 'EUR' });
  const { upload, ask } = await openCompare(shop);
  const file = 'Nummer;Summe;Stand\nA-1;5;Terminée\nA-2;6;Annulée\n';
  const unknown = await upload(file);
  expect([unknown.status, textOf(unknown.text)]).toEqual([
    400,
    expect.stringMatching(
      /Not compared\. .*It has: Nummer, Summe, Stand\..*Column of the order id None Nummer Summe/,
    ),
  ]);
  const columns = { orderId: 'Nummer', amount: 'Summe', status: 'Stand' };
  const words = await ask(file, columns);
  expect(textOf(words.text)).toContain('0 paid orders of the file');
  expect(words.text).not.toContain('Nothing is missing');
  expect(textOf(words.text)).toMatch(
    /1 Terminée, 1 Annulée\. If one of these words means paid, tick it below\./,
  );
  expect(words.text).toContain('<option value="Nummer" selected="">');
  expect(words.text).toContain('name="paid Terminée"');
  const ticked = await ask(file, { ...columns, 'paid Terminée': 'on' });
  expect(textOf(ticked.text)).toMatch(/1 paid order of the file.* Nothing is missing or different\./);
  const stored = await ask(
    file,
    { ...columns, 'paid Terminée': 'on', 'paid Annulée': 'on', currency: 'EUR' },
    'store',
  );
  expect(textOf(stored.text)).toContain('1 live order is stored.');
});

test('where no id of the file is known and others are, nothing is stored before a second press', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: '#1001', currency: 'EUR' });
  const { ask } = await openCompare(shop);
  const file = 'orderId,amount,currency\n7410991464714,5,EUR\n';
  const held = await ask(file, {}, 'store');
  expect(textOf(held.text)).toMatch(
    /Nothing is stored yet, because no id of the file is known here, and other orders are\. They are other orders: store them/,
  );
  expect(held.text).toContain('name="areNew"');
  expect(await storedIds(shop)).toEqual(['#1001']);
  const sure = await ask(file, { areNew: '' }, 'store');
  expect(textOf(sure.text)).toContain('1 live order is stored.');
  expect(await storedIds(shop)).toEqual(['#1001', '7410991464714']);
});

test('a column of dates that no name explains is asked for, and nothing is stored before', async ({
  shop,
}) => {
  const { upload, ask } = await openCompare(shop);
  const file = 'Order ID,Total,Eingang,Currency\n101,5,2026-05-01,EUR\n';
  const asked = await upload(file);
  expect([asked.status, textOf(asked.text)]).toEqual([
    400,
    expect.stringContaining('and “Eingang” may have them. Name the column of the date, or leave it out.'),
  ]);
  expect(asked.text).toContain('<details open');
  expect((await ask(file, {}, 'store')).status).toBe(400);
  expect(await storedIds(shop)).toEqual([]);
  expect(textOf((await ask(file, { createdAt: 'Eingang' }, 'store')).text)).toContain(
    '1 live order is stored.',
  );
  expect(await shop.stored()).toMatchObject([{ createdAt: new Date('2026-05-01T00:00:00Z') }]);
});

test('a file that cannot be compared gets one sentence', async ({ shop }) => {
  const { upload, store } = await openCompare(shop);
  for (const [file, sentence] of [
    ['', 'The file is empty.'],
    [Buffer.from('PK\x03\x04…'), 'an Excel workbook'],
  ] as const) {
    const { status, text } = await upload(file);
    expect([status, textOf(text)]).toEqual([400, expect.stringContaining(`Not compared. `)]);
    expect(textOf(text)).toContain(sentence);
  }
  const damaged = await store('AAAA');
  expect([damaged.status, textOf(damaged.text)]).toEqual([400, expect.stringContaining('Choose it again.')]);
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

test('a file over 20 MB is refused, and of one just below it the first 100 differences are shown', {
  tags: ['all', 'slow'],
}, async ({ shop }) => {
  await shop.reportByKey({ orderId: 'R5', amount: 5, currency: 'EUR' });
  const { upload } = await openCompare(shop);
  const line = `,5,EUR,ann@buyer.example,2026-05-01,${'x'.repeat(98_000)}\n`;
  const rows = (count: number) =>
    `orderId,amount,currency,email,createdAt,note\n${Array.from({ length: count }, (_, n) => `R${n}${line}`).join('')}`;
  const large = await upload(rows(200));
  expect([large.status, textOf(large.text)]).toEqual([
    200,
    expect.stringContaining(
      '200 paid orders of the file (Orderbeacon), and your live orders Matched 1 the same id and amount Missing here 199',
    ),
  ]);
  expect(textOf(large.text)).toContain('These are the first 100.');
  const tooLarge = await upload(rows(215));
  expect([tooLarge.status, textOf(tooLarge.text)]).toEqual([
    413,
    expect.stringContaining('The file is larger than 20 MB.'),
  ]);
});

/**
 * Begins a request whose body does not end, and waits until `ask` is refused because of it. If the request meets one of `ask`,
 * it is refused itself, and begins again.
 */
async function drip(
  url: string,
  request: (host: string) => string,
  body: Buffer,
  ask: () => Promise<{ status: number }>,
) {
  const { port, host } = new URL(url);
  let socket: Socket | undefined;
  onTestFinished(() => void socket?.destroy());
  await expect
    .poll(async () => {
      if (!socket || socket.bytesRead > 0) {
        socket?.destroy();
        socket = connect({ port: Number(port), host: '127.0.0.1' });
        socket.resume().write(request(host));
        socket.write(body);
      }
      return (await ask()).status;
    })
    .toBe(503);
  return socket!;
}

test('a file that drips in keeps nobody of another team from comparing, and breaks off without a trace', {
  tags: ['all'],
}, async ({ server, shop }) => {
  const { upload, cookie, home } = await openCompare(shop);
  const body = formWith({}, csv.repeat(3));
  const socket = await drip(
    server.url,
    (host) =>
      `POST ${home}/compare HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nCookie: ${cookie}\r\nContent-Type: ${multipart}\r\nContent-Length: ${body.length + 1_000}\r\n\r\n`,
    body.subarray(0, body.length - 50),
    () => upload(csv),
  );
  expect(textOf((await upload(csv)).text)).toContain('Another file is arriving');
  const others = await Promise.all([1, 2, 3].map(async () => openCompare(await openShop(server))));
  const answers = await Promise.all(others.map((other) => other.upload(csv)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  socket.destroy();
  await expect.poll(async () => (await upload(csv)).status).toBe(200);
  expect(await storedIds(shop)).toEqual([]);
});

test('a form with a file that drips in keeps its team alone from sending another', { tags: ['all'] }, async ({
  server,
  shop,
}) => {
  const { cookie, home, submit } = await openCompare(shop);
  await drip(
    server.url,
    (host) =>
      `POST ${home}/compare/again HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\n`,
    Buffer.from('packed='),
    () => submit('/console/compare/again', { packed: 'none' }),
  );
  const other = await openCompare(await openShop(server));
  expect(textOf((await other.ask(csv, {})).text)).toContain('Missing here 4');
});

test('a form in pieces of one byte is read in a time that grows with it', { tags: ['all'] }, async () => {
  const boundaryOnly = `--${boundary}\r\n`;
  let looked = 0;
  const indexOf = Buffer.prototype.indexOf;
  Buffer.prototype.indexOf = function (this: Buffer, ...args: Parameters<typeof indexOf>) {
    looked++;
    return indexOf.apply(this, args);
  };
  onTestFinished(() => {
    Buffer.prototype.indexOf = indexOf;
  });
  const body = Buffer.from(boundaryOnly + 'x'.repeat(16_000));
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of body) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const request = new Request('http://shop.example/', {
    method: 'POST',
    headers: { 'content-type': multipart },
    body: bytes,
    duplex: 'half',
  } as RequestInit);
  await expect(readUpload(request, 1_000)).rejects.toThrow('did not arrive completely');
  expect(looked).toBeLessThan(10);
});
