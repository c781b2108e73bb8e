import { describe, expect } from 'vitest';
import { addRefunds } from '../../../src/core/orders/answer/addRefunds.js';
import { listOrders } from '../../../src/core/orders/answer/sql/listOrders.js';
import { createLookAgain } from '../../../src/core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import { listMeant } from '../../../src/core/orders/merge/waiting.js';
import { discardOrder } from '../../../src/core/orders/store/discardOrder.js';
import { type RefundReport, requireStorable } from '../../../src/core/refunds/refundReport.js';
import { sumRefunds } from '../../../src/core/refunds/sql/listRefunds.js';
import { createRemoveRefund, createStoreRefund } from '../../../src/core/refunds/storeRefund.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { withoutTurns } from '../../../src/database/turns.js';
import { decodeId } from '../../../src/values/ids.js';
import { anOrder } from '../../kit/anOrder.js';
import { listenersOf } from '../../kit/listeners.js';
import { findWaitsBehind } from '../../kit/lockWaits.js';
import { placeOrder, placeOrders } from '../../kit/placeOrder.js';
import type { Answer } from '../../kit/server.js';
import { settle } from '../../kit/settle.js';
import { openShop, type Shop, shopAt, test } from '../../kit/shop.js';

/** Reports an order for 50 USD by key, with the given fields. Returns the answer's data. */
async function order({ reportByKey }: Shop, stated: object, key?: string) {
  const { body } = await reportByKey({ amount: 50, ...stated }, key === undefined ? {} : { key });
  return body.data;
}

/** Creates the functions that place statements and remove refunds, as a command does. */
const placeIn = (sql: Sql) => createPlaceStatements(sql, listenersOf(sql));
const removeIn = (sql: Sql) => createRemoveRefund(withoutTurns(sql), placeIn(sql));

/** Lists the ids of a team's refunds that wait for their orders. */
async function waitingOf({ sql }: Shop, team: string) {
  const rows = await sql<{ object: string }[]>`
    select object from statement where team_id = ${team} and placed_order_id is null and waits_as = 'refund' order by object`;
  return rows.map(({ object }) => object.replace('refund:', ''));
}

/** Returns the status of a refusal, its code, and the first field that it names with the message. */
const refusalOf = ({ status, body }: Answer) => [
  status,
  body.error?.code,
  ...(body.error?.issues
    ?.slice(0, 1)
    .flatMap(({ path, message }: Record<string, string>) => [path, message]) ?? []),
];

