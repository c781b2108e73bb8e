import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endPools } from '../src/database/pools.js';
import { runOrderbeacon } from './command.js';
import { sendRaw } from './rawHttp.js';
import { startServerForTest, startTestServer } from './server.js';
import { addTestSource, signers } from './sources.js';
import { stopClock } from './stopClock.js';
import { charge, refund, session, stripeEvent } from './stripeSamples.js';
import { wooOrder } from './wooCommerceSamples.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const completed = (fields: Record<string, unknown> = {}) =>
  stripeEvent('checkout.session.completed', session(fields));
const mebibyte = 1_048_576;

async function addStripe(on: Pick<typeof server, 'addTeam' | 'send' | 'sql'> = server, isTest = false) {
  const team = await on.addTeam();
  return { ...team, source: await addTestSource(on, team.uuid, { kind: 'stripe', isTest }) };
}

/** Everything that a team's source has left. */
async function left(uuid: string) {
  const orders = await server.sql`
    select order_id, amount, is_test, name from placed_order where team_id = ${uuid} order by 1`;
  const kept = await server.sql<{ body: string; isCut: boolean }[]>`
    select body, is_cut as "isCut" from refused_report where team_id = ${uuid}`;
  return { orders: orders.map((row) => ({ ...row })), kept: kept.map((row) => ({ ...row })) };
}
const nothing = { orders: [], kept: [] };

