import { expect } from 'vitest';
import { unescaped } from '../../kit/html.js';
import { startReceiver } from '../../kit/receiver.js';
import { type Shop, test } from '../../kit/shop.js';
import { addTestHook, deliveryIdAt } from './kit/hooks.js';

const everything = {
  'order.created': 'yes',
  'order.changed': 'yes',
  'order.merged': 'yes',
  'order.refunded': 'yes',
  'enrollment.created': 'yes',
  'orders.stopped': 'yes',
  'refused.began': 'yes',
};

/** Opens the webhooks page of a shop. `press` clicks a button, and resolves with the next page. */
async function openWebhooks(shop: Shop) {
  const browser = await shop.console();
  const html = async (query = '') => (await browser.get(`/console/webhooks${query}`)).text;
  const idIn = async () => /<tr id="(hook_\w+)"/.exec(await html())![1]!;
  return {
    ...browser,
    html,
    text: (query = '') => browser.read(`/console/webhooks${query}`),
    /** Clicks a button of the page's only webhook. */
    press: async (name: string, more: Record<string, string> = {}) =>
      browser.press(`/console/webhooks/${name}`, { hook: await idIn(), ...more }),
    /** Sends the form that adds a webhook. */
    add: (url = 'https://receiver.invalid/orders', fields: Record<string, string> = everything) =>
      browser.submit('/console/webhooks', { url, ...fields }),
  };
}

const hooksOf = ({ sql, team }: Shop) =>
  sql`select *, array_to_json(events) as subscribed from hook where team_id = ${team} and removed_at is null order by url`;

/** Adds deliveries of a hook that is never called, one a second. By default they wait. */
async function addDeliveries({ sql, team }: Shop, count: number, given: Record<string, unknown> = {}) {
  const hook = await addTestHook(sql, team);
  await sql`update hook set failing_since = now() where id = ${hook}`;
  await sql`insert into hook_delivery (team_id, id, hook_id, type, subject_id, data, created_at, next_at)
    select ${team}, ${deliveryIdAt(sql, sql`at`)}, ${hook}, 'order.changed', gen_random_uuid(), '{}', at,
      now() + interval '1 day'
    from generate_series(1, ${count}::int) as n, lateral (select now() - n * interval '1 second') as time (at)`;
  if (Object.keys(given).length > 0)
    await sql`update hook_delivery set ${sql(given)} where hook_id = ${hook}`;
}

const failed = {
  attempts: 3,
  attempted_at: new Date(),
  status: 500,
  error: 'It answered 500.',
  took_ms: 1234,
};
const idsIn = (html: string) => [...html.matchAll(/ id="(msg_[\w.]+)"/g)].map(([, id]) => id!);