describe('a refund', () => {
  test('of a part is answered with the order’s state, and the same again as known', async ({
    shop,
    beside,
  }) => {
    const { id } = await order(shop, { orderId: 'part' });
    const sent = { orderId: 'part', refundId: 'part-1', amount: 20, reason: 'broken' };
    const { status, body } = await shop.refund(sent);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          ...sent,
          order: id,
          currency: 'USD',
          paymentStatus: 'PARTIALLY_REFUNDED',
          refundedAmount: 20,
          isTest: false,
          isNew: true,
          createdAt: anOrder.listed.createdAt,
        },
      },
    ]);
    expect((await shopAt(beside, shop).refund(sent)).body.data).toEqual({ ...body.data, isNew: false });
  });

  test('without an amount gives back all that is left, to the decimal, and then nothing more is', async ({
    shop,
  }) => {
    await order(shop, { orderId: 'a', amount: 0.3 });
    await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 0.1 });
    const rest = await shop.refund({ orderId: 'a', refundId: 'r-2' });
    expect(rest.body.data).toMatchObject({ amount: 0.2, paymentStatus: 'REFUNDED', refundedAmount: 0.3 });
    const nothing = [
      [{}, 'orderId', 'names an order of which nothing is left to refund'],
      [{ amount: 0.1 }, 'amount', 'is more than is left of the order, which is nothing'],
    ] as const;
    for (const [stated, path, message] of nothing)
      expect(refusalOf(await shop.refund({ orderId: 'a', refundId: 'r-3', ...stated }))).toEqual([
        400,
        'invalid_request',
        path,
        message,
      ]);
  });

  test('of more than is left is refused with the rest', async ({ shop }) => {
    await order(shop, { orderId: 'a', currency: 'EUR' });
    await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 20.5 });
    expect(refusalOf(await shop.refund({ orderId: 'a', refundId: 'r-2', amount: 29.51 }))).toEqual([
      400,
      'invalid_request',
      'amount',
      'must be at most 29.5 EUR, which is left of the order',
    ]);
    expect((await shop.read('a')).body.data).toMatchObject({ refundedAmount: 20.5, amount: 50 });
  });

  test.for(['ann@buyer.example-1', 'ann%40buyer.example-1'])(
    'whose refundId holds an email is kept by its hash, and known again: %s',
    async (refundId, { shop }) => {
      await order(shop, { orderId: 'a' });
      const sent = { orderId: 'a', refundId, amount: 5 };
      expect((await shop.refund(sent)).body.data).toMatchObject({ ...sent, isNew: true });
      expect((await shop.refund(sent)).body.data).toMatchObject({ ...sent, isNew: false });
      const kept = await shop.sql`select refund_id from refund where team_id = ${shop.team}`;
      expect(kept).toEqual([{ refund_id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }]);
    },
  );

  test('with a refundId of another order or amount is refused, and nothing is stored', async ({ shop }) => {
    for (const orderId of ['a', 'other']) await order(shop, { orderId });
    await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 5 });
    for (const stated of [{ orderId: 'a', amount: 6 }, { orderId: 'a' }, { orderId: 'other', amount: 5 }])
      expect(refusalOf(await shop.refund({ refundId: 'r-1', ...stated }))).toEqual([422, 'refund_id_reused']);
    expect((await shop.read('a')).body.data.refundedAmount).toBe(5);
    expect((await shop.read('other')).body.data.refundedAmount).toBe(0);
  });

  test('that comes before its order waits for it, and shows as soon as the order is known', async ({
    shop,
  }) => {
    const sent = { orderId: 'late', refundId: 'late-1', amount: 60 };
    expect((await shop.refund(sent)).body.data).toMatchObject({
      order: null,
      amount: 60,
      currency: null,
      paymentStatus: null,
      refundedAmount: null,
      isNew: true,
    });
    const { id } = await order(shop, { orderId: 'late' });
    const { createdAt } = anOrder.listed;
    expect((await shop.read('late')).body.data).toMatchObject({
      id,
      paymentStatus: 'REFUNDED',
      refundedAmount: 50,
      refunds: [{ refundId: 'late-1', amount: 60, reason: null, createdAt }],
    });
    expect((await shop.refund(sent)).body.data).toMatchObject({ order: id, amount: 60, isNew: false });
  });

  test('that comes before its order finds it once that is stored, before anybody reads it', async ({
    shop,
  }) => {
    await shop.refund({ orderId: 'late', refundId: 'late-1', amount: 5 });
    await order(shop, { orderId: 'late' });
    // Far sooner than the rounds, one a minute, which would find it too.
    await expect.poll(() => waitingOf(shop, shop.team), { timeout: 10_000 }).toEqual([]);
  });

  test('without an amount, whose order is not known yet, has no amount until the order is known', async ({
    shop,
  }) => {
    const sent = { orderId: 'late', refundId: 'late-1' };
    for (const isNew of [true, false])
      expect((await shop.refund(sent)).body.data).toMatchObject({ order: null, amount: null, isNew });
    await order(shop, { orderId: 'late' });
    expect((await shop.refund(sent)).body.data).toMatchObject({ amount: 50, refundedAmount: 50 });
  });

  test('that has waited is of what the others leave, wherever it is shown', async ({ shop }) => {
    const { sql, team } = shop;
    const amounts = [20, undefined, 30];
    const lines = [20, 0, 30];
    await shop.command('hook', 'add', 'https://hooks.example/', '--events', 'order.refunded');
    for (const [n, amount] of amounts.entries())
      await shop.refund({ orderId: 'late', refundId: `r-${n}`, amount });
    await order(shop, { orderId: 'late' });
    const read = (await shop.read('late')).body.data;
    const [{ data: notices }] = await sql<[{ data: { refunds: object[] } }]>`
      select data from hook_delivery where team_id = ${team}`;
    const exported = await shop.command('person', 'export', '--email', 'ann@buyer.example');
    for (const { refunds, refundedAmount } of [read, notices, JSON.parse(exported.stdout).orders[0]])
      expect([refunds.map(({ amount }: { amount: number }) => amount), refundedAmount]).toEqual([lines, 50]);
    for (const [n, amount] of amounts.entries())
      expect((await shop.refund({ orderId: 'late', refundId: `r-${n}`, amount })).body.data).toMatchObject({
        amount: lines[n],
        refundedAmount: 50,
      });
    const counted =
      await sql`select counts::float from refund where team_id = ${team} order by created_at, refund_id`;
    expect(counted.map(({ counts }) => counts)).toEqual(lines);
    const listed = JSON.parse((await shop.command('order', 'list', '--json')).stdout);
    expect(listed).toMatchObject([{ refundedAmount: 50, paymentStatus: 'REFUNDED' }]);
  });

  test.for([
    [
      'ORD- number with another last character',
      (number: string) => number.slice(0, -1) + (number.endsWith('7') ? '8' : '7'),
    ],
    ['ORD- number that lacks a character', (number: string) => number.slice(0, -1)],
    ['ORD- number with a character too many', (number: string) => `${number}X`],
    ['ORD- number in lower case', (number: string) => `${number.slice(0, -1)}A`.toLowerCase()],
    ['ORD- number with an O for a zero', () => 'ORD-7K2MOX9Q4Z'],
    ['ord_ id that lacks a character', () => `ord_${'0'.repeat(25)}`],
    ['ord_ id in upper case', () => `ord_${'0'.repeat(25)}Z`],
    ['ord_ id with a character that ids do not have', () => `ord_${'0'.repeat(25)}u`],
    ['ord_ id that no order has', () => `ord_${'0'.repeat(26)}`],
  ] as const)('of a mistyped or unknown %s is refused, and does not wait', async ([, mistype], { shop }) => {
    const { orderNumber } = await order(shop, {});
    const answer = await shop.refund({ orderId: mistype(orderNumber), refundId: 'r' });
    expect(refusalOf(answer)).toEqual([404, 'order_not_found']);
    expect(await waitingOf(shop, shop.team)).toEqual([]);
  });

  test.for([
    'ORD-1001',
    'ORD-2026-0007',
    'ORD-1795000000000',
    'ORD-2026000123',
    'ord_123',
    'ORDER-AB12CD34EF',
  ])('waits for an order of the shop’s own id %s', async (orderId, { shop }) => {
    expect((await shop.refund({ orderId, refundId: 'r' })).body.data).toMatchObject({ order: null });
  });

  test.for([
    ['ord_ id', 'id'],
    ['ORD- number', 'orderNumber'],
  ] as const)(
    'finds an order by its %s, which comes before an orderId of that text',
    async ([, field], { shop }) => {
      const { id, [field]: name } = await order(shop, { orderId: undefined });
      await order(shop, { orderId: name, amount: 7 });
      expect((await shop.refund({ orderId: name, refundId: 'r' })).body.data).toMatchObject({
        order: id,
        amount: 50,
      });
      expect((await shop.read(name)).body.data).toMatchObject({ id, orderId: null, refundedAmount: 50 });
    },
  );

  test.for<[string, unknown, string]>([
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
    ['an orderId of 256 characters', { orderId: 'a'.repeat(256), refundId: 'r' }, 'orderId'],
    ['a refundId of spaces', { orderId: 'a', refundId: '  ' }, 'refundId'],
    ['a reason of 256 characters', { orderId: 'a', refundId: 'r', reason: 'x'.repeat(256) }, 'reason'],
    ['a reason with NUL', { orderId: 'a', refundId: 'r', reason: 'a\0' }, 'reason'],
    ['a reason with half a surrogate', { orderId: 'a', refundId: 'r', reason: '\ud800' }, 'reason'],
    ['an array', [], ''],
    ['null', 'null', ''],
  ])('with %s is refused by the name of the field', async ([, body, field], { shop }) => {
    const refused = refusalOf(await shop.refund(body as object | string));
    expect(refused.slice(0, 3)).toEqual([400, 'invalid_request', field]);
    expect(await waitingOf(shop, shop.team)).toEqual([]);
  });

  test.for<[string, RegExp]>([
    ['refundId', /, not null$/],
    ['amount', /, not null; an optional field can be left out$/],
  ])('whose %s is null is told to leave it out only if it may', async ([field, message], { shop }) => {
    const refused = refusalOf(await shop.refund({ orderId: 'a', refundId: 'r', [field]: null }));
    expect(refused.slice(2)).toEqual([field, expect.stringMatching(message)]);
  });

  test('with a misspelt field is told its name', async ({ shop }) => {
    const sent = { orderId: 'a', refundId: 'r' };
    expect(refusalOf(await shop.refund({ ...sent, amuont: 5 }))).toEqual([
      400,
      'invalid_request',
      '',
      'must have no field "amuont", only orderId, refundId, amount, reason and teamId',
    ]);
    const long = await shop.refund({ ...sent, ['x'.repeat(9000)]: 5 });
    expect(long.body.error.issues[0].message.length).toBeLessThan(400);
  });

  test('with half a body, or as a text, is refused, and not kept among the refused reports', async ({
    shop,
  }) => {
    expect(refusalOf(await shop.refund('{"orderId":'))).toEqual([400, 'invalid_json']);
    const asText = await shop.refund('{}', { headers: { 'content-type': 'text/plain' } });
    expect(refusalOf(asText)).toEqual([415, 'unsupported_media_type']);
    expect(await shop.refused()).toEqual([]);
  });

  test('needs a live key of the team: a page can never refund', async ({ shop, server }) => {
    await order(shop, { orderId: 'a' });
    const sent = { orderId: 'a', refundId: 'r-1', teamId: shop.teamId };
    const page = await server.send('POST', '/svc-api/v1/orders/refunds', {
      headers: { origin: shop.origin, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    expect(refusalOf(page)).toEqual([401, 'missing_api_key']);
    expect(page.headers.has('access-control-allow-origin')).toBe(false);
    const foreign = { key: await (await openShop(server)).liveKey() };
    expect(refusalOf(await shop.refund(sent, foreign))).toEqual([403, 'team_mismatch']);
    const revoked = { key: await server.addKey(shop.team) };
    expect((await shop.refund({ ...sent, amount: 1 }, revoked)).status).toBe(200);
    await shop.sql`update api_key set revoked_at = now() where team_id = ${shop.team}`;
    expect(refusalOf(await shop.refund({ ...sent, refundId: 'r-2' }, revoked))).toEqual([
      401,
      'invalid_api_key',
    ]);
    const by = { key: await server.addKey(shop.team) };
    expect((await shop.read('a', by)).body.data.refundedAmount).toBe(1);
  });

  test('shows in the answer to a later report of the order', async ({ shop }) => {
    const first = await order(shop, { orderId: 'a' });
    await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 20 });
    const part = { paymentStatus: 'PARTIALLY_REFUNDED', refundedAmount: 20 };
    expect(await order(shop, { orderId: 'a' })).toEqual({ ...first, ...part, isNew: false });
    await shop.refund({ orderId: 'a', refundId: 'r-2' });
    const whole = { amount: 50, paymentStatus: 'REFUNDED', refundedAmount: 50 };
    expect(await order(shop, { orderId: 'a' })).toMatchObject(whole);
  });

  test('shows in lists and exports, also when it has waited', async ({ shop }) => {
    await shop.refund({ orderId: 'listed', refundId: 'listed-1', amount: 20 });
    await order(shop, { orderId: 'listed' });
    await settle(shop.sql, shop.team);
    const run = async (...args: string[]) => (await shop.command('order', ...args)).stdout;
    expect(await run('list')).toContain('partially refunded');
    expect(JSON.parse(await run('list', '--json'))).toMatchObject([
      { amount: 50, paymentStatus: 'PARTIALLY_REFUNDED', refundedAmount: 20 },
    ]);
    const [heading, line] = (await run('export', '--format', 'csv')).split('\n').map((row) => row.split(','));
    expect(line![heading!.indexOf('refundedAmount')]).toBe('20');
    expect(line![heading!.indexOf('paymentStatus')]).toBe('PARTIALLY_REFUNDED');
  });

  test('is added up in the currency of its order, also after a report has said that', async ({ shop }) => {
    const sent = { orderId: 'a', amount: 100 };
    await shop.reportByKey(sent);
    await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 30 });
    await shop.reportByKey({ ...sent, currency: 'EUR' });
    expect((await shop.read('a')).body.data).toMatchObject({ currency: 'EUR', refundedAmount: 30 });
    const ever = { since: new Date(0), until: new Date(Date.now() + 60_000), isTest: false };
    expect(await sumRefunds(shop.sql, shop.team, ever)).toEqual([
      { currency: 'EUR', refunds: 1, amount: '30' },
    ]);
  });

  test.for([0.0000005, 1e-16])('of as little as %s is exact', async (amount, { shop }) => {
    await order(shop, { orderId: 'a', amount: 0.001, currency: 'BTC' });
    const { status, body } = await shop.refund({ orderId: 'a', refundId: 'r-1', amount });
    expect([status, body.data?.refundedAmount]).toEqual([200, amount]);
    expect((await shop.read('a')).body.data).toMatchObject({ refundedAmount: amount, refunds: [{ amount }] });
  });

  test('stays with its order after the buyer of that was erased', async ({ shop }) => {
    const { id } = (await shop.report({ orderId: undefined, reportId: 'r', amount: 50 })).body.data;
    await shop.refund({ orderId: id, refundId: 'r-1', amount: 20 });
    await shop.command('person', 'erase', '--email', 'ann@buyer.example');
    await shop.refund({ orderId: id, refundId: 'r-2', amount: 10 });
    expect((await shop.read(id)).body.data).toMatchObject({
      refundedAmount: 30,
      refunds: [{ refundId: 'r-1' }, { refundId: 'r-2' }],
    });
    expect(await waitingOf(shop, shop.team)).toEqual([]);
  });

  test('of an erased order that was discarded erases no other buyer of its number', async ({ shop }) => {
    const { id } = (await shop.report({ orderId: 'a', amount: 50 })).body.data;
    await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 20 });
    await shop.command('person', 'erase', '--email', 'ann@buyer.example');
    await shop.discard(id);
    await shop.report({ orderId: 'a', amount: 70, email: 'bob@buyer.example', name: 'Bob' });
    expect((await shop.read('a')).body.data).toMatchObject({
      email: 'bob@buyer.example',
      name: 'Bob',
      refundedAmount: 20,
    });
  });

  test('of an order without money leaves it paid, in the answer to a report as where it is read', async ({
    shop,
  }) => {
    await shop.refund({ orderId: 'free', refundId: 'free-1' });
    await order(shop, { orderId: 'free', amount: 0 });
    const { body } = await shop.read('free');
    expect(body.data).toMatchObject({ paymentStatus: 'PAID', refunds: [{ refundId: 'free-1', amount: 0 }] });
    const again = await order(shop, { orderId: 'free', amount: 0 });
    expect(again).toMatchObject({ isNew: false, paymentStatus: 'PAID' });
  });
});

