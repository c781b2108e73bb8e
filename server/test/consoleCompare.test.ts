import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from './console.js';
import { sendTo, startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  // A busy machine takes longer for a file of 20 MB than the 30 s that a server gives a request.
  server = await startTestServer({ connections: { requestTimeout: 600_000 } });
});
afterAll(() => server.close());

const boundary = '----FormBoundary7MA4YWxk';

/** The body of a form as a browser sends it, with the file last. */
function formWith(fields: Record<string, string>, file: string | Buffer, name = 'orders.csv'): Buffer {
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(
      `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`,
    ),
    Buffer.from(file),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** A team with one stored order, and a browser that is signed in to its console. */
async function open() {
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const report = async (orderId: string, amount: number) => {
    const body = { teamId, orderId, email: 'ann@buyer.example', amount, currency: 'EUR' };
    expect((await server.reportByKey(key, body)).status).toBe(200);
  };
  const browser = await signIn(server, teamId);
  const formToken = await browser.formToken();
  const upload = (
    file: string | Buffer,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) =>
    sendTo(new URL('/console/compare', server.url), 'POST', {
      headers: {
        cookie: browser.cookie,
        origin: new URL(server.url).origin,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...headers,
      },
      body: formWith({ formToken, mode: 'live', ...fields }, file),
    });
  const stored = async () =>
    (await server.sql`select order_id from placed_order where team_id = ${uuid} order by order_id`).map(
      ({ order_id }) => order_id,
    );
  return { uuid, teamId, browser, formToken, report, upload, stored };
}

/** The text of a page, without its tags. */
const textOf = (html: string) =>
  html
    .replace(/<head>[\s\S]*<\/head>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/&#39;/g, "'");

const csv = [
  'orderId,amount,currency,email,createdAt',
  'same,49.90,EUR,ann@buyer.example,2026-05-01',
  'amount,11,EUR,ann@buyer.example,2026-05-01',
  'gone,"1.234,50",EUR,bob@buyer.example,2026-05-01T10:00:00Z',
  '<b>bad</b>,5,EUR,,2026-04-30',
].join('\r\n');

it('shows the differences and stores nothing; a second step without the file stores what is missing, once', async () => {
  const { browser, formToken, report, upload, stored } = await open();
  await report('same', 49.9);
  await report('amount', 10);
  expect((await browser.get('/console/orders')).text).toContain('href="/console/compare"');
  expect((await browser.get('/console/compare')).text).toContain('enctype="multipart/form-data"');
  const cookie = `${browser.cookie}; orderbeacon_zone=America%2FNew_York`;
  const page = await upload(csv, {}, { 'accept-language': 'de', cookie });
  expect(page.status).toBe(200);
  const text = textOf(page.text);
  expect(text).toContain('4 paid orders (Orderbeacon): 1 equal, 2 missing here, 1 different.');
  // The year is said in other years only.
  expect(text).toMatch(/gone 1\.234,50 € bob@buyer\.example 1\. Mai(?: 2026)?, 06:00/);
  // A date without a time is a day, in whatever zone it is looked at.
  expect(text).toContain('&lt;b&gt;bad&lt;/b&gt; 5,00 € – 30. Apr. 2026 ');
  expect(text).toContain('amount 11,00 € 10,00 €');
  expect(page.text).toContain('&lt;b&gt;bad&lt;/b&gt;');
  expect(text).toContain('&lt;b&gt;bad&lt;/b&gt; has no email');
  expect(text).toContain('Missing orders that cannot be stored (1)');
  // Comparing again would not help an order without an email.
  expect(text).toContain('Each counts once. Store the missing order');
  expect(await stored()).toEqual(['amount', 'same']);

  const orders = /name="orders" value="([^"]+)"/.exec(page.text)![1]!;
  const first = await browser.post('/console/compare/store', { formToken, orders });
  expect(textOf(first.text)).toContain('1 order is stored.');
  expect(await stored()).toEqual(['amount', 'gone', 'same']);
  await browser.post('/console/compare/store', { formToken, orders });
  expect(await stored()).toEqual(['amount', 'gone', 'same']);
  const [gone] =
    await server.sql`select amount, reported_by, created_at from placed_order where order_id = 'gone'`;
  expect(gone).toEqual({
    amount: '1234.5',
    reported_by: 'key',
    created_at: new Date('2026-05-01T10:00:00Z'),
  });
});

