import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { endPools } from '../../../src/database/pools.js';
import { createRecordEvents } from '../../../src/features/sources/receive/recordEvents.js';
import { startServerForTest, type TestServer } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { stopClock } from '../../kit/stopClock.js';
import { mostParsedInATurn } from '../../kit/turns.js';
import { addTestSource, signers } from './kit/sources.js';
import { refund, session, stripeEvent } from './kit/stripeSamples.js';

const completed = (fields: Record<string, unknown> = {}) =>
  stripeEvent('checkout.session.completed', session(fields));
const mebibyte = 1_048_576;

const addStripe = ({ server, team }: Shop, isTest = false) =>
  addTestSource(server, team, { kind: 'stripe', isTest });

async function expectNothingLeft(shop: Shop) {
  expect(await shop.stored()).toEqual([]);
  expect(await shop.refused()).toEqual([]);
}

describe('a webhook that leaves nothing', () => {
  test('is one byte over 4 MiB, signed or not, and says its limit', async ({ shop }) => {
    const source = await addStripe(shop);
    const body = JSON.stringify(completed()).padEnd(4 * mebibyte + 1);
    for (const headers of [{}, signers.stripe(body, source.secret!, '')]) {
      const { status, body: answer } = await source.post(body, headers);
      expect([status, answer.error.code]).toEqual([413, 'payload_too_large']);
      expect(answer.error.message).toContain('4096 KiB');
    }
    await expectNothingLeft(shop);
  });

  test('ends before it is complete', async ({ server, shop }) => {
    const source = await addStripe(shop);
    const body = JSON.stringify(completed());
    const headers = Object.entries(signers.stripe(body, source.secret!, '')).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const head = [`POST ${source.path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers];
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
    socket.end();
    await once(socket.resume(), 'close');
    await expectNothingLeft(shop);
  });

  test('is for a team that was removed', async ({ server, shop }) => {
    const source = await addStripe(shop);
    const other = await openShop(server);
    const stays = await addStripe(other);
    expect((await source.say(stripeEvent('customer.created', { id: 'cus_1' }))).status).toBe(200);
    expect((await shop.command('team', 'remove')).code).toBe(0);
    expect((await source.say(completed())).status).toBe(404);
    await expectNothingLeft(shop);
    expect((await stays.say(completed())).status).toBe(200);
    expect(await other.stored()).toHaveLength(1);
  });

  test('has another method than POST, or goes to a path beside the source’s', async ({ server, shop }) => {
    const source = await addStripe(shop);
    const body = JSON.stringify(completed());
    const headers = { 'content-type': 'application/json', ...signers.stripe(body, source.secret!, '') };
    const put = await server.send('PUT', source.path, { headers, body });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST']);
    const beside = [
      '/svc-api/v1/sources',
      '/svc-api/v1/sources/',
      `${source.path}/`,
      `${source.path}/x`,
      `${source.path}%00`,
      source.path.toUpperCase(),
      '/svc-api/v1/sources/src_%E0%A4%A',
      `/svc-api/v1/sources/${'x'.repeat(8_000)}`,
    ];
    for (const path of beside)
      expect([path, (await server.send('POST', path, { headers, body })).status]).toEqual([path, 404]);
    await expectNothingLeft(shop);
  });
});

test.for([
  ['400,000 values', { values: Array(400_000).fill(1) }],
  ['3,000 names', Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`name${n}`, 1]))],
])('a signed event of %s is kept without being read', async ([_, fields], { shop }) => {
  const source = await addStripe(shop);
  const { status, body } = await source.say(
    stripeEvent('balance.available', fields as Record<string, unknown>),
  );
  expect([status, body.data]).toEqual([200, { outcomes: ['kept'] }]);
  expect(await shop.refused()).toMatchObject([{ issues: [{ message: 'has too many values or levels' }] }]);
});

test('of events that arrive together one is read in a turn of the event loop', async ({ shop }) => {
  const source = await addStripe(shop);
  const body = JSON.stringify(stripeEvent('balance.available', { note: 'of this test' }));
  const most = await mostParsedInATurn(new Set([body]), async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => source.say(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
  expect(most).toBe(1);
});

test('an event that arrives with another one of 4 MiB is read in turns of their own, which no other work waits for', async ({
  shop,
}) => {
  const source = await addStripe(shop);
  const long = JSON.stringify(stripeEvent('balance.available', { lines: Array(300_000).fill('a word') }));
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  expect((await source.say(long)).body.data.outcomes).toEqual(['ignored']);
  clearInterval(count);
  // Its 3 MB are searched in pieces of 256 KiB.
  expect(turns).toBeGreaterThan(8);
});

describe('a signed event of odd content is answered with 200', () => {
  test.for(['application/xml', 'text/plain', 'application/x-www-form-urlencoded', 'application/json;', ''])(
    'and stored, with the content type “%s”',
    async (type, { shop }) => {
      const source = await addStripe(shop);
      const body = JSON.stringify(completed());
      const headers = { ...signers.stripe(body, source.secret!, ''), 'content-type': type };
      expect((await source.post(body, headers)).status).toBe(200);
      expect(await shop.stored()).toHaveLength(1);
    },
  );

  test('and stored, with a byte order mark', async ({ shop }) => {
    const source = await addStripe(shop);
    await source.say(`\uFEFF${JSON.stringify(completed())}`);
    expect(await shop.stored()).toHaveLength(1);
  });

  test.for([
    ['a payment’s id of 500 characters', { payment_intent: 'x'.repeat(500) }],
    ['NUL in a payment’s id', { payment_intent: 'pi_\0' }],
  ] as const)('and stored without it, with %s', async ([_, fields], { shop }) => {
    const source = await addStripe(shop);
    const answer = await source.say(completed(fields));
    expect([answer.status, answer.body.data?.outcomes]).toEqual([200, ['new']]);
    expect(await shop.stored()).toMatchObject([{ amount: '49.9' }]);
  });

  test('and stored with what can be read', async ({ shop }) => {
    const source = await addStripe(shop);
    const buyer = { email: ' Ann@Shop.example ', name: `A\0nn \ud800${'x'.repeat(400)}` };
    const body = JSON.stringify(completed({ customer_details: buyer }));
    const twice = body.replace('"amount_total":4990', '"amount_total":1,"amount_total":4990');
    expect((await source.say(twice)).body.data.outcomes).toEqual(['new']);
    expect(await shop.stored()).toMatchObject([
      { amount: '49.9', email: 'ann@shop.example', name: expect.stringMatching(/^Ann x{200,}$/) },
    ]);
  });

  test('and its first 64 KiB are kept of one of exactly 4 MiB', async ({ shop }) => {
    const source = await addStripe(shop);
    const text = JSON.stringify({ text: '€'.repeat(300_000) });
    expect((await source.say(text + ' '.repeat(4 * mebibyte - Buffer.byteLength(text)))).status).toBe(200);
    const [kept] = await shop.refused();
    expect(kept!.body).toBe(text.slice(0, kept!.body.length));
    expect(Buffer.byteLength(kept!.body)).toBeGreaterThan(65_533);
    expect(Buffer.byteLength(kept!.body)).toBeLessThanOrEqual(65_536);
  });

  test('and keeps no other report from being stored later, though it is no JSON', async ({ shop }) => {
    const source = await addStripe(shop);
    await source.say('{"type":');
    await shop.report({ orderId: 'o-1' }, { origin: 'https://late.example' });
    await shop.command('domain', 'add', 'late.example');
    expect((await shop.command('refused', 'replay')).stdout).toContain('is not valid JSON');
    expect(await shop.stored()).toMatchObject([{ orderId: 'o-1' }]);
    expect(await shop.refused()).toMatchObject([{ body: '{"type":' }]);
  });
});

test('a source for tests makes tests of live events, and any source of events in test mode', async ({
  shop,
}) => {
  const [live, tests] = [await addStripe(shop), await addStripe(shop, true)];
  const named = (orderId: string) =>
    completed({ id: `cs_${orderId}`, metadata: { orderId }, payment_intent: `pi_${orderId}` });
  await live.say(named('live'));
  await live.say({ ...named('mode'), livemode: false });
  await tests.say(named('source'));
  await tests.say(stripeEvent('refund.created', refund({ payment_intent: 'pi_source' })));
  const modes = (await shop.stored()).map(({ orderId, isTest }) => [orderId, isTest]);
  expect(modes).toEqual([
    ['live', false],
    ['mode', true],
    ['source', true],
  ]);
  const { body } = await shop.read('source', { key: await shop.testKey() });
  expect(body.data.refundedAmount).toBe(10);
});

test('an order is not dated ahead of now', async ({ shop }) => {
  const source = await addStripe(shop);
  await source.say({ ...completed(), created: 9_999_999_999 });
  const [order] = await shop.stored();
  expect(order!.createdAt.getTime()).toBeLessThan(Date.now() + 60_000);
});

describe('on a server of its own', () => {
  const start = async (env?: Record<string, string>) => {
    const server: TestServer = await startServerForTest(env ? { env } : {});
    const { uuid } = await server.addTeam();
    return { server, source: await addTestSource(server, uuid, { kind: 'stripe' }) };
  };

  test('an event gets 503 while the database is away, so that the provider sends it again', async () => {
    const { server, source } = await start();
    await source.say(stripeEvent('customer.created', { id: 'cus_1' }));
    await endPools(server.pools);
    const answer = await source.say(completed());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  });

  test('made-up sources share the limit of made-up keys, and a known one is not counted', async () => {
    const { server, source } = await start({ ORDERBEACON_RATE_LIMIT: '5' });
    expect((await source.say(completed())).status).toBe(200);
    const statuses = [];
    stopClock();
    for (let n = 0; n < 6; n++)
      statuses.push((await server.send('POST', `/svc-api/v1/sources/src_${n}`, { body: '{}' })).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await source.say(completed())).status).toBe(200);
  });

  test('log and metrics count events by source and outcome, without token, secret or email', async () => {
    const { server, source } = await start();
    await source.say(completed());
    await source.post('{}', {});
    const { text } = await server.send('GET', '/metrics');
    expect(text).toContain('orderbeacon_source_events_total{source="stripe",outcome="new"} 1');
    expect(text).toContain('orderbeacon_source_events_total{source="stripe",outcome="invalid_signature"} 1');
    expect(text).toContain('orderbeacon_orders_total{outcome="new",mode="live",reported_by="key"} 1');
    const lines = server.lines
      .map((line) => JSON.parse(line))
      .filter(({ route }) => route?.includes('sources'));
    expect(lines).toMatchObject([
      { status: 200, sourceKind: 'stripe', outcome: 'new', mode: 'live' },
      { status: 401, sourceKind: 'stripe', outcome: 'invalid_signature' },
    ]);
    for (const secret of [source.token, source.secret!, 'ann@'])
      expect(server.lines.join('\n') + text).not.toContain(secret);
  });
});

test('a source whose record cannot be written costs no other its record', async ({ shop }) => {
  const source = await addStripe(shop);
  const { recordEvent } = createRecordEvents(shop.sql, () => {});
  recordEvent({ ...source, id: 'no id' }, 'new');
  recordEvent(source, 'known');
  const recorded = () => shop.sql`select last_outcome from source where team_id = ${shop.team}`;
  await expect.poll(recorded).toEqual([{ last_outcome: 'known' }]);
});