describe('a refund of a program', () => {
  const stated: RefundReport = {
    refundId: 'r-1',
    orderId: 'a',
    amount: null,
    reason: null,
    isTest: false,
    createdAt: '2026-11-01T00:00:00.000Z',
  };

  test.for([
    ['refundId', { refundId: '' }],
    ['refundId', { refundId: 'a\0' }],
    ['orderId', { orderId: 'x'.repeat(256) }],
    ['orderId', { orderId: '\ud800' }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: Number.NaN }],
    ['amount', { amount: 1_000_000_000_001 }],
    ['amount', { amount: Number.POSITIVE_INFINITY }],
  ] as const)('with a wrong %s is refused by its name: %o', ([path, wrong]) => {
    expect(() => requireStorable({ ...stated, ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid_request', issues: [expect.objectContaining({ path })] }),
    );
  });

  test('keeps what can be stored of its reason', () => {
    expect(requireStorable({ ...stated, reason: 'x'.repeat(300) }).reason).toBe('x'.repeat(255));
    expect(requireStorable({ ...stated, reason: 'a\0b' }).reason).toBe('ab');
  });
});

describe('an order that is read', () => {
  test('has every field that is stored of it, by its own id and by ours', async ({ shop }) => {
    const { id } = (await shop.report(anOrder.sent)).body.data;
    const byOwnId = await shop.read('A-1001');
    const data = { ...anOrder.listed, id, refunds: [] };
    expect([byOwnId.status, byOwnId.body]).toEqual([200, { success: true, data }]);
    expect((await shop.read(id)).text).toBe(byOwnId.text);
  });

  test('while it is discarded is not found, and never shows money without its refund', async ({ shop }) => {
    const { id } = (await shop.report({ orderId: 'a', amount: 50 })).body.data;
    await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 12.5 });
    const [row] = await listOrders(shop.sql, shop.team, { id: decodeId('ord', id)!, limit: 1 });
    await shop.discard(id);
    expect(await addRefunds(shop.sql, shop.team, row!)).toBe(undefined);
  });

  test.for(['a/b', 'a b', '100%', '%41', 'ä😀', 'a?b#c', "'; drop", 'a+b', ':id', 'refunds '])(
    'is found by an orderId that needs encoding, once: %s',
    async (orderId, { shop }) => {
      const { id } = await order(shop, { orderId: `x${orderId}` });
      const { status, body } = await shop.read(`x${orderId}`);
      expect([status, body.data?.id]).toEqual([200, id]);
    },
  );

  test('is of the key’s team and mode, and any other is not found, to the byte', async ({ shop, server }) => {
    const foreign = await (await openShop(server)).liveKey();
    const testKey = await shop.testKey();
    const { id, orderNumber } = await order(shop, { orderId: 'mine' });
    const notFound = async (name: string, key?: string) => {
      const { status, text, body } = await shop.read(name, key === undefined ? {} : { key });
      expect([name, status, body.error.code]).toEqual([name, 404, 'order_not_found']);
      return text.replace(body.requestId, '');
    };
    const none = await notFound('none');
    for (const name of [id, 'mine', orderNumber])
      for (const key of [foreign, testKey]) expect(await notFound(name, key)).toBe(none);
    for (const name of [`ord_${'0'.repeat(26)}`, 'x'.repeat(256), 'a\0', id.toUpperCase()])
      expect(await notFound(name)).toBe(none);
  });

  test('is not kept from view by a page that has taken its ord_ id or its ORD- number as orderId', async ({
    shop,
  }) => {
    const { id, orderNumber } = await order(shop, { orderId: 'victim' });
    for (const name of [id, orderNumber]) {
      await shop.report({ email: 'eve@mail.example', amount: 1, orderId: name });
      expect((await shop.read(name)).body.data).toMatchObject({ id, orderId: 'victim' });
    }
  });

  test('of an erased person has neither their email nor the reasons of refunds, and gets none back', async ({
    shop,
  }) => {
    const email = 'erased@mail.example';
    await order(shop, { orderId: 'erased', email });
    await shop.refund({
      orderId: 'erased',
      refundId: 'erased-1',
      amount: 1,
      reason: `${email} sent it back`,
    });
    const exported = await shop.command('person', 'export', '--email', email);
    expect(JSON.parse(exported.stdout).orders[0]).toMatchObject({
      refundedAmount: 1,
      refunds: [{ refundId: 'erased-1', reason: `${email} sent it back` }],
    });
    await shop.command('person', 'erase', '--email', email);
    await shop.refund({ orderId: 'erased', refundId: 'erased-2', amount: 1, reason: `${email} again` });
    const { text, body } = await shop.read('erased');
    expect(body.data).toMatchObject({ email: null, refundedAmount: 2 });
    expect(text).not.toContain(email);
    expect(
      await shop.sql`select refund_id, reason from refund where team_id = ${shop.team} order by refund_id`,
    ).toEqual([
      { refund_id: 'erased-1', reason: null },
      { refund_id: 'erased-2', reason: null },
    ]);
  });
});

