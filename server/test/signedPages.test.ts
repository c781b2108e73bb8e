import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import { issueSigningKey } from '../src/teams/issueSigningKey.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { revokeSigningKey } from '../src/teams/sql/signingKey.js';
import { findTeam, updateTeam } from '../src/teams/sql/team.js';
import { runOrderbeacon } from './command.js';
import { replay, waitingOf } from './refused.js';
import { startTestServer } from './server.js';

/** The worth of orders that a shop's server has signed, over HTTP and in PostgreSQL. */
let server: Awaited<ReturnType<typeof startTestServer>>;
let team: Awaited<ReturnType<typeof newTeam>>;
beforeAll(async () => {
  server = await startTestServer();
  team = await newTeam();
});
afterAll(() => server.close());

async function newTeam() {
  const { uuid, teamId } = await server.addTeam('shop.example');
  await addDomain(server.sql, uuid, { entry: 'localhost', isTest: true });
  const issued = await issueSigningKey(server.sql, uuid, { isTest: false, name: 'shop' });
  return { uuid, teamId, ...issued! };
}

let count = 0;
const newOrder = () => ({
  teamId: team.teamId,
  email: `buyer-${++count}@shop.example`,
  amount: 49.9,
  orderId: `signed-${count}`,
});
type SignedOrder = ReturnType<typeof newOrder> & Record<string, unknown>;
const signed = (order: SignedOrder, key = team.key) => ({
  ...order,
  signature: createHmac('sha256', key)
    .update([order.teamId, order.orderId, order.email, order.amount, order.currency ?? 'USD'].join('\n'))
    .digest('hex'),
});
const onTestPage = { origin: 'http://localhost' };
const stored = (orderId: string) => server.sql`
  select amount::float as amount, currency, source, reported_by, page_fields, o.is_test, host, email, o.name, o.items, extra
  from placed_order o join person on person.team_id = o.team_id and person.id = o.person_id
  where o.team_id = ${team.uuid} and order_id = ${orderId} order by o.is_test`;
const keptOf = async ({ orderId }: { orderId: string }, of = team) =>
  (await waitingOf(server.sql, of.uuid)).filter((row) => row.orderId === orderId);
const requireSignature = (isRequired: boolean, { uuid } = team) =>
  inTransaction(server.sql, async (tx) =>
    updateTeam(tx, { ...(await findTeam(tx, uuid, { lock: true }))!, requiresSignature: isRequired }),
  );

describe('a signed order', () => {
  it('is reported by page and backend from the start, and its signature is no extra field', async () => {
    const order = { ...newOrder(), name: 'Ann', items: [{ sku: 'A' }] };
    const answer = await server.report(signed(order));
    expect(answer.body.data).toMatchObject({ isNew: true, isTest: false, amount: 49.9 });
    expect(answer.body.data).not.toHaveProperty('warnings');
    expect(await stored(order.orderId)).toMatchObject([
      {
        reported_by: 'both',
        page_fields: ['name', 'items', 'source'],
        host: 'shop.example',
        extra: null,
        is_test: false,
      },
    ]);
  });

  it('is stored with a currency in lower case, when the shop has signed what the page reports', async () => {
    const order = { ...newOrder(), currency: 'eur' };
    const { status } = await server.report(signed(order));
    expect([status, await stored(order.orderId)]).toMatchObject([
      200,
      [{ currency: 'EUR', reported_by: 'both' }],
    ]);
  });

  it('is fixed against other pages, and a later key fills in source, name and items alone', async () => {
    const order = { ...newOrder(), name: 'Page', items: [{ sku: 'page' }] };
    await server.report(signed(order));
    const other = await server.report({ ...order, email: 'thief@shop.example', amount: 1 });
    expect(other.body.error.code).toBe('order_conflict');
    await server.report({ ...order, amount: 1 });
    const key = await server.addKey(team.uuid);
    const byKey = { ...order, amount: 48, source: 'STRIPE', name: 'Backend', items: [{ sku: 'key' }] };
    expect((await server.reportByKey(key, byKey)).body.data).toMatchObject({ amount: 49.9, isNew: false });
    expect(await stored(order.orderId)).toMatchObject([
      { amount: 49.9, source: 'STRIPE', reported_by: 'both', name: 'Backend', items: [{ sku: 'key' }] },
    ]);
    expect(await stored(order.orderId)).toMatchObject([{ page_fields: null }]);
  });

  it('takes over an order that an unsigned page has reported with another amount and another buyer', async () => {
    const order = newOrder();
    await server.report(
      { ...order, email: 'thief@shop.example', amount: 1, name: 'Thief' },
      {
        origin: 'https://www.shop.example',
      },
    );
    expect((await server.report(signed(order))).body.data).toMatchObject({ amount: 49.9, isNew: false });
    expect(await stored(order.orderId)).toMatchObject([
      { amount: 49.9, email: order.email, name: null, reported_by: 'both', host: 'shop.example' },
    ]);
  });

  it('never changes what a key has said', async () => {
    const order = newOrder();
    const key = await server.addKey(team.uuid);
    await server.reportByKey(key, { ...order, amount: 30 });
    expect((await server.report(signed(order))).body.data.amount).toBe(30);
    const other = signed({ ...order, email: 'bob@shop.example' });
    expect((await server.report(other)).body.error.code).toBe('order_conflict');
    expect(await stored(order.orderId)).toMatchObject([{ amount: 30, email: order.email }]);
  });

  it('brings back nothing of an erased buyer', async () => {
    const order = newOrder();
    await server.report(order);
    const erased = ['person', 'erase', '--team', team.teamId, '--email', order.email];
    expect((await runOrderbeacon(erased, server.env)).code).toBe(0);
    expect((await server.report(signed(order))).status).toBe(409);
    expect(await keptOf(order)).toEqual([]);
  });
});

