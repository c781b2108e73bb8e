import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statementBounds } from '../src/database/statementBounds.js';
import { addRefunds } from '../src/orders/readOrder.js';
import { listOrders } from '../src/orders/sql/listOrders.js';
import { decodeId } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { type Answer, sendTo, startServerBeside, startServerForTest, startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let beside: Awaited<ReturnType<typeof startServerBeside>>;
let team: { uuid: string; teamId: string };
let key: string;
let testKey: string;

beforeAll(async () => {
  server = await startTestServer();
  beside = await startServerBeside(server.env.DATABASE_URL!);
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
  testKey = await server.addKey(team.uuid, 'test');
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

const path = '/svc-api/v1/orders/refunds';
const bearer = (by: string) => ({ authorization: `Bearer ${by}` });

/** Reports a refund by key. */
function refund(body: unknown, { by = key, on = server.url, type = 'application/json' } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sendTo(new URL(path, on), 'POST', { headers: { ...bearer(by), 'content-type': type }, body: text });
}

/** Reads an order by key; the id is encoded as `encodeURIComponent` does. */
const read = (id: string, by = key) =>
  server.send('GET', `/svc-api/v1/orders/${encodeURIComponent(id)}`, { headers: bearer(by) });

/** Reports an order by key and returns the answer's data. */
async function order(said: object, by = key) {
  const report = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, ...said };
  const { status, body } = await server.reportByKey(by, report);
  expect(status).toBe(200);
  return body.data;
}

const withoutRequestId = ({ status, text, body }: Answer) =>
  [status, text.replace(body.requestId, '')] as const;

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('a refund', () => {
  it('of a part is answered with the order’s state, and the same again as known', async () => {
    const { id } = await order({ orderId: 'part' });
    const sent = { orderId: 'part', refundId: 'part-1', amount: 20, reason: 'broken' };
    const first = await refund(sent);
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        data: {
          refundId: 'part-1',
          orderId: 'part',
          order: id,
          amount: 20,
          currency: 'USD',
          paymentStatus: 'PARTIALLY_REFUNDED',
          refundedAmount: 20,
          reason: 'broken',
          isTest: false,
          isNew: true,
          createdAt: iso,
        },
      },
    ]);
    const again = await refund(sent, { on: beside.url });
    expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
  });

  it('without an amount gives back all that is left, and then nothing more is', async () => {
    await order({ orderId: 'whole', amount: 0.3 });
    await refund({ orderId: 'whole', refundId: 'whole-1', amount: 0.1 });
    const rest = await refund({ orderId: 'whole', refundId: 'whole-2' });
    expect(rest.body.data).toMatchObject({ amount: 0.2, paymentStatus: 'REFUNDED', refundedAmount: 0.3 });
    const refusals = await Promise.all([
      refund({ orderId: 'whole', refundId: 'whole-3' }),
      refund({ orderId: 'whole', refundId: 'whole-4', amount: 0.1 }),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.error.code, body.error.issues])).toEqual([
      [
        400,
        'invalid_request',
        [{ path: 'orderId', message: 'names an order of which nothing is left to refund' }],
      ],
      [
        400,
        'invalid_request',
        [{ path: 'amount', message: 'is more than is left of the order, which is nothing' }],
      ],
    ]);
  });

  it('of more than is left is refused with the rest', async () => {
    await order({ orderId: 'over', currency: 'EUR' });
    await refund({ orderId: 'over', refundId: 'over-1', amount: 20.5 });
    const { status, body } = await refund({ orderId: 'over', refundId: 'over-2', amount: 29.51 });
    expect([status, body.error.code, body.error.issues]).toEqual([
      400,
      'invalid_request',
      [{ path: 'amount', message: 'must be at most 29.5 EUR, which is left of the order' }],
    ]);
    expect((await read('over')).body.data).toMatchObject({ refundedAmount: 20.5, amount: 50 });
  });

  it('with a refundId of another order or amount is refused, and nothing is stored', async () => {
    await order({ orderId: 'taken' });
    await order({ orderId: 'taken-other' });
    await refund({ orderId: 'taken', refundId: 'taken-1', amount: 5 });
    for (const said of [
      { orderId: 'taken', amount: 6 },
      { orderId: 'taken-other', amount: 5 },
    ]) {
      const { status, body } = await refund({ refundId: 'taken-1', ...said });
      expect([status, body.error.code]).toEqual([422, 'refund_id_reused']);
    }
    expect((await read('taken')).body.data.refundedAmount).toBe(5);
    expect((await read('taken-other')).body.data.refundedAmount).toBe(0);
  });

  it('that comes before its order waits for it, and shows as soon as the order is known', async () => {
    const waiting = await refund({ orderId: 'late', refundId: 'late-1', amount: 60 });
    expect(waiting.body.data).toMatchObject({
      order: null,
      amount: 60,
      currency: null,
      paymentStatus: null,
      refundedAmount: null,
      isNew: true,
    });
    const { id } = await order({ orderId: 'late' });
    expect((await read('late')).body.data).toMatchObject({
      id,
      paymentStatus: 'REFUNDED',
      refundedAmount: 50,
      refunds: [{ refundId: 'late-1', amount: 50, cutFrom: 60, reason: null, createdAt: iso }],
    });
    const again = await refund({ orderId: 'late', refundId: 'late-1', amount: 60 });
    expect(again.body.data).toMatchObject({ order: id, amount: 50, isNew: false });
  });

  it('counts the refunds that waited for the order before it', async () => {
    await refund({ orderId: 'first', refundId: 'first-1', amount: 30 });
    await order({ orderId: 'first' });
    const { status, body } = await refund({ orderId: 'first', refundId: 'first-2', amount: 30 });
    expect([status, body.error?.issues[0].message]).toEqual([
      400,
      'must be at most 20 USD, which is left of the order',
    ]);
  });

  it.each([
    ['ord_ id', 'id'],
    ['ORD- number', 'orderNumber'],
  ] as const)('finds an order by its %s, which comes before an orderId of that text', async (_, field) => {
    const { id, [field]: name } = await order({});
    await order({ orderId: name, amount: 7 });
    const { body } = await refund({ orderId: name, refundId: `by-${field}` });
    expect(body.data).toMatchObject({ order: id, amount: 50 });
    expect((await read(name)).body.data).toMatchObject({ id, orderId: null, refundedAmount: 50 });
  });

  it('waits for an order whose own id has the form of a number', async () => {
    const orderId = 'ORD-2024000123';
    expect((await refund({ orderId, refundId: 'own-number', amount: 5 })).body.data.order).toBeNull();
    await order({ orderId });
    expect((await read(orderId)).body.data).toMatchObject({ orderId, refundedAmount: 5 });
  });

  it('by a test key is of test orders, by a live key of live ones', async () => {
    const live = await order({ orderId: 'world' });
    const test = await order({ orderId: 'world', amount: 9 }, testKey);
    expect(
      (await refund({ orderId: 'world', refundId: 'world-1' }, { by: testKey })).body.data,
    ).toMatchObject({
      order: test.id,
      amount: 9,
      isTest: true,
    });
    expect((await read('world')).body.data).toMatchObject({ id: live.id, refundedAmount: 0 });
    const { status, body } = await refund({ orderId: live.id, refundId: 'world-2' }, { by: testKey });
    expect([status, body.error.code]).toEqual([404, 'order_not_found']);
  });

  it.each([
    ['no orderId', { refundId: 'r' }, 'orderId'],
    ['no refundId', { orderId: 'a' }, 'refundId'],
    ['an amount of 0', { orderId: 'a', refundId: 'r', amount: 0 }, 'amount'],
    ['a negative amount', { orderId: 'a', refundId: 'r', amount: -1 }, 'amount'],
    ['an amount over 10^12', { orderId: 'a', refundId: 'r', amount: 1_000_000_000_000.1 }, 'amount'],
    ['an amount as text', { orderId: 'a', refundId: 'r', amount: '5' }, 'amount'],
    ['an amount that is null', { orderId: 'a', refundId: 'r', amount: null }, 'amount'],
    ['an amount that reading changes', '{"orderId":"a","refundId":"r","amount":1e-400}', 'amount'],
    ['an amount of 20 digits', '{"orderId":"a","refundId":"r","amount":1.1234567890123456789}', 'amount'],
    ['a number as orderId', { orderId: 7, refundId: 'r' }, 'orderId'],
    ['an orderId of 129 characters', { orderId: 'a'.repeat(129), refundId: 'r' }, 'orderId'],
    ['a refundId of spaces', { orderId: 'a', refundId: '  ' }, 'refundId'],
    ['a reason of 256 characters', { orderId: 'a', refundId: 'r', reason: 'x'.repeat(256) }, 'reason'],
    ['a reason with NUL', { orderId: 'a', refundId: 'r', reason: 'a\0' }, 'reason'],
    ['a reason with half a surrogate', { orderId: 'a', refundId: 'r', reason: '\ud800' }, 'reason'],
    ['a misspelt amount', { orderId: 'a', refundId: 'r', amuont: 5 }, ''],
    ['an array', [], ''],
    ['null', 'null', ''],
  ])('with %s is refused by the name of the field', async (_, body, field) => {
    const answer = await refund(body);
    expect([answer.status, answer.body.error.code, answer.body.error.issues[0].path]).toEqual([
      400,
      'invalid_request',
      field,
    ]);
    expect(await server.sql`select from refund where refund_id = 'r'`).toHaveLength(0);
  });

  it('with a misspelt field is told its name', async () => {
    const answer = await refund({ orderId: 'a', refundId: 'r', amuont: 5 });
    expect(answer.body.error.issues).toEqual([
      {
        path: '',
        message: 'must have no field "amuont", only orderId, refundId, amount, reason and teamId',
      },
    ]);
    const long = await refund({ orderId: 'a', refundId: 'r', ['x'.repeat(9000)]: 5 });
    expect(long.body.error.issues[0].message.length).toBeLessThan(400);
  });

  it.each([
    ['half a body', '{"orderId":', 'application/json', 400, 'invalid_json'],
    [
      'a body over 64 KiB',
      JSON.stringify({ reason: 'x'.repeat(65_536) }),
      'application/json',
      413,
      'payload_too_large',
    ],
    ['a text', '{}', 'text/plain', 415, 'unsupported_media_type'],
  ])('with %s is refused, and not kept among the refused reports', async (_, body, type, status, code) => {
    const answer = await refund(body, { type });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(await server.sql`select from refused_report where team_id = ${team.uuid}`).toHaveLength(0);
  });

  it('needs a live key of the team: a page can never refund', async () => {
    await order({ orderId: 'guarded' });
    const sent = { orderId: 'guarded', refundId: 'guarded-1', teamId: team.teamId };
    const send = (headers: Record<string, string>) =>
      server.send('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(sent),
      });
    const page = await send({ origin: 'https://shop.example' });
    expect([page.status, page.body.error.code]).toEqual([401, 'missing_api_key']);
    expect(page.headers.has('access-control-allow-origin')).toBe(false);
    const other = await server.addTeam();
    const foreign = await server.addKey(other.uuid);
    expect((await send(bearer(foreign))).body.error.code).toBe('team_mismatch');
    const revoked = await server.addKey(team.uuid);
    expect((await refund({ ...sent, refundId: 'guarded-0', amount: 1 }, { by: revoked })).status).toBe(200);
    await server.sql`update api_key set revoked_at = now() where team_id = ${team.uuid} and last_four = ${revoked.slice(-4)}`;
    expect((await send(bearer(revoked))).body.error.code).toBe('invalid_api_key');
    expect((await read('guarded')).body.data.refundedAmount).toBe(1);
  });

  it('shows in the answer to a later report of the order', async () => {
    const first = await order({ orderId: 'reported' });
    await refund({ orderId: 'reported', refundId: 'reported-1', amount: 20 });
    const partly = await order({ orderId: 'reported' });
    expect(partly).toEqual({
      ...first,
      isNew: false,
      paymentStatus: 'PARTIALLY_REFUNDED',
      refundedAmount: 20,
    });
    await refund({ orderId: 'reported', refundId: 'reported-2' });
    expect(await order({ orderId: 'reported' })).toMatchObject({
      amount: 50,
      paymentStatus: 'REFUNDED',
      refundedAmount: 50,
    });
  });

  it('shows in lists and exports, also when it has waited', async () => {
    const shop = await server.addTeam();
    const by = await server.addKey(shop.uuid);
    await refund({ orderId: 'listed', refundId: 'listed-1', amount: 20 }, { by });
    const report = { teamId: shop.teamId, email: 'ann@mail.example', amount: 50, orderId: 'listed' };
    await server.reportByKey(by, report);
    const run = async (...args: string[]) =>
      (await runOrderbeacon(['order', ...args, '--team', shop.teamId], server.env)).stdout;
    expect(await run('list')).toContain('partially refunded');
    expect(JSON.parse(await run('list', '--json'))).toMatchObject([
      { amount: 50, paymentStatus: 'PARTIALLY_REFUNDED', refundedAmount: 20 },
    ]);
    const [heading, line] = (await run('export', '--format', 'csv'))
      .split('\n')
      .map((text) => text.split(','));
    expect([heading!.at(-1), line!.at(-1)]).toEqual(['refundedAmount', '20']);
    expect(line![heading!.indexOf('paymentStatus')]).toBe('PARTIALLY_REFUNDED');
  });

  it('is cut to an amount that a later report lowers, and counts whole again when one raises it', async () => {
    const report = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, orderId: 'lowered' };
    await server.report(report);
    await refund({ orderId: 'lowered', refundId: 'lowered-1', amount: 30 });
    const lowered = await order({ orderId: 'lowered', amount: 20, currency: 'EUR' });
    expect(lowered).toMatchObject({ amount: 20, paymentStatus: 'REFUNDED', refundedAmount: 20 });
    expect((await read('lowered')).body.data).toMatchObject({
      currency: 'EUR',
      refundedAmount: 20,
      refunds: [{ refundId: 'lowered-1', amount: 20, cutFrom: 30 }],
    });
  });

  it('of an order without money leaves it paid, in the answer to a report as where it is read', async () => {
    await refund({ orderId: 'free', refundId: 'free-1' });
    await order({ orderId: 'free', amount: 0 });
    const { body } = await read('free');
    expect(body.data).toMatchObject({ paymentStatus: 'PAID', refunds: [{ refundId: 'free-1', amount: 0 }] });
    expect(await order({ orderId: 'free', amount: 0 })).toMatchObject({
      isNew: false,
      paymentStatus: 'PAID',
    });
  });

  it('waits again when its order is discarded', async () => {
    const report = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, orderId: 'discarded' };
    const { body } = await server.report(report);
    await refund({ orderId: 'discarded', refundId: 'discarded-1', amount: 30 });
    const args = ['order', 'discard', '--team', team.teamId, body.data.id];
    expect(await runOrderbeacon(args, server.env)).toMatchObject({ code: 0 });
    const waiting = await refund({ orderId: 'discarded', refundId: 'discarded-1', amount: 30 });
    expect(waiting.body.data).toMatchObject({ order: null, amount: 30, isNew: false });
    const { id } = await order({ orderId: 'discarded', amount: 25 });
    expect((await read(id)).body.data).toMatchObject({ amount: 25, refundedAmount: 25 });
  });
});

