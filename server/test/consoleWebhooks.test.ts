import { beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../src/values/ids.js';
import { signIn } from './console.js';
import { addTestHook, deliveryIdAt } from './hooks.js';
import { startReceiver } from './receiver.js';
import { startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let teamId: string;
let uuid: string;
let browser: Awaited<ReturnType<typeof signIn>>;
let formToken: string;

beforeEach(async () => {
  server = await startServerForTest();
  ({ teamId, uuid } = await server.addTeam('shop.example'));
  browser = await signIn(server, teamId);
  formToken = await browser.formToken();
});

const post = (path: string, fields: Record<string, string>) => browser.post(path, { ...fields, formToken });
const page = async (parameters = '') => (await browser.get(`/console/webhooks${parameters}`)).text;

/** The text of a page: without tags and line breaks. */
const shown = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

/** Presses a button, and resolves with the page that it leads to. */
async function press(path: string, fields: Record<string, string>) {
  const { status, headers } = await post(path, fields);
  expect(status).toBe(303);
  return shown((await browser.get(headers.get('location')!)).text);
}

const everything = {
  'order.created': 'yes',
  'order.changed': 'yes',
  'order.refunded': 'yes',
  'enrollment.created': 'yes',
  'orders.stopped': 'yes',
  'refused.began': 'yes',
};

/** Adds a webhook by the form. Resolves with its id. */
async function addWebhook(
  url = 'https://receiver.invalid/orders',
  fields: Record<string, string> = everything,
) {
  await post('/console/webhooks', { url, ...fields });
  const rows = await server.sql`select id from hook where team_id = ${uuid} and url = ${url}`;
  expect(rows).toHaveLength(1);
  const [, id] = new RegExp(`<article id="(hook_\\w+)"(?:(?!</article>).)*${url.slice(8)}`, 's').exec(
    await page(),
  )!;
  return { id: id!, uuid: rows[0]!.id as string };
}

/** Adds deliveries, a second after each other, of the state that `set` makes of waiting ones. */
async function addDeliveries(hookId: string, count: number, set = '') {
  await server.sql`insert into hook_delivery (team_id, id, hook_id, type, subject_id, created_at, next_at)
    select ${uuid}, ${deliveryIdAt(server.sql, server.sql`at`)}, ${hookId}, 'order.created', gen_random_uuid(), at,
      now() + interval '1 day'
    from generate_series(1, ${count}) as n, lateral (select now() - n * interval '1 second') as time (at)`;
  if (set) await server.sql.unsafe(`update hook_delivery set ${set} where hook_id = '${hookId}'`);
}

const failedFor = (answer: string) =>
  `attempts = 3, attempted_at = now(), status = 500, error = 'It answered 500.', took_ms = 1234, answer = '${answer}'`;

it('a webhook is added by the form, its secret is shown once, and it is removed', async () => {
  expect(shown(await page())).toContain('Add a webhook');
  const added = await post('/console/webhooks', { url: ' https://receiver.invalid/a?b=1 ', ...everything });
  expect(added.status).toBe(200);
  expect(added.headers.get('cache-control')).toBe('no-store');
  const [secret] = /whsec_[A-Za-z0-9+/]{43}=/.exec(added.text)!;
  const [row] = await server.sql`select * from hook`;
  expect(row).toMatchObject({
    team_id: uuid,
    url: 'https://receiver.invalid/a?b=1',
    secret,
    is_test: false,
    allows_private: false,
    format: 'standard',
  });
  const html = await page();
  expect(html).not.toContain(secret);
  expect(html).toContain('https://receiver.invalid/a?b=1');
  const [, id] = /<article id="(hook_\w+)"/.exec(html)!;
  expect(await press('/console/webhooks/remove', { hook: id! })).toContain('The webhook is removed.');
  expect(await server.sql`select id from hook where removed_at is null`).toEqual([]);
  expect(await press('/console/webhooks/remove', { hook: id! })).not.toContain('receiver.invalid');
});

it('a webhook is told of the chosen events alone, and one of Slack of its two', async () => {
  await addWebhook('https://one.invalid/', { 'order.created': 'yes', 'order.refunded': 'yes', test: 'yes' });
  await addWebhook('https://two.invalid/', { ...everything, format: 'slack' });
  const rows =
    await server.sql`select url, array_to_json(events) as events, is_test, format from hook order by url`;
  expect(rows).toEqual([
    {
      url: 'https://one.invalid/',
      events: ['order.created', 'order.refunded'],
      is_test: true,
      format: 'standard',
    },
    {
      url: 'https://two.invalid/',
      events: ['orders.stopped', 'refused.began'],
      is_test: false,
      format: 'slack',
    },
  ]);
});

it.each([
  ['no URL', 'receiver', everything, 'a URL is needed'],
  ['plain http', 'http://receiver.invalid/', everything, 'https://'],
  ['a private address', 'https://127.0.0.1/', everything, 'private address'],
  ['a script', '"><script>alert(1)</script>', everything, 'a URL is needed'],
  ['no event', 'https://receiver.invalid/', {}, 'choose at least one of'],
  [
    'no event of Slack',
    'https://receiver.invalid/',
    { format: 'slack', 'order.created': 'yes' },
    'order.created',
  ],
])('%s is not added, and the form says why and keeps what was entered', async (_, url, fields, hint) => {
  const answer = await post('/console/webhooks', { url, ...fields, test: 'yes' });
  expect(answer.status).toBe(400);
  expect(shown(answer.text)).toMatch(/Not added: /);
  expect(shown(answer.text)).toContain(hint);
  expect(answer.text).not.toContain('<script>alert');
  expect(answer.text).toMatch(/name="test"[^>]*checked/);
  expect(answer.text).toMatch(/id="url"[^>]*aria-invalid="true"/);
  expect(await server.sql`select id from hook where removed_at is null`).toEqual([]);
});

it('a twenty-first webhook is not added, though 30 forms come concurrently', async () => {
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      post('/console/webhooks', { url: `https://r${n}.invalid/`, ...everything }),
    ),
  );
  expect(await server.sql`select id from hook`).toHaveLength(20);
  expect(shown(await page())).toContain('A team can have 20 webhooks.');
});