describe('a signature that does not fit', () => {
  it('is refused, nothing is stored, and the report is kept', async () => {
    const cases = {
      forged: { ...newOrder(), signature: 'ab'.repeat(32) },
      'another amount': { ...signed(newOrder()), amount: 1 },
      'another order': { ...signed(newOrder()), orderId: `reused-${count}` },
      'another currency': { ...signed(newOrder()), currency: 'EUR' },
      'not hex': { ...newOrder(), signature: 'none' },
      'an array': { ...newOrder(), signature: ['x'] },
      long: { ...newOrder(), signature: 'a'.repeat(10_000) },
      'of another team': signed(newOrder(), (await newTeam()).key),
    };
    for (const [name, report] of Object.entries(cases)) {
      const answer = await server.report(report);
      expect([name, answer.status, answer.body.error.code]).toEqual([name, 403, 'invalid_signature']);
      expect([name, ...(await stored(report.orderId))]).toEqual([name]);
      expect(await keptOf(report)).toMatchObject([{ reason: 'invalid_signature' }]);
    }
  });

  it('is one without an orderId, or with a template in its place', async () => {
    for (const orderId of [undefined, '{{ order.id }}']) {
      const order = { ...newOrder(), orderId: '' };
      const { error } = (await server.report({ ...signed(order), orderId })).body;
      expect(error).toMatchObject({ code: 'invalid_signature', message: expect.stringContaining('orderId') });
    }
  });

  it('is one of a test key on a live page, and of a live key on a test page', async () => {
    const test = (await issueSigningKey(server.sql, team.uuid, { isTest: true, name: null }))!;
    const order = newOrder();
    expect((await server.report(signed(order, test.key))).body.error.code).toBe('invalid_signature');
    expect((await server.report(signed(order), onTestPage)).body.error.code).toBe('invalid_signature');
    expect((await server.report(signed(order, test.key), onTestPage)).body.data.isTest).toBe(true);
    expect((await server.report(signed(order))).body.data.isTest).toBe(false);
    expect(await stored(order.orderId)).toMatchObject([
      { is_test: false, reported_by: 'both' },
      { is_test: true, reported_by: 'both' },
    ]);
  });

  it('is ignored in a report with a key, which needs none', async () => {
    const order = newOrder();
    const key = await server.addKey(team.uuid);
    const answer = await server.reportByKey(key, { ...order, signature: 'ab'.repeat(32) });
    expect(answer.body.data.isNew).toBe(true);
    expect(await stored(order.orderId)).toMatchObject([{ reported_by: 'key', extra: null }]);
  });

  it('allows no domain: a right one of another host is refused', async () => {
    const order = newOrder();
    const answer = await server.report(signed(order), { origin: 'https://other.example' });
    expect(answer.body.error.code).toBe('domain_not_allowed');
  });
});