test('a refund that reaches two servers is stored once', async ({ shop, beside }) => {
  const shops = [shop, shopAt(beside, shop)];
  await order(shop, { orderId: 'race' });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => shops[at % 2]!.refund({ orderId: 'race', refundId: 'race-1' })),
  );
  expect(answers.filter(({ body }) => body.data.isNew)).toHaveLength(1);
  expect(answers.map(({ body }) => body.data.amount)).toEqual(Array(10).fill(50));
  expect((await shop.read('race')).body.data.refunds).toHaveLength(1);
});

test('an order among many waiting refunds finds its own by an index, and others read none of them', {
  tags: ['all'],
}, async ({ shop }) => {
  const { sql, team } = shop;
  const id = await placeOrder(sql, team, { orderId: 'known' });
  await sql`
    with waits as (select 'waits-' || i as value from generate_series(1, 10000) i), statements as (
      insert into statement (team_id, is_test, object, waits_as, waits_since, said)
      select ${team}, false, 'refund:' || value, 'refund', now(), '{}' from waits
    )
    insert into order_key (team_id, is_test, kind, key, object)
    select ${team}, false, 'number', value, 'refund:' || value from waits`;
  await sql`analyze statement, order_key`;
  const rowsRead = (readsWaiting: (tx: Sql) => Promise<unknown>) =>
    inTransaction(sql, async (tx) => {
      const count = async () =>
        (
          await tx`
            select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
            where relname in ('statement', 'order_key')`
        )[0]!.read;
      const before = await count();
      await readsWaiting(tx);
      return (await count()) - before;
    });
  expect(await rowsRead((tx) => listMeant(tx, team, [id]))).toBe(0);
  expect(await rowsRead((tx) => listOrders(tx, team, { limit: 50 }))).toBe(0);
});