test('a webhook is added by the form, its secret is shown once, and it is removed', async ({ shop }) => {
  const { add, html, press } = await openWebhooks(shop);
  const added = await add(' https://receiver.invalid/a?b=1 ');
  expect([added.status, added.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const [secret] = /whsec_[A-Za-z0-9+/]{43}=/.exec(added.text)!;
  expect(await hooksOf(shop)).toMatchObject([
    {
      url: 'https://receiver.invalid/a?b=1',
      secret,
      is_test: false,
      allows_private: false,
      format: 'standard',
      subscribed: Object.keys(everything),
    },
  ]);
  expect(await html()).not.toContain(secret);
  expect(await press('remove')).toContain('The webhook is removed.');
  expect(await hooksOf(shop)).toEqual([]);
});

test('a webhook is sent the chosen events alone, and one of Slack its two', async ({ shop }) => {
  const { add } = await openWebhooks(shop);
  await add('https://one.invalid/', { 'order.created': 'yes', 'order.refunded': 'yes', test: 'yes' });
  await add('https://two.invalid/', { ...everything, format: 'slack' });
  expect(await hooksOf(shop)).toMatchObject([
    { subscribed: ['order.created', 'order.refunded'], is_test: true, format: 'standard' },
    { subscribed: ['orders.stopped', 'refused.began'], is_test: false, format: 'slack' },
  ]);
});

test('what cannot be added is not, and the form says why and keeps what was entered', async ({ shop }) => {
  const { add } = await openWebhooks(shop);
  const url = 'https://receiver.invalid/';
  for (const [entered, fields, hint] of [
    ['receiver', everything, 'a URL is needed'],
    ['"><script>alert(1)</script>', everything, 'a URL is needed'],
    [url, {}, 'choose at least one of'],
    [url, { format: 'slack', 'order.created': 'yes' }, 'order.created'],
  ] as const) {
    const { status, text } = await add(entered, { ...fields, test: 'yes' });
    expect([entered, status, text]).toEqual([entered, 400, expect.stringMatching(/Not added: /)]);
    expect(text).toContain(hint);
    expect(text).toMatch(/name="test"[^>]*checked/);
    expect(text).toMatch(/id="url"[^>]*aria-invalid="true"/);
  }
  expect(await hooksOf(shop)).toEqual([]);
});

test('a twenty-first webhook is not added, though 30 forms come concurrently', { tags: ['all'] }, async ({
  shop,
}) => {
  const { add, text } = await openWebhooks(shop);
  await Promise.all(Array.from({ length: 30 }, (_, n) => add(`https://r${n}.invalid/`)));
  expect(await hooksOf(shop)).toHaveLength(20);
  expect(await text()).toContain('A team can have 20 webhooks.');
});

test('a webhook is switched off and on, and its page says so', async ({ shop }) => {
  const { add, text, html, press, read } = await openWebhooks(shop);
  await add();
  expect(await read('/console')).not.toContain('receiver.invalid');
  expect(await press('switch', { on: 'no' })).toContain('is switched off.');
  expect(await text()).toMatch(/receiver\.invalid Off /);
  expect(await html()).not.toContain('/webhooks/test');
  // A person has switched it off, so it is no problem.
  expect(await read('/console')).not.toContain('webhook is off');
  expect(await press('switch', { on: 'yes' })).toContain('What happened while it was off is not sent.');
  expect(await text()).toMatch(/receiver\.invalid On /);
});

test('a webhook that was switched off for its failures says why, and forgets them when it is switched on', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const { add, text, press, read } = await openWebhooks(shop);
  await add();
  await sql`update hook set failing_since = now() - interval '5 days' where team_id = ${team}`;
  expect(await text()).toContain('Every attempt has failed since');
  await sql`update hook set disabled_at = now(), disabled_reason = 'It said no.' where team_id = ${team}`;
  expect(await text()).toContain('It said no.');
  await shop.report();
  expect(await read('/console')).toContain('1 webhook is off.');
  expect(await read('/console/orders')).toContain('Webhooks 1 off');
  await press('switch', { on: 'yes' });
  expect(await hooksOf(shop)).toMatchObject([
    { failing_since: null, disabled_at: null, disabled_reason: null },
  ]);
});

test('forms for a webhook or delivery that is gone or is none change nothing', async ({ shop }) => {
  const { submit } = await openWebhooks(shop);
  await addDeliveries(shop, 1, failed);
  const rows = async () => [
    await hooksOf(shop),
    await shop.sql`select * from hook_delivery where team_id = ${shop.team}`,
  ];
  const before = await rows();
  for (const name of ['switch', 'test', 'remove', 'resend', 'resend-failed'])
    for (const id of ['', 'hook_x', '"><script>', `hook_${'z'.repeat(26)}`, `hook_${'0'.repeat(26)}`]) {
      const { status } = await submit(`/console/webhooks/${name}`, {
        hook: id,
        delivery: id,
        on: 'no',
      });
      expect([name, id, status]).toEqual([name, id, 303]);
    }
  expect(await rows()).toEqual(before);
});

test('the last 50 deliveries are listed, each once, and those that failed alone', async ({ shop }) => {
  const { html, text } = await openWebhooks(shop);
  await addDeliveries(shop, 3, failed);
  await addDeliveries(shop, 117);
  const listed = idsIn(await html());
  expect([listed.length, new Set(listed).size]).toEqual([50, 50]);
  expect(await text()).toContain('117 deliveries');
  expect(idsIn(await html('?show=failed'))).toHaveLength(3);
});

test('deliveries that failed are sent again, one or all of a webhook', async ({ shop }) => {
  const { sql, team } = shop;
  const { html, press } = await openWebhooks(shop);
  await addDeliveries(shop, 5, failed);
  const due = async () =>
    (await sql`select from hook_delivery where team_id = ${team} and next_at <= now() and error is null`)
      .length;
  const [delivery] = idsIn(await html()) as [string];
  await sql`update hook set disabled_at = now() where team_id = ${team}`;
  expect(await press('resend', { delivery })).toContain('sent again');
  expect(await due()).toBe(1);
  expect(await press('resend', { delivery })).toContain('on its way already');
  expect(await press('resend-failed')).toContain('4 deliveries are sent again.');
  expect(await due()).toBe(5);
  expect(await press('resend-failed')).toContain('No delivery has failed.');
});

test('a delivery unfolds to the request as it is sent and the answer as text, and leads to the order', async ({
  shop,
}) => {
  const answer = '<script>alert("no")</script>';
  const receiver = await startReceiver((response) => void response.writeHead(500).end(answer));
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  const { body } = await shop.report({ orderId: '<b>1</b>' });
  const { html, text } = await openWebhooks(shop);
  // It is tried again after 5 s, before which a busy machine may not have loaded the page.
  await expect.poll(() => text('?show=failed')).toMatch(/Failed, \d+ attempt/);
  const page = await html();
  const [request, answered] = [...page.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, part]) =>
    unescaped(part!).trim(),
  );
  expect([request, answered]).toEqual([receiver.received[0]!.body, answer]);
  expect(await text()).toMatch(/Status 500, after [\d,]+ ms:/);
  expect(page).toContain(`/orders/${body.data.id}"`);
  expect(page).toContain(receiver.url);
  await shop.discard(body.data.id);
  expect(await text()).toContain('It cannot be sent any more');
});