it('a webhook is switched off and on, and says so', async () => {
  const { id } = await addWebhook();
  expect(await press('/console/webhooks/switch', { hook: id, on: 'no' })).toContain('is switched off.');
  expect(shown(await page())).toMatch(/Switched off since \w+/);
  expect(await page()).not.toContain('/console/webhooks/test');
  expect(await press('/console/webhooks/switch', { hook: id, on: 'yes' })).toContain(
    'What happened while it was off is not sent.',
  );
  expect(shown(await page())).not.toContain('Switched off');
});

it('a webhook that was switched off for its failures says why, and forgets them when it is switched on', async () => {
  const { id } = await addWebhook();
  await server.sql`update hook set failing_since = now() - interval '5 days'`;
  expect(shown(await page())).toContain('Every attempt has failed since');
  await server.sql`update hook set disabled_at = now(), disabled_reason = 'It said <b>no</b>.'`;
  expect(await page()).toContain('It said &lt;b&gt;no&lt;/b&gt;.');
  await press('/console/webhooks/switch', { hook: id, on: 'yes' });
  expect(await server.sql`select failing_since, disabled_at, disabled_reason from hook`).toEqual([
    { failing_since: null, disabled_at: null, disabled_reason: null },
  ]);
});

it('forms for a webhook or delivery that is gone, is of another team or is none change nothing', async () => {
  const hook = await addWebhook();
  await addDeliveries(hook.uuid, 1, failedFor('no'));
  const [, delivery] = /\/console\/webhooks\/(msg_[\w.]+)"/.exec(await page())!;
  const before = [await server.sql`select * from hook`, await server.sql`select * from hook_delivery`];
  const other = await server.addTeam();
  const elsewhere = await signIn(server, other.teamId);
  const theirs = { hook: hook.id, delivery: delivery!, on: 'no', since: '30d' };
  const paths = ['switch', 'test', 'remove', 'resend', 'resend-failed'].map(
    (name) => `/console/webhooks/${name}`,
  );
  for (const path of paths) {
    const token = await elsewhere.formToken();
    expect((await elsewhere.post(path, { ...theirs, formToken: token })).status).toBe(303);
    for (const id of ['', 'hook_x', '"><script>', `hook_${'z'.repeat(26)}`])
      expect((await post(path, { ...theirs, hook: id, delivery: id })).status).toBe(303);
    expect((await browser.post(path, theirs)).status).toBe(403);
  }
  const off = await post('/console/webhooks/switch', { hook: `hook_${'0'.repeat(26)}`, on: 'no' });
  expect(off.headers.get('location')).toBe('/console/webhooks');
  expect((await elsewhere.get(`/console/webhooks/${delivery}`)).status).toBe(404);
  expect((await elsewhere.get('/console/webhooks')).text).not.toContain('receiver.invalid');
  expect([await server.sql`select * from hook`, await server.sql`select * from hook_delivery`]).toEqual(
    before,
  );
});

