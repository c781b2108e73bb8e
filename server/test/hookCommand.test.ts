import { describe, expect } from 'vitest';
import { signHook } from '../src/hooks/signature.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { documentOf, runOrderbeacon } from './command.js';
import { addDeliveries, addTestHook } from './hooks.js';
import { startReceiver } from './receiver.js';
import { openShop, type Shop, test } from './shop.js';

const run = ({ server, teamId }: Shop, verb: string, ...args: string[]) =>
  runOrderbeacon(['hook', verb, '--team', teamId, ...args], server.env);

const json = async (shop: Shop, verb: string, ...args: string[]) =>
  documentOf(await run(shop, verb, ...args, '--json'));

/** A receiver that answers every request with a status and a text. */
const answering = (status: number, text = '') =>
  startReceiver((response) => void response.writeHead(status).end(text));

test('a webhook is added, shows its secret once, is listed, switched off and on, and removed', async ({
  shop,
}) => {
  const events = ['order.created', 'order.refunded'];
  const added = await json(shop, 'add', 'https://receiver.invalid/a', '--events', events.join(', '));
  expect(added).toEqual({
    id: expect.stringMatching(/^hook_[0-9a-z]{26}$/),
    url: 'https://receiver.invalid/a',
    events,
    isTest: false,
    format: 'standard',
    allowsPrivate: false,
    isEnabled: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const { secret, ...shown } = added;
  const listed = { ...shown, pending: 0, failingSince: null, disabledAt: null, disabledReason: null };
  expect(await json(shop, 'list')).toEqual([{ ...listed, createdAt: expect.any(String) }]);
  const { stdout } = await run(shop, 'list');
  expect(stdout).toContain('https://receiver.invalid/a');
  expect(stdout).not.toContain(secret);

  expect(await json(shop, 'disable', added.id)).toEqual({ ...shown, isEnabled: false });
  const off = { isEnabled: false, disabledAt: expect.any(String), disabledReason: null };
  expect(await json(shop, 'list')).toMatchObject([off]);
  expect(await json(shop, 'enable', added.id)).toEqual(shown);
  expect(await json(shop, 'list')).toMatchObject([{ isEnabled: true }]);

  expect(await json(shop, 'remove', added.id)).toEqual({ id: added.id, removed: true });
  expect(await json(shop, 'list')).toEqual([]);
});

test('a webhook that is switched on again says that it was not told meanwhile, and which orders that are', async ({
  shop,
}) => {
  const hook = encodeId('hook', await addTestHook(shop.sql, shop.team));
  await shop.report({ orderId: 'before' });
  await run(shop, 'disable', hook);
  await shop.report({ orderId: 'meanwhile' });
  const { stdout } = await run(shop, 'enable', hook);
  expect(stdout).toContain('is switched on. What happened while it was off is not sent.');
  const [, line] = /: orderbeacon (order list .+)/.exec(stdout)!;
  const listed = await runOrderbeacon([...line!.split(' '), '--json'], shop.server.env);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ orderId: 'meanwhile' }]);
  expect(await shop.sql`select from hook_delivery where team_id = ${shop.team}`).toHaveLength(1);
  expect((await run(shop, 'enable', hook)).stdout).toBe(`${hook} is switched on.\n`);
});

test('a webhook of Slack is told of its two events and has no signatures, one of tests of test orders', async ({
  shop,
}) => {
  const slack = ['https://hooks.slack.com/services/x', '--slack'];
  expect(await json(shop, 'add', ...slack)).toMatchObject({
    format: 'slack',
    events: ['orders.stopped', 'refused.began'],
  });
  const { stdout } = await run(shop, 'add', ...slack);
  expect(stdout).toMatch(/^Added\..*\nTry it: orderbeacon hook test --team team_\w+ hook_\w+\n$/);
  expect(await json(shop, 'add', 'http://10.0.0.1:3000/', '--test', '--allow-private')).toMatchObject({
    url: 'http://10.0.0.1:3000/',
    isTest: true,
    allowsPrivate: true,
    events: expect.arrayContaining(['order.created', 'refused.began']),
  });
});