describe('an order that is read', () => {
  it('has every field that is stored of it', async () => {
    const said = {
      orderId: 'all',
      name: 'Ann',
      items: [{ sku: 'A' }],
      visitorId: 'v',
      source: 'PAYPAL',
      tax: 1,
    };
    const { isNew, ...answer } = await order(said);
    const { status, body } = await read('all');
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          ...answer,
          orderId: 'all',
          reportId: null,
          idempotencyKey: null,
          email: 'ann@mail.example',
          name: 'Ann',
          refundedAmount: 0,
          source: 'PAYPAL',
          items: [{ sku: 'A' }],
          visitorId: 'v',
          firstTouch: null,
          lastTouch: null,
          extra: { tax: 1 },
          reportedBy: 'key',
          refunds: [],
        },
      },
    ]);
    expect((await read(answer.id)).text).toEqual((await read('all')).text);
  });

  it('while a refund of it and another amount arrive has sums that agree with its refunds', async () => {
    const report = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, orderId: 'meanwhile' };
    const { id } = (await server.report(report)).body.data;
    await refund({ orderId: 'meanwhile', refundId: 'meanwhile-1', amount: 12.5 });
    const [row] = await listOrders(server.sql, team.uuid, { id: decodeId('ord', id)!, limit: 1 });
    await order({ orderId: 'meanwhile', amount: 40 });
    await refund({ orderId: 'meanwhile', refundId: 'meanwhile-2' });
    expect(await addRefunds(server.sql, team.uuid, row!)).toMatchObject({
      amount: 40,
      refundedAmount: 40,
      paymentStatus: 'REFUNDED',
      refunds: [{ amount: 12.5 }, { amount: 27.5 }],
    });
  });

  it('while it is discarded is not found, and never shows money without its refund', async () => {
    const report = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, orderId: 'going' };
    const { id } = (await server.report(report)).body.data;
    await refund({ orderId: 'going', refundId: 'going-1', amount: 12.5 });
    const [row] = await listOrders(server.sql, team.uuid, { id: decodeId('ord', id)!, limit: 1 });
    const args = ['order', 'discard', '--team', team.teamId, id];
    expect(await runOrderbeacon(args, server.env)).toMatchObject({ code: 0 });
    expect(await addRefunds(server.sql, team.uuid, row!)).toBe(undefined);
  });

  it.each(['a/b', 'a b', '100%', '%41', 'ä😀', 'a?b#c', "'; drop", 'a+b', ':id', 'refunds '])(
    'is found by an orderId that needs encoding, once: %s',
    async (orderId) => {
      const { id } = await order({ orderId: `x${orderId}` });
      const { status, body } = await read(`x${orderId}`);
      expect([status, body.data?.id]).toEqual([200, id]);
    },
  );

  it('is of the key’s team and mode, and any other is not found, to the byte', async () => {
    const other = await server.addTeam();
    const foreign = await server.addKey(other.uuid);
    const { id, orderNumber } = await order({ orderId: 'mine' });
    const none = withoutRequestId(await read('none'));
    expect(none[0]).toBe(404);
    for (const [name, by] of [
      [id, foreign],
      ['mine', foreign],
      [id, testKey],
      ['mine', testKey],
      [orderNumber, foreign],
      [orderNumber, testKey],
      [`ord_${'0'.repeat(26)}`, key],
      ['x'.repeat(129), key],
      ['a\0', key],
      [id.toUpperCase(), key],
    ] as const) {
      expect(withoutRequestId(await read(name, by))).toEqual(none);
    }
    expect(none[1]).toContain('order_not_found');
  });

  it('is not kept from view by a page that has taken its ord_ id or its ORD- number as orderId', async () => {
    const { id, orderNumber } = await order({ orderId: 'victim' });
    for (const name of [id, orderNumber]) {
      await server.report({ teamId: team.teamId, email: 'eve@mail.example', amount: 1, orderId: name });
      expect((await read(name)).body.data).toMatchObject({ id, orderId: 'victim' });
    }
  });

  it('of an erased person has neither their email nor the reasons of refunds, and gets none back', async () => {
    const email = 'erased@mail.example';
    await order({ orderId: 'erased', email });
    await refund({ orderId: 'erased', refundId: 'erased-1', amount: 1, reason: `${email} sent it back` });
    const exported = await runOrderbeacon(
      ['person', 'export', '--team', team.teamId, '--email', email],
      server.env,
    );
    expect(JSON.parse(exported.stdout).orders[0]).toMatchObject({
      refundedAmount: 1,
      refunds: [{ refundId: 'erased-1', reason: `${email} sent it back` }],
    });
    const early = { orderId: 'erased-early', amount: 1 };
    await refund({ ...early, refundId: 'erased-3', reason: `sent back by <Erased@mail.example>` });
    await refund({ ...early, refundId: 'kept', reason: 'not-erased@mail.example' });
    await runOrderbeacon(['person', 'erase', '--team', team.teamId, '--email', email], server.env);
    await refund({ orderId: 'erased', refundId: 'erased-2', amount: 1, reason: `${email} again` });
    const { text, body } = await read('erased');
    expect(body.data).toMatchObject({ email: null, refundedAmount: 2 });
    expect(text).not.toContain(email);
    const rows = await server.sql`select reason from refund where refund_id like 'erased-%'`;
    expect(rows).toEqual([{ reason: null }, { reason: null }, { reason: null }]);
    await order({ orderId: 'erased-early', email: 'bob@mail.example' });
    expect((await read('erased-early')).body.data.refunds).toMatchObject([
      { refundId: 'erased-3', amount: 1, reason: null },
      { refundId: 'kept', reason: 'not-erased@mail.example' },
    ]);
  });
});

