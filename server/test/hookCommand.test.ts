import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeId, encodeId, newUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { addTestHook, deliveryIdAt } from './hooks.js';
import { startReceiver } from './receiver.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const run = (args: string[]) => runOrderbeacon(args, server.env);

async function json(args: string[]) {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** A receiver that answers every request with a status and a text. */
const answering = (status: number, text = '') =>
  startReceiver((response) => void response.writeHead(status).end(text));

it('a webhook is added, shows its secret once, is listed, switched off and on, and removed', async () => {
  const { teamId } = await server.addTeam();
  const team = ['--team', teamId];
  const added = await json([
    'hook',
    'add',
    ...team,
    'https://receiver.invalid/a',
    '--events',
    'order.created, order.refunded',
  ]);
  expect(added).toEqual({
    id: expect.stringMatching(/^hook_[0-9a-z]{26}$/),
    url: 'https://receiver.invalid/a',
    events: ['order.created', 'order.refunded'],
    isTest: false,
    format: 'standard',
    allowsPrivate: false,
    isEnabled: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const { secret, ...shown } = added;
  const listed = { ...shown, pending: 0, failingSince: null, disabledAt: null, disabledReason: null };
  expect(await json(['hook', 'list', ...team])).toEqual([{ ...listed, createdAt: expect.any(String) }]);
  const { stdout } = await run(['hook', 'list', ...team]);
  expect(stdout).toContain('https://receiver.invalid/a');
  expect(stdout).not.toContain(secret);

  expect(await json(['hook', 'disable', ...team, added.id])).toEqual({ ...shown, isEnabled: false });
  const [off] = await json(['hook', 'list', ...team]);
  expect(off).toMatchObject({ isEnabled: false, disabledAt: expect.any(String), disabledReason: null });
  expect(await json(['hook', 'enable', ...team, added.id])).toEqual(shown);
  expect((await json(['hook', 'list', ...team]))[0].isEnabled).toBe(true);

  expect(await json(['hook', 'remove', ...team, added.id])).toEqual({ id: added.id, removed: true });
  expect(await json(['hook', 'list', ...team])).toEqual([]);
});

it('a webhook that is switched on again says that it was not told meanwhile, and which orders that are', async () => {
  const { teamId, uuid } = await server.addTeam('shop.example');
  const hook = encodeId('hook', await addTestHook(server.sql, uuid));
  const order = { teamId, email: 'ann@buyer.example', amount: 1 };
  await server.report({ ...order, orderId: 'before' });
  await run(['hook', 'disable', '--team', teamId, hook]);
  await server.report({ ...order, orderId: 'meanwhile' });
  const { stdout } = await run(['hook', 'enable', '--team', teamId, hook]);
  expect(stdout).toContain('is switched on. What happened while it was off is not sent.');
  const [, line] = /: orderbeacon (order list .+)/.exec(stdout)!;
  expect(await json(line!.split(' '))).toMatchObject([{ orderId: 'meanwhile' }]);
  expect(await server.sql`select from hook_delivery where team_id = ${uuid}`).toHaveLength(1);
  const again = await run(['hook', 'enable', '--team', teamId, hook]);
  expect(again.stdout).toBe(`${hook} is switched on.\n`);
});

it('a webhook of Slack is told of its two events, one of tests of test orders', async () => {
  const { teamId, uuid } = await server.addTeam();
  const add = (...args: string[]) => json(['hook', 'add', '--team', teamId, ...args]);
  expect(await add('https://hooks.slack.com/services/x', '--slack')).toMatchObject({
    format: 'slack',
    events: ['orders.stopped', 'refused.began'],
  });
  expect(await add('http://10.0.0.1:3000/', '--test', '--allow-private')).toMatchObject({
    url: 'http://10.0.0.1:3000/',
    isTest: true,
    events: expect.arrayContaining(['order.created', 'refused.began']),
  });
  expect(
    await server.sql`select is_test, allows_private from hook where team_id = ${uuid} order by url`,
  ).toEqual([
    { is_test: true, allows_private: true },
    { is_test: false, allows_private: false },
  ]);
});

it('a webhook of Slack shows no secret and speaks of no signatures, which Slack does not check', async () => {
  const { teamId } = await server.addTeam();
  const { stdout } = await run([
    'hook',
    'add',
    '--team',
    teamId,
    'https://hooks.slack.com/services/x',
    '--slack',
  ]);
  expect(stdout).toMatch(/^Added\..*\nTry it: orderbeacon hook test --team team_\w+ hook_\w+\n$/);
});

it.each<[string, string[], RegExp]>([
  ['no URL', ['add', 'receiver'], /a URL is needed/],
  ['plain http', ['add', 'http://receiver.invalid/'], /https:\/\//],
  ['a private address', ['add', 'https://[::1]/'], /private address/],
  ['another scheme', ['add', 'file:///etc/passwd', '--allow-private'], /https:\/\//],
  [
    'an event that is none',
    ['add', 'https://receiver.invalid/', '--events', 'order.made'],
    /no event "order\.made"/,
  ],
  ['an empty event', ['add', 'https://receiver.invalid/', '--events', ''], /no event ""/],
  [
    'an event that Slack is not told',
    ['add', 'https://receiver.invalid/', '--slack', '--events', 'order.created'],
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
])('%s is refused in one line, and changes nothing', async (_, [verb, ...args], message) => {
  const { teamId, uuid } = await server.addTeam();
  const { code, stdout, stderr } = await run(['hook', verb!, '--team', teamId, ...args]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await server.sql`select from hook where team_id = ${uuid}`).toHaveLength(0);
});

it('another team’s webhook can be neither seen, tested, switched nor removed', async () => {
  const [mine, other] = [await server.addTeam(), await server.addTeam()];
  const { id } = await json(['hook', 'add', '--team', mine.teamId, 'https://receiver.invalid/']);
  for (const verb of ['test', 'enable', 'disable', 'remove'])
    expect([verb, (await run(['hook', verb, '--team', other.teamId, id])).code]).toEqual([verb, 2]);
  expect(await json(['hook', 'list', '--team', other.teamId])).toEqual([]);
  expect(await json(['hook', 'list', '--team', mine.teamId])).toHaveLength(1);
});

it('a test is a signed event whose answer is printed', async () => {
  const { teamId } = await server.addTeam();
  const receiver = await answering(200, 'thanks\r\n\x1b[2J');
  const { id, secret } = await json(['hook', 'add', '--team', teamId, receiver.url, '--allow-private']);
  const tested = await json(['hook', 'test', '--team', teamId, id]);
  expect(tested).toMatchObject({
    id,
    status: 200,
    error: null,
    answer: 'thanks\r\n\x1b[2J',
    tookMs: expect.any(Number),
  });
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  expect(JSON.parse(body)).toEqual({
    type: 'hook.test',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    data: { message: expect.any(String) },
  });
  expect(headers['webhook-id']).toBe(tested.webhookId);
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  const { stdout } = await run(['hook', 'test', '--team', teamId, id]);
  expect(stdout).toMatch(/^Delivered: answered 200\. It took \d+ ms\.\nthanks\n\ufffd\[2J\n$/);
});

it.each([
  ['an error', 500, /500/],
  ['a redirect', 302, /302/],
])('a test that is answered with %s says so, with exit code 1', async (_, status, message) => {
  const { teamId } = await server.addTeam();
  const receiver = await answering(status);
  const { id } = await json(['hook', 'add', '--team', teamId, receiver.url, '--allow-private']);
  const { code, stdout } = await run(['hook', 'test', '--team', teamId, id]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Failed: .*\. It took \d+ ms\.$/m);
  expect(stdout).toMatch(message);
});

it('a test of Slack is a line of text', async () => {
  const { teamId } = await server.addTeam();
  const receiver = await answering(200);
  const { id } = await json(['hook', 'add', '--team', teamId, receiver.url, '--allow-private', '--slack']);
  await json(['hook', 'test', '--team', teamId, id]);
  expect(JSON.parse(receiver.received[0]!.body)).toEqual({ text: expect.any(String) });
});

describe('deliveries', () => {
  /** A webhook with deliveries of some state, which no server sends. */
  async function addDeliveries(teamId: string, uuid: string, count: number, set = 'next_at = next_at') {
    const { id } = await json(['hook', 'add', '--team', teamId, 'https://receiver.invalid/']);
    const hookId = decodeId('hook', id)!;
    await run(['hook', 'disable', '--team', teamId, id]);
    await server.sql`insert into hook_delivery (team_id, id, hook_id, type, subject_id, created_at, next_at)
      select ${uuid}, ${deliveryIdAt(server.sql, server.sql`at`)}, ${hookId}, 'order.created', gen_random_uuid(), at,
        now() + interval '1 day'
      from generate_series(1, ${count}) as n, lateral (select now() - n * interval '1 minute') as time (at)`;
    await server.sql.unsafe(`update hook_delivery set ${set} where hook_id = '${hookId}'`);
    return id;
  }
  const failed =
    "attempts = 3, attempted_at = now(), status = 500, error = 'It answered 500.', next_at = null";

  it('are listed with their state and answer, the newest first, by webhook, failure and time', async () => {
    const { teamId, uuid } = await server.addTeam();
    const list = (...args: string[]) => json(['hook', 'deliveries', '--team', teamId, ...args]);
    const bad = await addDeliveries(teamId, uuid, 3, failed);
    const good = await addDeliveries(
      teamId,
      uuid,
      90,
      'attempts = 1, status = 204, delivered_at = now(), next_at = null',
    );
    const all = await list();
    expect(all).toHaveLength(93);
    expect(all.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual(
      all
        .map(({ createdAt }: { createdAt: string }) => createdAt)
        .sort()
        .reverse(),
    );
    const five = await run(['hook', 'deliveries', '--team', teamId, '--limit', '5', '--json']);
    expect(JSON.parse(five.stdout)).toEqual(all.slice(0, 5));
    expect(five.stderr).toContain('--limit lists more');
    expect(await list(good, '--since', '10m')).toHaveLength(9);
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
    const { stdout } = await run(['hook', 'deliveries', '--team', teamId, '--limit', '2']);
    expect(stdout).toMatch(/STATE/);
  });

  it('are sent again by id, or all that failed since some time', async () => {
    const { teamId, uuid } = await server.addTeam();
    const resend = async (...args: string[]) =>
      (await run(['hook', 'resend', '--team', teamId, ...args, '--json'])).stdout;
    const bad = await addDeliveries(teamId, uuid, 10, failed);
    const [{ id }] = await json(['hook', 'deliveries', '--team', teamId]);
    expect(JSON.parse(await resend(id))).toEqual({ resent: 1 });
    const again = await run(['hook', 'resend', '--team', teamId, id]);
    expect(again.stdout).toBe(
      '0 are sent again. Left alone: 1, due within a minute or about what is gone.\n',
    );
    expect(JSON.parse(await resend('--failed', '--since', '5m', '--hook', bad))).toEqual({ resent: 3 });
    const rest = await run(['hook', 'resend', '--team', teamId, '--failed']);
    expect(rest.stdout).toBe('6 are sent again.\n');
    expect(rest.stderr).toContain(
      `${bad} is switched off. Its 6 wait for: orderbeacon hook enable --team ${teamId} ${bad}\n`,
    );
    expect(JSON.parse(await resend('--failed'))).toEqual({ resent: 0 });
    const states =
      await server.sql`select distinct attempts, error, next_at <= now() as due from hook_delivery
      where team_id = ${uuid}`;
    expect(states).toEqual([{ attempts: 0, error: null, due: true }]);
  });

  it('of one order are sent again to all webhooks that were told of it, but not one whose buyer was erased', async () => {
    const { teamId, uuid } = await server.addTeam();
    for (const _ of [1, 2]) await addDeliveries(teamId, uuid, 1, failed);
    const id = newUuid();
    await server.sql`update hook_delivery set id = ${id} where team_id = ${uuid}`;
    const resend = () => json(['hook', 'resend', '--team', teamId, encodeId('msg', id)]);
    expect(await resend()).toEqual({ resent: 2 });
    await server.sql.unsafe(
      `update hook_delivery set ${failed}, subject_id = null where team_id = '${uuid}'`,
    );
    expect(await resend()).toEqual({ resent: 0 });
    expect(await json(['hook', 'resend', '--team', teamId, '--failed'])).toEqual({ resent: 0 });
  });
});