it('an empty signature is none', async () => {
  const order = newOrder();
  expect((await server.report({ ...order, signature: '' })).status).toBe(200);
  expect((await server.report({ ...order, signature: null })).status).toBe(200);
  expect(await stored(order.orderId)).toMatchObject([{ reported_by: 'browser' }]);
});

it('two keys are live together, a revoked one is refused immediately, and a kept report is judged by the keys of now', async () => {
  const old = (await issueSigningKey(server.sql, team.uuid, { isTest: false, name: 'old' }))!;
  const [one, two, three] = [newOrder(), newOrder(), newOrder()];
  expect((await server.report(signed(one, old.key))).status).toBe(200);
  expect((await server.report(signed(two))).status).toBe(200);
  await revokeSigningKey(server.sql, team.uuid, old.id);
  expect((await server.report(signed(three, old.key))).status).toBe(403);
  const [kept] = await keptOf(three);
  expect([...(await replay(server.sql, team.uuid, { ids: [kept!.id] }))]).toMatchObject([
    { outcome: { kind: 'refused', code: 'invalid_signature' } },
  ]);
  await server.sql`update signing_key set revoked_at = null where id = ${old.id}`;
  expect([...(await replay(server.sql, team.uuid, { ids: [kept!.id] }))]).toMatchObject([
    { outcome: { kind: 'new' } },
  ]);
  expect(await stored(three.orderId)).toMatchObject([{ reported_by: 'both' }]);
});

it('a kept report that a person corrects is stored without its signature', async () => {
  const order = newOrder();
  await server.report({ ...order, signature: 'ab'.repeat(32) });
  const [kept] = await keptOf(order);
  await replay(server.sql, team.uuid, { ids: [kept!.id] }, { changes: { amount: 50 } });
  expect(await stored(order.orderId)).toMatchObject([{ amount: 50, reported_by: 'browser' }]);
});

it('a team has five live signing keys at most, also where two servers make one each', async () => {
  const other = await newTeam();
  const made = await Promise.all(
    Array.from({ length: 8 }, () => issueSigningKey(server.sql, other.uuid, { isTest: false, name: null })),
  );
  expect(made.filter((key) => key !== null)).toHaveLength(4);
});

describe('a team that requires signatures', () => {
  it('refuses unsigned pages on every server and domain immediately, keeps them, and takes keys and signed pages', async () => {
    const beside = await startTestServer({ databaseUrl: server.env.DATABASE_URL! });
    const before = team;
    try {
      team = await newTeam();
      const unsigned = newOrder();
      expect((await server.report(newOrder())).status).toBe(200);
      await requireSignature(true);
      await addDomain(server.sql, team.uuid, { entry: 'new.example', isTest: false });
      for (const origin of ['https://shop.example', 'http://localhost', 'https://new.example']) {
        const answer = await server.report(unsigned, { origin });
        expect([answer.status, answer.body.error.code]).toEqual([403, 'signature_required']);
      }
      const send = (report: object) =>
        fetch(new URL('/svc-api/v1/orders', beside.url), {
          method: 'POST',
          headers: { origin: 'https://shop.example', 'content-type': 'text/plain' },
          body: JSON.stringify(report),
        });
      expect((await send(newOrder())).status).toBe(403);
      expect((await send(signed(newOrder()))).status).toBe(200);
      expect((await server.report(signed(newOrder()))).status).toBe(200);
      expect((await server.reportByKey(await server.addKey(team.uuid), newOrder())).status).toBe(200);
      expect((await keptOf(unsigned)).map(({ reason }) => reason)).toEqual(
        Array(3).fill('signature_required'),
      );
      await requireSignature(false);
      expect(
        (await replay(server.sql, team.uuid, { host: 'shop.example' })).map(({ outcome }) => outcome.kind),
      ).toEqual(['new', 'new']);
    } finally {
      team = before;
      await beside.close();
    }
  });
});