it('of an order whose row is locked is answered with 503 in time, and holds up no other', async () => {
  const slow = await startServerForTest(undefined, undefined, {
    // The limit on lock waits does not reach the workers of a Citus cluster. The limit on statements does.
    bounds: { ...statementBounds, lockMs: 500 },
  });
  const shop = await slow.addTeam('shop.example');
  const by = await slow.addKey(shop.uuid);
  const report = (orderId: string) =>
    slow.reportByKey(by, { teamId: shop.teamId, email: 'ann@mail.example', amount: 50, orderId });
  for (const orderId of ['locked', 'free']) await report(orderId);
  const give = (orderId: string, refundId: string) =>
    refund({ orderId, refundId, amount: 1 }, { by, on: slow.url });
  const statuses = await slow.sql.begin(async (tx) => {
    await tx`select from placed_order where team_id = ${shop.uuid} and order_id = 'locked' for update`;
    const answers = await Promise.all([
      give('locked', 'locked-1'),
      give('locked', 'locked-2'),
      give('free', 'free-1'),
      report('new'),
      slow.send('GET', '/svc-api/v1/orders/locked', { headers: bearer(by) }),
    ]);
    return answers.map(({ status }) => status);
  });
  expect(statuses).toEqual([503, 503, 200, 200, 200]);
  expect((await give('locked', 'locked-1')).body.data).toMatchObject({ isNew: true, refundedAmount: 1 });
});