test('a refund that was taken back counts nothing, is told of once, and is a new one when it is reported again', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await shop.command('hook', 'add', 'https://hooks.example/', '--events', 'order.refunded');
  const takeBack = removeIn(sql);
  await order(shop, { orderId: 'a' });
  for (const refundId of ['kept', 'lost']) await shop.refund({ orderId: 'a', refundId, amount: 20 });
  expect(await takeBack(team, 'lost', false)).toBe(true);
  expect(await takeBack(team, 'lost', false)).toBe(false);
  expect((await shop.read('a')).body.data).toMatchObject({
    paymentStatus: 'PARTIALLY_REFUNDED',
    refundedAmount: 20,
    refunds: [{ refundId: 'kept', amount: 20 }],
  });
  const since = new Date(0);
  const until = new Date('2100-01-01');
  expect(await sumRefunds(sql, team, { since, until, isTest: false })).toEqual([
    { currency: 'USD', refunds: 1, amount: '20' },
  ]);
  expect(await sql`select type from hook_delivery where team_id = ${team}`).toEqual(
    Array(3).fill({ type: 'order.refunded' }),
  );
  expect((await shop.refund({ orderId: 'a', refundId: 'lost', amount: 20 })).body.data).toMatchObject({
    isNew: true,
    refundedAmount: 40,
  });
});