test('of a long request the beginning is shown, with its length', async ({ shop }) => {
  const { html, text } = await openWebhooks(shop);
  await addDeliveries(shop, 1, { data: { note: 'x'.repeat(60_000) } });
  expect(await text()).toMatch(/The first 4,000 of 60,\d{3} characters\./);
  expect((await html()).length).toBeLessThan(40_000);
});

test('the address that a delivery’s page had leads to its webhook, and a delivery sent again back to where it was', async ({
  shop,
}) => {
  const { html, get, submit } = await openWebhooks(shop);
  await addDeliveries(shop, 1, failed);
  const [delivery] = idsIn(await html()) as [string];
  const address = `/console/${shop.teamId}/webhooks?hook=${delivery.split('.')[1]}#${delivery}`;
  const locationOf = ({ headers }: { headers: Headers }) => headers.get('location');
  expect(locationOf(await get(`/console/webhooks/${delivery}`))).toBe(address);
  expect((await get('/console/webhooks/x')).status).toBe(404);
  expect(locationOf(await submit('/console/webhooks/resend', { delivery }))).toBe(address);
  const order = `ord_${'0'.repeat(26)}`;
  expect(locationOf(await submit('/console/webhooks/resend', { delivery, order }))).toBe(
    `/console/${shop.teamId}/orders/${order}#${delivery}`,
  );
});

test('a test event is sent, and its delivery is listed first', async ({ shop }) => {
  const receiver = await startReceiver();
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  const { press, text } = await openWebhooks(shop);
  expect(await press('test')).toContain('A test event is on its way.');
  await expect.poll(() => receiver.received.map(({ json }) => json.type)).toEqual(['hook.test']);
  await expect.poll(text).toMatch(/hook\.test 127\.0\.0\.1:\d+ 200 Delivered in [\d,]+ ms: 200/);
});

test('no page says what an address says that somebody made up', async ({ shop }) => {
  const { html } = await openWebhooks(shop);
  expect(await html('?show=x&hook=%00')).not.toContain('role="status"');
});