describe('deliveries', () => {
  let hook: { id: string; uuid: string };
  beforeEach(async () => {
    hook = await addWebhook();
    // Nothing is called: the test writes the outcomes.
    await server.sql`update hook set failing_since = now()`;
  });

  it('are listed by page, the newest first, each once', async () => {
    await addDeliveries(hook.uuid, 120);
    const listed: string[] = [];
    let html = await page();
    for (let next: string | undefined = ''; next !== undefined; ) {
      html = await page(next);
      listed.push(...[...html.matchAll(/\/console\/webhooks\/(msg_[\w.]+)"/g)].map(([, id]) => id!));
      next = /href="\/console\/webhooks(\?[^"#]*)#deliveries">Older/
        .exec(html)?.[1]
        ?.replaceAll('&amp;', '&');
    }
    expect(listed).toHaveLength(120);
    expect(new Set(listed).size).toBe(120);
    expect(html).toContain('>Newest<');
    expect(shown(html)).toContain('120 deliveries wait.');
  });

  it('that failed are listed alone, with hostile answers and errors as text', async () => {
    await addDeliveries(hook.uuid, 3, failedFor('<script>alert(1)</script>'));
    await addDeliveries(hook.uuid, 1);
    await server.sql`update hook_delivery set error = '<img src=x onerror=alert(1)>' where error is not null`;
    const html = await page('?show=failed');
    expect([...html.matchAll(/webhooks\/msg_/g)]).toHaveLength(3);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toMatch(/<img|<script>alert/);
    expect(shown(await page('?show=failed&hook=hook_none'))).toContain('Failed');
    expect(await page(`?hook=${hook.id}&before=msg_x.hook_x`)).toContain('webhooks/msg_');
  });

  it('are sent again, one or all that failed since some time', async () => {
    await addDeliveries(hook.uuid, 5, failedFor('no'));
    await server.sql`update hook_delivery set created_at = now() - interval '2 days' where id = (
      select id from hook_delivery order by id limit 1)`;
    const due = async () =>
      (await server.sql`select from hook_delivery where next_at <= now() and error is null`).length;
    const [, id] = /\/console\/webhooks\/(msg_[\w.]+)"/.exec(await page())!;
    await server.sql`update hook set disabled_at = now()`;
    expect(await press('/console/webhooks/resend', { delivery: id! })).toContain('sent again');
    expect(await due()).toBe(1);
    expect(await press('/console/webhooks/resend', { delivery: id! })).toContain('on its way already');
    expect(await press('/console/webhooks/resend-failed', { hook: hook.id, since: '24h' })).toContain(
      '3 deliveries are sent again.',
    );
    expect(await due()).toBe(4);
    expect(await press('/console/webhooks/resend-failed', { hook: hook.id, since: '30d' })).toContain(
      '1 delivery is sent again.',
    );
    expect(await press('/console/webhooks/resend-failed', { hook: hook.id, since: '30d' })).toContain(
      'No delivery of that time has failed.',
    );
  });
});

it('a delivery’s page shows the request as it is sent, the answer as text, and leads to the order', async () => {
  const answer = '<script>alert("no")</script>';
  const receiver = await startReceiver((response) => void response.writeHead(500).end(answer));
  await addTestHook(server.sql, uuid, { url: receiver.url });
  const { body } = await server.report({
    teamId,
    email: 'ann@mail.example',
    amount: 49.9,
    orderId: '<b>1</b>',
  });
  // It is tried again after 5 s, which a busy machine may take for the page.
  await expect.poll(async () => shown(await page('?show=failed'))).toMatch(/Failed, \d+ attempt/);
  const [, id] = /\/console\/webhooks\/(msg_[\w.]+)"/.exec(await page())!;
  const html = async () => (await browser.get(`/console/webhooks/${id}`)).text;
  const decode = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'");
  const [request, answered] = [...(await html()).matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, text]) =>
    decode(text!),
  );
  expect(request!.trim()).toBe(receiver.received[0]!.body);
  expect(answered!.trim()).toBe(answer);
  expect(shown(await html())).toMatch(/Status 500, after [\d,]+ ms:/);
  expect(await html()).toContain(`/console/orders/${body.data.id}"`);
  expect(await html()).toContain(receiver.url);

  await server.sql`delete from placed_order`;
  expect(shown(await html())).toContain('It cannot be sent any more');
});

it('a test event is sent, and its delivery is listed first', async () => {
  const receiver = await startReceiver();
  await addTestHook(server.sql, uuid, { url: receiver.url });
  const [, id] = /<article id="(hook_\w+)"/.exec(await page())!;
  expect(await press('/console/webhooks/test', { hook: id! })).toContain('A test event is on its way.');
  await expect.poll(() => receiver.received.map(({ json }) => json.type)).toEqual(['hook.test']);
  await expect
    .poll(async () => shown(await page()))
    .toMatch(/hook\.test127\.0\.0\.1:\d+Delivered in [\d,]+ ms: 200/);
});

it('times and numbers are in the reader’s language', async () => {
  const { uuid: hookId } = await addWebhook();
  await addDeliveries(
    hookId,
    1,
    'attempts = 1, status = 200, took_ms = 12345, delivered_at = now(), next_at = null',
  );
  const german = (await browser.get('/console/webhooks', { 'accept-language': 'de' })).text;
  expect(shown(german)).toMatch(/Heute \d\d:\d\d|Gestern \d\d:\d\d/);
  expect(shown(german)).toContain('Delivered in 12.345 ms: 200');
});

it('the overview names a webhook that is off, with the reason if it was its failures', async () => {
  const { id } = await addWebhook();
  const overview = async () => (await browser.get('/console')).text;
  expect(await overview()).not.toContain('receiver.invalid');
  await press('/console/webhooks/switch', { hook: id, on: 'no' });
  expect(shown(await overview())).toMatch(/The webhook to receiver\.invalid is switched off since \w+/);
  expect(await overview()).not.toContain('notice bad');
  await server.sql`update hook set disabled_reason = 'It answered <i>410</i>.'`;
  expect(await overview()).toContain('notice bad');
  expect(await overview()).toContain('It answered &lt;i&gt;410&lt;/i&gt;.');
});

it('no page names what a made-up parameter says', async () => {
  await addWebhook();
  const html = await page('?done=<script>&resent=1e9&show=x&hook=%00&before=%00');
  expect(html).not.toContain('<script>&');
  expect(html).not.toContain('role="status"');
  expect((await browser.get(`/console/webhooks/msg_${newUuid()}`)).status).toBe(404);
});