test('a refund that is taken back while a report changes the money of its order leaves the sums right', {
  tags: ['all'],
}, async ({ shop }) => {
  const { sql, team } = shop;
  const takeBack = removeIn(sql);
  const { body } = await shop.report({ orderId: 'a', amount: 50 });
  for (const [refundId, amount] of Object.entries({ first: 5, second: 20 }))
    await shop.refund({ orderId: 'a', refundId, amount });
  const id = decodeId('ord', body.data.id)!;
  const ended = await inTransaction(sql, async (tx) => {
    await tx`select from placed_order where team_id = ${team} and id = ${id} for update`;
    const both = [takeBack(team, 'first', false), shop.reportByKey({ orderId: 'a', amount: 10 })];
    await expect.poll(async () => (await findWaitsBehind(sql, tx)).length).toBeGreaterThan(0);
    return { both };
  });
  await Promise.all(ended.both);
  const ever = { since: new Date(0), until: new Date('2100-01-01'), isTest: false };
  expect(await sumRefunds(sql, team, ever)).toEqual([{ currency: 'USD', refunds: 1, amount: '10' }]);
});

test('the refunds of an order count up to its amount, the oldest first, also after its money or its refunds have changed', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const sums = async (until = '2100-01-01') => {
    const range = { since: new Date(0), until: new Date(until), isTest: false };
    return (await sumRefunds(sql, team, range)).map(({ currency, amount }) => `${amount} ${currency}`);
  };
  const storeRefund = createStoreRefund(withoutTurns(sql), placeIn(sql));
  const refund = { orderId: 'a', amount: 30, reason: null, isTest: false };
  await storeRefund(team, { ...refund, refundId: 'second', createdAt: '2026-02-01T00:00:00.000Z' });
  await storeRefund(team, { ...refund, refundId: 'first', createdAt: '2026-01-01T00:00:00.000Z' });
  await shop.report({ orderId: 'a', amount: 40 });
  await settle(sql, team);
  expect([await sums('2026-01-15'), await sums()]).toEqual([['30 USD'], ['40 USD']]);
  // If it turns out that an order cost nothing, nothing was refunded.
  await shop.report({ orderId: 'free', amount: 40 });
  await shop.refund({ orderId: 'free', refundId: 'of-free', amount: 40 });
  await shop.reportByKey({ orderId: 'free', amount: 0 });
  expect(await sums()).toEqual(['40 USD']);
  // Now the money of the key's report counts.
  await shop.reportByKey({ orderId: 'a', amount: 50, currency: 'EUR' });
  expect([await sums('2026-01-15'), await sums()]).toEqual([['30 EUR'], ['50 EUR', '0 USD']]);
  await removeIn(sql)(team, 'first', false);
  expect([await sums('2026-01-15'), await sums()]).toEqual([[], ['30 EUR', '0 USD']]);
  await shop.refund({ orderId: 'a', refundId: 'rest' });
  expect(await sums()).toEqual(['50 EUR', '0 USD']);
});