it('orders to be stored are taken only from the session that compared them, unchanged', async () => {
  const { browser, formToken, upload, stored } = await open();
  const page = await upload(csv);
  const orders = /name="orders" value="([^"]+)"/.exec(page.text)![1]!;
  const [signature, text] = orders.split('.');
  const other = JSON.parse(String(Buffer.from(text!, 'base64url')));
  other.orders[0].order.amount = '1';
  const changed = `${signature}.${Buffer.from(JSON.stringify(other)).toString('base64url')}`;
  const stranger = await open();
  for (const answer of [
    await browser.post('/console/compare/store', { formToken, orders: changed }),
    await browser.post('/console/compare/store', { formToken, orders: '' }),
    await stranger.browser.post('/console/compare/store', { formToken: stranger.formToken, orders }),
  ]) {
    expect([answer.status, textOf(answer.text)]).toEqual([
      400,
      expect.stringContaining('Compare the file again.'),
    ]);
  }
  expect([...(await stored()), ...(await stranger.stored())]).toEqual([]);
});

it('refuses a form of another site, another session or without a session, before it looks at the file', async () => {
  const { upload, formToken } = await open();
  const stranger = await open();
  expect((await upload(csv, {}, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await upload(csv, { formToken: stranger.formToken })).status).toBe(403);
  expect((await upload(csv, { formToken: '' })).status).toBe(403);
  const signedOut = await upload(csv, { formToken }, { cookie: '' });
  expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, '/console/sign-in']);
});

it('a file that cannot be compared gets one sentence on the form, which keeps what was chosen', async () => {
  const { upload } = await open();
  for (const [file, sentence] of [
    ['', 'The file is empty.'],
    [Buffer.from('PK\x03\x04…'), 'an Excel workbook'],
    ['Nummer,Summe\n1,5\n', 'The first line must name the columns'],
  ] as const) {
    const page = await upload(file, { currency: 'CHF', mode: 'test' });
    expect(page.status).toBe(400);
    expect(textOf(page.text)).toContain(`Not compared. `);
    expect(textOf(page.text)).toContain(sentence);
    expect(page.text).toContain('value="CHF"');
    expect(page.text).toContain('<option value="test" selected="">');
  }
  const named = await upload('Nummer,Summe\n1,5\n', { orderId: 'Nummer', amount: 'Summe', currency: 'EUR' });
  expect(textOf(named.text)).toContain('1 paid order: 0 equal, 1 missing here');
});

it('the form keeps what was chosen while missing orders are stored, because the rest needs the same file again', async () => {
  const { browser, formToken, upload, stored } = await open();
  const chosen = { mode: 'test', decimal: 'comma', orderId: 'Nummer', amount: 'Summe', currency: 'CHF' };
  const page = await upload('Nummer,Summe,email\n1,"5,00",ann@buyer.example\n', {
    ...chosen,
    email: 'email',
  });
  const [form] = /<form[^>]*compare\/store">.*?<\/form>/s.exec(page.text)!;
  const fields = Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  );
  const done = await browser.post('/console/compare/store', { ...fields, formToken });
  expect(textOf(done.text)).toContain('1 order is stored.');
  expect(await stored()).toEqual(['1']);
  for (const option of ['test', 'comma'])
    expect(done.text).toContain(`<option value="${option}" selected="">`);
  for (const value of ['Nummer', 'Summe', 'CHF', 'email']) expect(done.text).toContain(`value="${value}"`);
});