describe('two servers', () => {
  it('store a refund that reaches both once', async () => {
    await order({ orderId: 'race' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        refund({ orderId: 'race', refundId: 'race-1' }, { on: at % 2 ? server.url : beside.url }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => body.data.isNew)).toHaveLength(1);
    expect(answers.map(({ body }) => body.data.amount)).toEqual(Array(10).fill(50));
    expect((await read('race')).body.data.refunds).toHaveLength(1);
  });

  it('never give back more than an order, whichever refunds and reports of it they get', async () => {
    const said = { teamId: team.teamId, email: 'ann@mail.example', amount: 50, orderId: 'storm' };
    const on = (at: number) => (at % 2 ? server.url : beside.url);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => {
        if (at % 4 === 0)
          return sendTo(new URL('/svc-api/v1/orders', on(at / 4)), 'POST', {
            headers: { ...bearer(key), 'content-type': 'application/json' },
            body: JSON.stringify(said),
          });
        return refund({ orderId: 'storm', refundId: `storm-${at}`, amount: 7 }, { on: on(at) });
      }),
    );
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    const { refunds, refundedAmount } = (await read('storm')).body.data;
    expect([refundedAmount <= 50, refundedAmount]).toEqual([
      true,
      refunds.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
    ]);
  });
});