test('of two refunds of one id that name two orders at the same moment one is stored', async ({ shop }) => {
  for (let n = 0; n < 20; n++) {
    const answers = await Promise.all(
      ['a', 'b'].map((orderId) => shop.refund({ orderId: `${orderId}-${n}`, refundId: `r-${n}`, amount: 5 })),
    );
    expect([n, answers.map(({ status }) => status).sort()]).toEqual([n, [200, 422]]);
  }
});

test('waiting refunds of every team find orders that others stored, soon and long ago; after 30 days they go', async ({
  shop,
  server,
}) => {
  const { sql, team } = shop;
  const own = await openShop(server);
  for (const { refund } of [shop, own]) {
    await refund({ orderId: 'late', refundId: 'r-1', amount: 1 });
    await refund({ orderId: 'never', refundId: 'r-2', amount: 1 });
    await refund({ orderId: 'never', refundId: 'r-3', amount: 1 });
  }
  await sql`update statement set waits_since = now() - interval '31 days' where object = 'refund:r-3' and team_id = ${team}`;
  const waiting = (of: string) => waitingOf(shop, of);
  const { round } = createLookAgain(sql, placeIn(sql), [], false);
  await placeOrder(sql, team, { orderId: 'late' });
  await round();
  expect(await waiting(team)).toEqual(['r-2']);
  for (const of of [team, own.team]) await placeOrder(sql, of, { orderId: of === team ? 'never' : 'late' });
  await round();
  expect([await waiting(team), await waiting(own.team)]).toEqual([[], ['r-2', 'r-3']]);
});

test('a refund of long ago waits 30 days from its arrival, and again from the discard of its order', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const storeRefund = createStoreRefund(withoutTurns(sql), placeIn(sql));
  const old = { reason: null, isTest: false, createdAt: '2020-01-01T00:00:00.000Z' };
  for (const orderId of ['late', 'discarded'])
    await storeRefund(team, { ...old, orderId, refundId: `of-${orderId}`, amount: 5 });
  const discarded = await placeOrder(sql, team, { orderId: 'discarded', amount: 50 });
  await sql`update statement set waits_since = now() - interval '31 days' where object = 'refund:of-discarded' and team_id = ${team}`;
  await settle(sql, team);
  await discardOrder(sql, placeIn(sql), team, discarded);
  await createLookAgain(sql, placeIn(sql), [], false).round();
  for (const orderId of ['late', 'discarded']) {
    await placeOrder(sql, team, { orderId, amount: 50 });
    expect((await shop.read(orderId)).body.data.refundedAmount).toBe(5);
  }
});