it('a file whose words for paid are not known is no good news, and the page says how to name them', async () => {
  const { report, upload } = await open();
  await report('101', 5);
  const head = 'order_number,order_total,status,billing_email,order_currency';
  const page = await upload(`${head}\n101,5,Terminée,ann@buyer.example,EUR\n`);
  expect(page.text).toMatch(/class="notice bad">\s*0 paid orders/);
  expect(textOf(page.text)).toContain('Left out as not paid: 1 Terminée. No row counts as paid');
  expect(textOf(page.text)).toContain('use the command order compare with --paid.');
  const paid = await upload(`${head}\n101,5,completed,ann@buyer.example,EUR\n102,6,failed,,\n`);
  expect(paid.text).toMatch(/class="notice good">\s*1 paid order/);
  expect(textOf(paid.text)).not.toContain('No row counts as paid');
});

it('a form that no browser sends gets 400 or 415, and the server goes on', async () => {
  const { browser, formToken, upload } = await open();
  const send = (type: string, body: string) =>
    sendTo(new URL('/console/compare', server.url), 'POST', {
      headers: { cookie: browser.cookie, origin: new URL(server.url).origin, 'content-type': type },
      body,
    });
  const multipart = `multipart/form-data; boundary=${boundary}`;
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  expect((await send('application/x-www-form-urlencoded', `formToken=${formToken}`)).status).toBe(415);
  expect((await send('multipart/form-data', 'x')).status).toBe(415);
  for (const body of [
    '',
    'no parts',
    `--${boundary}--\r\n`,
    `${part('formToken', formToken)}--${boundary}--\r\n`,
    part('formToken', formToken),
    part('formToken', 'x'.repeat(100_000)),
    part('a', '1').repeat(100),
    `--${boundary}\r\n${'x'.repeat(100_000)}`,
    String(formWith({ formToken }, csv)).slice(0, -boundary.length),
  ])
    expect((await send(multipart, body)).status).toBe(400);
  expect((await upload(csv)).status).toBe(200);
});

it('a file over 20 MB is refused, one just below it is compared, and memory stays', async () => {
  const { upload, report } = await open();
  await report('R5', 5);
  const line = `,5,EUR,ann@buyer.example,2026-05-01,${'x'.repeat(950)}\n`;
  const rows = (count: number) =>
    `orderId,amount,currency,email,createdAt,note\n${Array.from({ length: count }, (_, n) => `R${n}${line}`).join('')}`;
  const large = await upload(rows(19_500));
  expect(large.status).toBe(200);
  expect(textOf(large.text)).toContain('19,500 paid orders (Orderbeacon): 1 equal, 19,499 missing here');
  expect(large.text.length).toBeLessThan(1_200_000);
  expect(textOf(large.text)).toContain('These are the first 100.');
  const tooLarge = await upload(rows(21_000));
  expect(tooLarge.status).toBe(413);
  expect(textOf(tooLarge.text)).toContain('The file is larger than 20 MB.');
});

it('an upload that breaks off leaves nothing, and the next comparison of the team runs', async () => {
  const { browser, formToken, upload, stored } = await open();
  const { port, host, origin } = new URL(server.url);
  const body = formWith({ formToken }, csv.repeat(3));
  const socket = connect({ port: Number(port), host: host.split(':')[0]! });
  socket.write(
    `POST /console/compare HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${browser.cookie}\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length + 1_000}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.length - 50));
  // A form without orders stores nothing. It is refused with 503 from when the comparison runs.
  const store = () => browser.post('/console/compare/store', { formToken, orders: '' });
  await expect.poll(async () => (await store()).status).toBe(503);
  const meanwhile = await upload(csv);
  expect([meanwhile.status, textOf(meanwhile.text)]).toEqual([
    503,
    expect.stringContaining('Another comparison is running'),
  ]);
  socket.destroy();
  await expect.poll(async () => (await upload(csv)).status).toBe(200);
  expect(await stored()).toEqual([]);
});