test.for<[string, string[], RegExp]>([
  ['no URL', ['add', 'receiver'], /a URL is needed/],
  ['a private address', ['add', 'https://[::1]/'], /private address/],
  ['another scheme', ['add', 'file:///etc/passwd', '--allow-private'], /https:\/\//],
  [
    'an event that is none',
    ['add', 'https://x.invalid/', '--events', 'order.made'],
    /no event "order\.made"/,
  ],
  ['an empty event', ['add', 'https://x.invalid/', '--events', ''], /no event ""/],
  [
    'an event that Slack is not told',
    ['add', 'https://x.invalid/', '--slack', '--events', 'order.created'],
    /orders\.stopped, refused\.began/,
  ],
  ['a removal of no webhook', ['remove', 'hook_nothing'], /no webhook with the id "hook_nothing"/],
  ['a switch of no webhook', ['enable', `hook_${'0'.repeat(26)}`], /no webhook with the id/],
  ['a test of no webhook', ['test', 'x'], /no webhook with the id "x"/],
  ['deliveries of no webhook', ['deliveries', 'x'], /no webhook with the id "x"/],
  ['no limit', ['deliveries', '--limit', '0'], /--limit must be/],
  ['no time', ['deliveries', '--since', 'soon'], /--since must be/],
  ['nothing to send again', ['resend'], /Give ids, or --failed/],
  ['both to send again', ['resend', 'msg_x', '--failed'], /Give ids, or --failed/],
  ['a time without --failed', ['resend', 'msg_x', '--since', '1h'], /add --failed/],
  ['no delivery', ['resend', `msg_${'0'.repeat(26)}`], /no delivery "msg_0.*hook deliveries --team team_/],
])('%s is refused in one line, and changes nothing', async ([_, [verb, ...args], message], { shop }) => {
  const { code, stdout, stderr } = await run(shop, verb!, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await shop.sql`select from hook where team_id = ${shop.team}`).toHaveLength(0);
});

test('another team’s webhook can be neither seen, tested, switched nor removed', async ({ server, shop }) => {
  const other = await openShop(server);
  const { id } = await json(shop, 'add', 'https://receiver.invalid/');
  for (const verb of ['test', 'enable', 'disable', 'remove'])
    expect([verb, (await run(other, verb, id)).code]).toEqual([verb, 2]);
  expect(await json(other, 'list')).toEqual([]);
  expect(await json(shop, 'list')).toHaveLength(1);
});

test('a test is a signed event whose answer is printed', async ({ shop }) => {
  const receiver = await answering(200, 'thanks\r\n\x1b[2J');
  const { id, secret } = await json(shop, 'add', receiver.url, '--allow-private');
  const tested = await json(shop, 'test', id);
  const answer = 'thanks\r\n\x1b[2J';
  expect(tested).toMatchObject({ id, status: 200, error: null, answer, tookMs: expect.any(Number) });
  const [{ headers, body, json: sent }] = receiver.received as [(typeof receiver.received)[0]];
  expect(sent).toEqual({
    type: 'hook.test',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    data: { message: expect.any(String) },
  });
  const sentMs = Number(headers['webhook-timestamp']) * 1_000;
  expect(headers).toMatchObject(signHook(secret, tested.webhookId, sentMs, body));
  const { stdout } = await run(shop, 'test', id);
  expect(stdout).toMatch(/^Delivered: answered 200\. It took \d+ ms\.\nthanks\n\ufffd\[2J\n$/);
});

test('a test that is answered with an error says so, with exit code 1, and one of Slack is a text', async ({
  shop,
}) => {
  const receiver = await answering(500);
  const { id } = await json(shop, 'add', receiver.url, '--allow-private', '--slack');
  const { code, stdout } = await run(shop, 'test', id);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Failed: The receiver answered 500\. It took \d+ ms\.$/m);
  expect(receiver.received[0]!.json).toEqual({ text: expect.any(String) });
});

describe('deliveries', () => {
  /** A webhook that is off, with deliveries of some state. */
  async function addHookWith({ sql, team }: Shop, count: number, set: string) {
    const id = await addTestHook(sql, team);
    await sql`update hook set disabled_at = now() where id = ${id}`;
    await addDeliveries(sql, { teamId: team, id }, count, set);
    return encodeId('hook', id);
  }
  const failed =
    "attempts = 3, attempted_at = now(), status = 500, error = 'It answered 500.', next_at = null";

  test('are listed with their state and answer, the newest first, by webhook, failure and time', async ({
    shop,
  }) => {
    const list = (...args: string[]) => json(shop, 'deliveries', ...args);
    const bad = await addHookWith(shop, 3, failed);
    const delivered = 'attempts = 1, status = 204, delivered_at = now(), next_at = null';
    const good = await addHookWith(shop, 90, delivered);
    const all: { createdAt: string }[] = await list();
    expect(all).toHaveLength(93);
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    const five = await run(shop, 'deliveries', '--limit', '5', '--json');
    expect(JSON.parse(five.stdout)).toEqual(all.slice(0, 5));
    expect(five.stderr).toContain('--limit lists more');
    const lately = await list(good, '--since', '1m');
    expect([lately.length > 50, lately.length < 60]).toEqual([true, true]);
    const [first, ...rest] = await list('--failed');
    expect(rest).toHaveLength(2);
    expect(first).toEqual({
      id: expect.stringMatching(/^msg_/),
      hookId: bad,
      type: 'order.created',
      subject: expect.stringMatching(/^ord_/),
      state: 'failed',
      createdAt: expect.any(String),
      nextAt: null,
      attempts: 3,
      attemptedAt: expect.any(String),
      status: 500,
      error: 'It answered 500.',
      answer: null,
      tookMs: null,
      deliveredAt: null,
    });
    expect((await run(shop, 'deliveries', '--limit', '2')).stdout).toMatch(/STATE/);
  });

  test('are sent again by id, or all that failed since some time', async ({ shop }) => {
    const { sql, team, teamId } = shop;
    const resend = async (...args: string[]) =>
      JSON.parse((await run(shop, 'resend', ...args, '--json')).stdout);
    const hook = await addHookWith(shop, 90, failed);
    const [newest] = await json(shop, 'deliveries');
    expect(await resend(newest.id)).toEqual({ resent: 1 });
    expect((await run(shop, 'resend', newest.id)).stdout).toBe(
      '0 are sent again. Left alone: 1, due within a minute or about what is gone.\n',
    );
    const { resent } = await resend('--failed', '--since', '1m', '--hook', hook);
    expect([resent > 30, resent < 60]).toEqual([true, true]);
    const left = 89 - resent;
    const rest = await run(shop, 'resend', '--failed');
    expect(rest.stdout).toBe(`${left} are sent again.\n`);
    expect(rest.stderr).toContain(
      `${hook} is switched off. Its ${left} wait for: orderbeacon hook enable --team ${teamId} ${hook}\n`,
    );
    expect(await resend('--failed')).toEqual({ resent: 0 });
    const states = await sql`
      select distinct attempts, error, next_at <= now() as due from hook_delivery where team_id = ${team}`;
    expect(states).toEqual([{ attempts: 0, error: null, due: true }]);
  });

  test('of one order are sent again to all webhooks that were told of it, but not one whose buyer was erased', async ({
    shop,
  }) => {
    const { sql, team } = shop;
    for (const _ of [1, 2]) await addHookWith(shop, 1, failed);
    const id = newUuid();
    await sql`update hook_delivery set id = ${id} where team_id = ${team}`;
    const resend = () => json(shop, 'resend', encodeId('msg', id));
    expect(await resend()).toEqual({ resent: 2 });
    await sql.unsafe(`update hook_delivery set ${failed}, data = null where team_id = '${team}'`);
    expect(await resend()).toEqual({ resent: 0 });
    expect(await json(shop, 'resend', '--failed')).toEqual({ resent: 0 });
  });
});