test('a refund by ord_… finds its order again when that was discarded and is reported once more', async ({
  shop,
}) => {
  const { id } = (await shop.report({ orderId: 'a', amount: 50 })).body.data;
  await shop.refund({ orderId: id, refundId: 'r-1', amount: 5 });
  await shop.discard(id);
  await shop.report({ orderId: 'a', amount: 50 });
  expect((await shop.read('a')).body.data).toMatchObject({
    refundedAmount: 5,
    refunds: [{ refundId: 'r-1' }],
  });
  expect((await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 5 })).body.data).toMatchObject({
    isNew: false,
    refundedAmount: 5,
  });
});

test('an order whose only refund is taken back while it is read is there, without it', async ({ shop }) => {
  const { sql, team } = shop;
  const { id } = await order(shop, { orderId: 'a' });
  await shop.refund({ orderId: 'a', refundId: 'r-1', amount: 12.5 });
  const [row] = await listOrders(sql, team, { id: decodeId('ord', id)!, limit: 1 });
  await removeIn(sql)(team, 'r-1', false);
  expect(await addRefunds(sql, team, row!)).toMatchObject({
    amount: 50,
    refundedAmount: 0,
    paymentStatus: 'PAID',
    refunds: [],
  });
});

test('more refunds than one batch that wait for an import have their orders after one round', {
  tags: ['all', 'slow'],
}, async ({ shop }) => {
  const { sql, team } = shop;
  await shop.refund({ orderId: 'late-0', refundId: 'late-0', amount: 1 });
  const copied = (column: string) => sql`replace(${sql(column)}::text, 'late-0', 'late-' || n)`;
  await sql`
    insert into statement (team_id, is_test, object, waits_as, waits_since, said)
    select team_id, is_test, ${copied('object')}, waits_as, waits_since, ${copied('said')}::json
    from statement, generate_series(1, 619) n where team_id = ${team}`;
  await sql`
    insert into order_key (team_id, is_test, kind, key, object)
    select team_id, is_test, kind, ${copied('key')}, ${copied('object')}
    from order_key, generate_series(1, 619) n where team_id = ${team}`;
  const orders = Array.from({ length: 620 }, (_, n) => ({ orderId: `late-${n}`, amount: 50 }));
  await placeOrders(sql, team, orders);
  await createLookAgain(sql, placeIn(sql), [], false).round();
  expect(await waitingOf(shop, team)).toEqual([]);
  const ever = { since: new Date(0), until: new Date('2100-01-01'), isTest: false };
  expect(await sumRefunds(sql, team, ever)).toEqual([{ currency: 'USD', refunds: 620, amount: '620' }]);
});

test('the sum of refunds counts by the date of the refund, the mode, and the currency of the order', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const storeRefund = createStoreRefund(withoutTurns(sql), placeIn(sql));
  await placeOrders(sql, team, [
    { orderId: 'usd', amount: 50 },
    { orderId: 'eur', amount: 50, currency: 'EUR' },
    { orderId: 'usd', amount: 50, isTest: true },
  ]);
  for (const [orderId, amount, createdAt, isTest] of [
    ['usd', 1, '2026-10-31T23:59:59.999Z', false],
    ['usd', 2, '2026-11-01T00:00:00.000Z', false],
    ['usd', 3.5, '2026-11-30T23:59:59.999Z', false],
    ['usd', 4, '2026-12-01T00:00:00.000Z', false],
    ['eur', 8, '2026-11-05T00:00:00.000Z', false],
    ['usd', 16, '2026-11-05T00:00:00.000Z', true],
    ['waits', 32, '2026-11-05T00:00:00.000Z', false],
  ] as const)
    await storeRefund(team, { orderId, amount, createdAt, isTest, refundId: `r-${amount}`, reason: null });
  await settle(sql, team);
  const november = { since: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') };
  expect(await sumRefunds(sql, team, { ...november, isTest: false })).toEqual([
    { currency: 'EUR', refunds: 1, amount: '8' },
    { currency: 'USD', refunds: 2, amount: '5.5' },
  ]);
  expect(await sumRefunds(sql, team, { ...november, isTest: true })).toEqual([
    { currency: 'USD', refunds: 1, amount: '16' },
  ]);
});