describe('a webhook that leaves nothing', () => {
  it('is one byte over 1 MiB, signed or not, and says its limit', async () => {
    const { uuid, source } = await addStripe();
    const body = JSON.stringify(completed()).padEnd(mebibyte + 1);
    for (const headers of [{}, signers.stripe(body, source.secret!, '')]) {
      const { status, body: answer } = await source.post(body, headers);
      expect([status, answer.error.code]).toEqual([413, 'payload_too_large']);
      expect(answer.error.message).toContain('1024 KiB');
    }
    expect(await left(uuid)).toEqual(nothing);
  });

  it('has another content type', async () => {
    const { uuid, source } = await addStripe();
    const body = JSON.stringify(completed());
    for (const type of ['application/xml', 'text/plain', 'application/x-www-form-urlencoded', '']) {
      const headers = { ...signers.stripe(body, source.secret!, ''), 'content-type': type };
      expect((await source.post(body, headers)).status).toBe(415);
    }
    expect(await left(uuid)).toEqual(nothing);
  });

  it('ends before it is complete', async () => {
    const { uuid, source } = await addStripe();
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
    expect(await left(uuid)).toEqual(nothing);
  });

  it('is for a team that was removed', async () => {
    const { uuid, teamId, source } = await addStripe();
    const { uuid: other, source: stays } = await addStripe();
    expect((await source.say(stripeEvent('customer.created', { id: 'cus_1' }))).status).toBe(200);
    const { code } = await runOrderbeacon(['team', 'remove', '--team', teamId], server.env);
    expect(code).toBe(0);
    expect((await source.say(completed())).status).toBe(404);
    expect(await left(uuid)).toEqual(nothing);
    expect((await stays.say(completed())).status).toBe(200);
    expect((await left(other)).orders).toHaveLength(1);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('is a %s', async (method) => {
    const { source } = await addStripe();
    const answer = await server.send(method, source.path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('goes to a path beside the source’s', async () => {
    const { uuid, source } = await addStripe();
    const body = JSON.stringify(completed());
    const headers = { 'content-type': 'application/json', ...signers.stripe(body, source.secret!, '') };
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
    for (const path of beside) {
      expect([path, (await server.send('POST', path, { headers, body })).status]).toEqual([path, 404]);
    }
    expect(await left(uuid)).toEqual(nothing);
  });
});

it('a webhook that comes slowly is ended, and holds up no other', async () => {
  // Long enough for the other webhook on a busy machine.
  const slow = await startServerForTest({
    connections: {
      headersTimeout: 5_000,
      requestTimeout: 5_000,
      connectionsCheckingInterval: 50,
    },
  });
  const { source } = await addStripe(slow);
  const waiting = sendRaw(
    slow.url,
    `POST ${source.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
  );
  expect((await source.say(completed())).body.data.outcomes).toEqual(['new']);
  expect((await waiting).status).toBe(408);
});

describe('a signed event of odd content is answered with 200', () => {
  it.each<[string, string | Buffer]>([
    ['nests 300,000 deep', `${'['.repeat(300_000)}${']'.repeat(300_000)}`],
    [
      'nests deep where an order is',
      JSON.stringify(completed()).replace(
        '"metadata":{}',
        `"metadata":{"x":${'['.repeat(9_000)}${']'.repeat(9_000)}},"amount_total":"x"`,
      ),
    ],
    ['is no JSON', '{"type":'],
    ['is empty', ''],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['holds NUL', '{"a":"\0"}'],
    ['has a number beyond a float', JSON.stringify(completed()).replace('4990', '1e400')],
    [
      'has a number of too many digits',
      JSON.stringify(completed()).replace('4990', '49900000000000000000001'),
    ],
    [
      'has an amount beyond the limit',
      JSON.stringify(completed({ amount_total: Number.MAX_SAFE_INTEGER, currency: 'jpy' })),
    ],
    ['has an email that is none', JSON.stringify(completed({ customer_details: { email: 'ann' } }))],
    ['has an id of 500 characters', JSON.stringify(completed({ metadata: { orderId: 'x'.repeat(500) } }))],
    ['has a payment’s id of 500 characters', JSON.stringify(completed({ payment_intent: 'x'.repeat(500) }))],
    ['has NUL in a payment’s id', JSON.stringify(completed({ payment_intent: 'pi_\0' }))],
    [
      'holds a refund without an id',
      JSON.stringify(stripeEvent('charge.refunded', charge({ refunds: { data: [refund({ id: null })] } }))),
    ],
    ['has a currency that is none', JSON.stringify(completed({ currency: 'dollars' }))],
    [
      'has objects for everything',
      JSON.stringify(
        completed({ metadata: [{}], customer_details: 7, mode: {}, currency: {}, total_details: [] }),
      ),
    ],
    [
      'names itself like a prototype',
      '{"__proto__":{"type":"x"},"type":"constructor","data":{"object":{"id":"toString"}}}'.replace(
        'constructor',
        'checkout.session.completed',
      ),
    ],
  ])('and kept when it %s', async (_, body) => {
    const { uuid, source } = await addStripe();
    const answer = await source.post(body, signers.stripe(body, source.secret!, ''));
    expect([answer.status, answer.body.data?.outcomes]).toEqual([200, ['kept']]);
    const { orders, kept } = await left(uuid);
    expect([orders, kept.length]).toEqual([[], 1]);
  });

  it('and stored with what can be read', async () => {
    const { uuid, source } = await addStripe();
    const body = JSON.stringify(
      completed({
        customer_details: { email: ' Ann@Shop.example ', name: `A\0nn \ud800${'x'.repeat(400)}` },
      }),
    ).replace('"amount_total":4990', '"amount_total":1,"amount_total":4990');
    expect((await source.post(body, signers.stripe(body, source.secret!, ''))).body.data.outcomes).toEqual([
      'new',
    ]);
    const { orders } = await left(uuid);
    expect(orders).toMatchObject([{ amount: '49.9', name: expect.stringMatching(/^Ann x{200,}$/) }]);
  });

  it('its first 64 KiB are kept of one of exactly 1 MiB', async () => {
    const { uuid, source } = await addStripe();
    const text = JSON.stringify({ type: 'x', text: '€'.repeat(300_000) });
    const body = text + ' '.repeat(mebibyte - Buffer.byteLength(text));
    expect((await source.post(body, signers.stripe(body, source.secret!, ''))).status).toBe(200);
    const [kept] = (await left(uuid)).kept;
    expect(kept!.isCut).toBe(true);
    expect(Buffer.byteLength(kept!.body)).toBeLessThanOrEqual(65_536);
  });
});

it('an event that is no JSON does not keep other reports from being stored later', async () => {
  const { uuid, teamId, source } = await addStripe();
  const broken = '{"type":';
  await source.post(broken, signers.stripe(broken, source.secret!, ''));
  await server.report({ teamId, email: 'ann@shop.example', amount: 5, orderId: 'o-1' });
  await runOrderbeacon(['domain', 'add', '--team', teamId, 'shop.example'], server.env);
  const { stdout } = await runOrderbeacon(['refused', 'replay', '--team', teamId], server.env);
  expect(stdout).toContain('is not valid JSON');
  const { orders, kept } = await left(uuid);
  expect(orders).toMatchObject([{ order_id: 'o-1' }]);
  expect(kept).toMatchObject([{ body: broken }]);
});

it('an event of 1 MiB of refunds is answered soon, with the first 100, and kept for the others', async () => {
  const { uuid } = await server.addTeam();
  const woo = await addTestSource(server, uuid, { kind: 'woocommerce' });
  const refunds = Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1, reason: '', total: '-0.01' }));
  const { body } = await woo.say(wooOrder(1, { refunds }), 'order.updated');
  expect(body.data.outcomes).toEqual(['new', ...Array(99).fill('refund'), 'kept']);
  expect((await left(uuid)).kept).toMatchObject([{ isCut: true }]);
});

it('a source for tests makes a test of a live event, and any source of an event in test mode', async () => {
  const test = await addStripe(server, true);
  const live = await addStripe();
  await test.source.say(completed());
  await live.source.say({ ...completed(), livemode: false });
  await live.source.say(completed());
  expect((await left(test.uuid)).orders).toMatchObject([{ is_test: true }]);
  const worlds = (await left(live.uuid)).orders.map((order) => order.is_test);
  expect(worlds.sort()).toEqual([false, true]);
});

it('an order is not dated ahead of now', async () => {
  const { uuid, source } = await addStripe();
  await source.say({ ...completed(), created: 9_999_999_999 });
  const [{ isAhead }] = await server.sql<[{ isAhead: boolean }]>`
    select created_at > now() + interval '1 minute' as "isAhead" from placed_order where team_id = ${uuid}`;
  expect(isAhead).toBe(false);
});

it('while the database is away, the answer is 503, so that the provider sends the event again', async () => {
  const other = await startServerForTest();
  const { source } = await addStripe(other);
  await source.say(stripeEvent('customer.created', { id: 'cus_1' }));
  await endPools(other.pools);
  const answer = await source.say(completed());
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
});

it('made-up sources share the limit of made-up keys, and a known one is not counted', async () => {
  const other = await startServerForTest({ env: { ORDERBEACON_RATE_LIMIT: '5' } });
  const { source } = await addStripe(other);
  expect((await source.say(completed())).status).toBe(200);
  const statuses = [];
  stopClock();
  for (let n = 0; n < 6; n++) {
    statuses.push((await other.send('POST', `/svc-api/v1/sources/src_${n}`, { body: '{}' })).status);
  }
  expect(statuses.at(-1)).toBe(429);
  expect((await source.say(completed())).status).toBe(200);
});

it('log and metrics count events by source and outcome, without token, secret or email', async () => {
  const other = await startServerForTest();
  const { source } = await addStripe(other);
  await source.say(completed());
  await source.post('{}', {});
  const { text } = await other.send('GET', '/metrics');
  expect(text).toContain('orderbeacon_source_events_total{source="stripe",outcome="new"} 1');
  expect(text).toContain('orderbeacon_source_events_total{source="stripe",outcome="invalid_signature"} 1');
  expect(text).toContain('orderbeacon_orders_total{outcome="new",mode="live",reported_by="key"} 1');
  const lines = other.lines.map((line) => JSON.parse(line)).filter(({ route }) => route.includes('sources'));
  expect(lines).toMatchObject([
    { status: 200, sourceKind: 'stripe', outcome: 'new', mode: 'live' },
    { status: 401, sourceKind: 'stripe', outcome: 'invalid_signature' },
  ]);
  for (const secret of [source.token, source.secret!, 'ann@']) {
    expect(other.lines.join('\n') + text).not.toContain(secret);
  }
});
