import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDomain } from '../src/teams/sql/domain.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { replay, waitingOf } from './refused.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const shop = { origin: 'https://shop.example' };
const foreign = { origin: 'https://checkout.shop.example:8443' };
const order = { email: ' Ann@Buyer.example', amount: 49.9, orderId: 'o-1', currency: 'eur' };
const ordersOf = (uuid: string) =>
  server.sql`select order_id, amount::float, currency, created_at, is_test from placed_order
    where team_id = ${uuid} order by created_at`;

describe('a refused report is kept as it was sent, and stored once when it is replayed', () => {
  it('of a page whose domain nobody had allowed', async () => {
    const { uuid, teamId } = await server.addTeam();
    const body = ` ${JSON.stringify({ teamId, ...order, sdkVersion: '1.2.3' })}`;
    expect((await server.report(body, foreign)).body.error.code).toBe('domain_not_allowed');
    const [entry, ...others] = await waitingOf(server.sql, uuid);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      reason: 'domain_not_allowed',
      host: 'checkout.shop.example',
      body,
      isCut: false,
      keyHash: null,
      sdkVersion: '1.2.3',
      times: 1,
      email: 'ann@buyer.example',
      orderId: 'o-1',
      amount: '49.9',
      currency: 'EUR',
      issues: null,
      field: '',
    });
    expect((await replay(server.sql, uuid))[0]!.outcome).toMatchObject({
      kind: 'refused',
      code: 'domain_not_allowed',
    });
    expect(await ordersOf(uuid)).toEqual([]);
    await addDomain(server.sql, uuid, { entry: '*.shop.example', isTest: false });
    expect((await replay(server.sql, uuid)).map(({ outcome }) => outcome.kind)).toEqual(['new']);
    expect(await replay(server.sql, uuid)).toHaveLength(0);
    expect(await ordersOf(uuid)).toEqual([
      { order_id: 'o-1', amount: 49.9, currency: 'EUR', created_at: entry!.receivedAt, is_test: false },
    ]);
  });

  it('of a page whose orderId is a template, each order as an entry of its own', async () => {
    const { uuid, teamId } = await server.addTeam();
    for (const reportId of ['r-1', 'r-2', 'r-2'])
      await server.report({ teamId, ...order, orderId: '{{ order.id }}', reportId }, shop);
    const entries = await waitingOf(server.sql, uuid);
    expect(entries.map(({ orderId, times }) => [orderId, times])).toEqual(
      expect.arrayContaining([
        [null, 1],
        [null, 2],
      ]),
    );
    expect(entries).toHaveLength(2);
    await addDomain(server.sql, uuid, { entry: 'shop.example', isTest: false });
    expect((await replay(server.sql, uuid)).map(({ outcome }) => outcome.kind)).toEqual(['new', 'new']);
  });

  it('of a page whose reportId is none, each order as an entry of its own', async () => {
    const { uuid, teamId } = await server.addTeam();
    for (const coupon of ['a', 'b'])
      await server.report({ teamId, ...order, orderId: undefined, reportId: 'undefined', coupon }, shop);
    expect(await waitingOf(server.sql, uuid)).toHaveLength(2);
    await addDomain(server.sql, uuid, { entry: 'shop.example', isTest: false });
    expect((await replay(server.sql, uuid)).map(({ outcome }) => outcome.kind)).toEqual(['new', 'new']);
  });

  it('with an amount that can mean two sums, which then counts to none', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    for (const [orderId, amount] of [
      ['thousands', '1.000'],
      ['plain', '49.90'],
    ]) {
      await server.report({ teamId, email: order.email, orderId, amount });
    }
    const entries = await waitingOf(server.sql, uuid);
    expect(Object.fromEntries(entries.map(({ orderId, amount }) => [orderId, amount]))).toEqual({
      thousands: null,
      plain: '49.90',
    });
  });

  it('of a page that had an invalid field, when that is corrected', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const sent = { teamId, ...order, amount: '49,90', items: [{ sku: 'a', __proto__x: 1 }] };
    expect((await server.report(sent)).status).toBe(400);
    const [entry] = await waitingOf(server.sql, uuid);
    expect(entry).toMatchObject({ reason: 'invalid_request', field: 'amount', amount: null, orderId: 'o-1' });
    expect(entry!.issues).toEqual([{ path: 'amount', message: expect.stringMatching(/^must /) }]);
    const ids = [entry!.id];
    expect((await replay(server.sql, uuid, { ids }))[0]!.outcome).toMatchObject({ code: 'invalid_request' });
    const wrong = await replay(server.sql, uuid, { ids }, { changes: { email: 'no' } });
    expect(wrong[0]!.outcome).toMatchObject({ code: 'invalid_request' });
    expect((await waitingOf(server.sql, uuid))[0]).toEqual(entry);
    const right = await replay(server.sql, uuid, { ids }, { changes: { amount: 49.9 } });
    expect(right[0]!.outcome).toMatchObject({ kind: 'new' });
    expect(await ordersOf(uuid)).toMatchObject([{ order_id: 'o-1', amount: 49.9 }]);
    expect(await waitingOf(server.sql, uuid)).toEqual([]);
  });

  it('of a page and a backend whose other fields are invalid, without those', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const sent = {
      teamId,
      ...order,
      name: { first: 'Ann' },
      visitorId: 'v',
      source: 'CASH',
      items: [{ sku: 1 }, 2],
    };
    await server.report(sent);
    await server.reportByKey(key, { ...sent, orderId: 'o-2', amount: '1' });
    expect((await replay(server.sql, uuid)).map(({ outcome }) => outcome.kind)).toEqual([
      'refused',
      'refused',
    ]);
    await replay(server.sql, uuid, {}, { changes: { amount: 5 } });
    const stored = await server.sql`
      select order_id, amount::int, name, visitor_id, source, items from placed_order where team_id = ${uuid}
      order by order_id`;
    expect(stored).toEqual([
      { order_id: 'o-1', amount: 5, name: null, visitor_id: 'v', source: 'OTHER', items: [{ sku: 1 }] },
      { order_id: 'o-2', amount: 5, name: null, visitor_id: 'v', source: 'MANUAL', items: null },
    ]);
  });

  it('of a page whose orderId another buyer had, with another orderId', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    await server.report({ teamId, ...order });
    const answer = await server.report({ teamId, ...order, email: 'bob@buyer.example' });
    expect(answer.body.error.code).toBe('order_conflict');
    const [entry] = await waitingOf(server.sql, uuid);
    expect(entry).toMatchObject({
      reason: 'order_conflict',
      email: 'bob@buyer.example',
      host: 'shop.example',
    });
    const [again] = await replay(server.sql, uuid);
    expect(again!.outcome).toMatchObject({ kind: 'refused', code: 'order_conflict' });
    const [stored] = await replay(server.sql, uuid, {}, { changes: { orderId: 'o-2' } });
    expect(stored!.outcome.kind).toBe('new');
    expect(await ordersOf(uuid)).toMatchObject([{ order_id: 'o-1' }, { order_id: 'o-2' }]);
  });

  it.each([
    ['with a length', {}],
    ['without one', { 'transfer-encoding': 'chunked' }],
  ])('of a page whose body was too long, %s: the money without the lines', async (_, headers) => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const items = Array.from({ length: 400 }, () => ({ sku: 'é'.repeat(100) }));
    const answer = await server.report({ teamId, ...order, items }, { ...shop, ...headers });
    expect(answer.body.error.code).toBe('payload_too_large');
    const [entry] = await waitingOf(server.sql, uuid);
    expect(entry).toMatchObject({ reason: 'payload_too_large', isCut: true, amount: '49.9', orderId: 'o-1' });
    expect(Buffer.byteLength(entry!.body)).toBeGreaterThan(65_000);
    expect(entry!.body).not.toContain('\ufffd');
    expect((await replay(server.sql, uuid)).map(({ outcome }) => outcome.kind)).toEqual(['new']);
    expect(await ordersOf(uuid)).toMatchObject([{ order_id: 'o-1', amount: 49.9 }]);
  });

  it('of a page that named no host, which no domain can allow', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const answer = await server.report({ teamId, ...order }, { origin: 'null' });
    expect(answer.body.error.code).toBe('domain_not_allowed');
    expect(await waitingOf(server.sql, uuid)).toMatchObject([{ reason: 'domain_not_allowed', host: '' }]);
    expect((await replay(server.sql, uuid))[0]!.outcome).toMatchObject({ code: 'domain_not_allowed' });
  });

  it('of a backend, with its Idempotency-Key', async () => {
    const { uuid, teamId } = await server.addTeam();
    const key = await server.addKey(uuid);
    const sent = { teamId, email: order.email, amount: '49.90' };
    const headers = { 'idempotency-key': 'evt_1' };
    expect((await server.reportByKey(key, sent, headers)).status).toBe(400);
    const [entry] = await waitingOf(server.sql, uuid);
    expect(entry).toMatchObject({
      reason: 'invalid_request',
      host: '',
      idempotencyKey: 'evt_1',
      amount: '49.90',
    });
    const [stored] = await replay(server.sql, uuid, {}, { changes: { amount: 49.9 } });
    expect(stored!.outcome.kind).toBe('new');
    const retry = await server.reportByKey(key, { ...sent, amount: 49.9 }, headers);
    expect(retry.body.data).toMatchObject({ isNew: false, createdAt: entry!.receivedAt.toISOString() });
  });

  it('of a test key and of a test page as a test', async () => {
    const { uuid, teamId } = await server.addTeam();
    const key = await server.addKey(uuid, 'test');
    await server.reportByKey(key, { teamId, ...order, amount: '1' });
    await server.report({ teamId, ...order, orderId: 'o-2' }, { origin: 'http://localhost:3000' });
    await addDomain(server.sql, uuid, { entry: 'localhost', isTest: true });
    await replay(server.sql, uuid, { reason: 'invalid_request' }, { changes: { amount: 1 } });
    await replay(server.sql, uuid);
    expect(await ordersOf(uuid)).toMatchObject([
      { order_id: 'o-1', is_test: true },
      { order_id: 'o-2', is_test: true },
    ]);
  });

  it('without any identifier', async () => {
    const { uuid, teamId } = await server.addTeam();
    const key = await server.addKey(uuid);
    await server.report({ teamId, email: 'ann@buyer.example', amount: 1 }, foreign);
    await server.reportByKey(key, { teamId, email: 'bob@buyer.example', amount: '2' });
    await addDomain(server.sql, uuid, { entry: 'checkout.shop.example', isTest: false });
    const kept = await server.sql`select * from refused_report where team_id = ${uuid}`;
    for (let time = 0; time < 2; time++) {
      await replay(server.sql, uuid, { reason: 'domain_not_allowed' });
      await replay(server.sql, uuid, {}, { changes: { amount: 2 } });
      expect(await ordersOf(uuid)).toMatchObject([{ amount: 1 }, { amount: 2 }]);
      expect(await waitingOf(server.sql, uuid)).toEqual([]);
      // As if the first replay had died before it was committed.
      await server.sql`insert into refused_report ${server.sql(kept)}`;
    }
  });
});

describe('a refused report is not kept', () => {
  it('of a team that does not exist, without origin, with a dead key, or with no JSON', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const count = async () => (await server.sql`select from refused_report`).length;
    const before = await count();
    const refused = [
      server.report({ ...order, amount: 'x', teamId: encodeId('team', newUuid()) }),
      server.report({ ...order, amount: 'x' }),
      server.report({ teamId, ...order }, {}),
      server.reportByKey(key.replace('live', 'test'), { teamId, ...order, amount: 'x' }),
      server.reportByKey(`${key}x`, { teamId, ...order, amount: 'x' }),
      server.report(`{"teamId":"${teamId}",`),
      server.report([teamId]),
      server.reportByKey(key, '{'),
    ];
    for (const { status } of await Promise.all(refused)) expect(status).toBeGreaterThanOrEqual(400);
    expect(await count()).toBe(before);
  });
});
