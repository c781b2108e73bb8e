import { describe, expect } from 'vitest';
import { erasePerson } from '../../../src/commands/eraseBuyer.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { anOrder, emptyFields } from '../../kit/anOrder.js';
import { listenersOf } from '../../kit/listeners.js';
import { findWaitsBehind } from '../../kit/lockWaits.js';
import { placeOrder } from '../../kit/placeOrder.js';
import { type Shop, test } from '../../kit/shop.js';

/** Tests over HTTP and in PostgreSQL how strangers, test keys and pages may change an order. */

describe('live and test are two modes:', () => {
  test.for([
    ['test', 'live'],
    ['live', 'test'],
  ] as const)(
    'a %s key’s order of an orderId keeps no %s key’s from being stored',
    async (modes, { shop }) => {
      const amounts = { live: 250, test: 1 };
      const report = async (mode: 'live' | 'test') =>
        (
          await shop.reportByKey(
            { orderId: 'x', amount: amounts[mode] },
            { key: mode === 'live' ? await shop.liveKey() : await shop.testKey() },
          )
        ).body.data;
      const first = [await report(modes[0]), await report(modes[1])];
      expect(await shop.stored()).toMatchObject(
        modes.map((mode) => ({ orderId: 'x', isTest: mode === 'test', amount: String(amounts[mode]) })),
      );
      expect([await report(modes[0]), await report(modes[1])]).toEqual(
        first.map((data) => ({ ...data, isNew: false })),
      );
    },
  );

  test('a reportId and an Idempotency-Key of a test are no live order’s', async ({ shop }) => {
    await shop.addDomain('localhost', { isTest: true });
    for (const origin of ['http://localhost', shop.origin])
      await shop.report({ orderId: undefined, reportId: 'ob:mode' }, { origin });
    for (const key of [await shop.testKey(), await shop.liveKey()])
      await shop.reportByKey({ orderId: undefined }, { idempotencyKey: 'evt_mode', key });
    expect((await shop.stored()).map(({ isTest }) => isTest)).toEqual([true, false, true, false]);
  });

  test('a test’s name gives way to a live key’s', async ({ shop }) => {
    await shop.reportByKey({ name: 'Test' }, { key: await shop.testKey() });
    await shop.reportByKey({ name: 'Ann' });
    expect((await shop.stored()).map(({ buyerName }) => buyerName)).toEqual(['Ann', 'Ann']);
  });
});

describe('pages and backends have identifiers of their own:', () => {
  test('a page cannot capture a backend’s Idempotency-Key by its reportId', async ({ shop }) => {
    await shop.report({ orderId: undefined, reportId: 'evt_captured', amount: 1 });
    const answer = await shop.reportByKey({ orderId: undefined }, { idempotencyKey: 'evt_captured' });
    expect(answer.body.data.isNew).toBe(true);
    expect(await shop.stored()).toMatchObject([
      { reportId: 'evt_captured', keys: [], amount: '1' },
      { reportId: null, keys: ['evt_captured'], amount: '49.9' },
    ]);
  });

  test('the reportId in the body of a report with a key is an Idempotency-Key, unless the header is there', async ({
    shop,
  }) => {
    const sent = { orderId: undefined, reportId: 'evt_body' };
    const first = await shop.reportByKey(sent);
    const again = await shop.reportByKey({ orderId: undefined }, { idempotencyKey: 'evt_body' });
    expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
    await shop.reportByKey(sent, { idempotencyKey: 'evt_header' });
    await shop.report(sent);
    expect(await shop.stored()).toMatchObject([
      { keys: ['evt_body'], reportId: null },
      { keys: ['evt_header'], reportId: null },
      { keys: [], reportId: 'evt_body' },
    ]);
  });

  test('a page’s reportId counts only where there is no orderId', async ({ shop }) => {
    await shop.report({ orderId: 'one', reportId: 'ob:shared' });
    await shop.report({ orderId: 'other', reportId: 'ob:shared' });
    for (let n = 0; n < 2; n++) await shop.report({ orderId: undefined, reportId: 'ob:shared' });
    expect(await shop.stored()).toMatchObject([
      { orderId: 'one', reportId: null },
      { orderId: 'other', reportId: null },
      { orderId: null, reportId: 'ob:shared' },
    ]);
  });
});

test('a page that gives the made-up address of no buyer learns and changes nothing of another’s order', async ({
  shop,
}) => {
  await shop.report({ orderId: 'x' });
  const before = await shop.stored();
  const unknownBuyer = { orderId: 'x', email: 'x@no-email.invalid', name: 'Eve', visitorId: 'v-eve' };
  const { status, body } = await shop.report(unknownBuyer);
  expect([status, body.error?.code, body.data]).toEqual([409, 'order_conflict', undefined]);
  expect(await shop.stored()).toEqual(before);
});

describe('a key report of another buyer than the page’s', () => {
  test('leaves nothing of the page’s: no visitor, name, items, reportId or time', async ({ shop }) => {
    const order = shop.order({ name: 'Ann' });
    const squatter = await shop.report({
      ...order,
      email: 'squatter@evil.example',
      amount: 0,
      name: 'Eve',
      items: [{ sku: 'X' }],
      visitorId: 'v-eve',
      landings: anOrder.sent.landings,
      tax: 1,
      reportId: 'ob:eve',
    });
    // Times have milliseconds, and the next report must not be of the same one.
    await expect.poll(() => new Date().toISOString()).not.toBe(squatter.body.data.createdAt);
    const { createdAt } = (await shop.reportByKey(order, { idempotencyKey: 'evt_squatted' })).body.data;
    expect(createdAt > squatter.body.data.createdAt).toBe(true);
    const [stored] = await shop.stored();
    expect(stored).toMatchObject({
      ...emptyFields,
      name: 'Ann',
      email: order.email,
      amount: '49.9',
      reportId: null,
      keys: ['evt_squatted'],
      reportedBy: 'key',
      createdAt: new Date(createdAt),
    });
    const again = await shop.report({ ...order, email: 'squatter@evil.example', visitorId: 'v-eve' });
    expect(again.body.error.code).toBe('order_conflict');
    expect(await shop.stored()).toEqual([stored]);
  });

  test('gives the person the key’s name in the place of one that a page said, never the reverse', async ({
    shop,
  }) => {
    const names: string[] = [];
    const order = shop.order();
    for (const report of [
      () => shop.report({ ...order, name: 'Squatted' }),
      () => shop.reportByKey({ ...order, name: 'Ann' }),
      () => shop.report({ name: 'Squatted' }),
      () => shop.reportByKey({ name: 'Second' }),
    ]) {
      await report();
      names.push((await shop.stored())[0]!.buyerName);
    }
    expect(names).toEqual(['Squatted', 'Ann', 'Ann', 'Ann']);
  });

  test.for(['page', 'key'])(
    'gives the key’s name to a person of one statement, though the %s comes first',
    async (first, { shop }) => {
      const reports = [() => shop.report({ name: 'Aaa' }), () => shop.reportByKey({ name: 'Zoe' })];
      await shop.liveKey();
      await Promise.all((first === 'page' ? reports : reports.toReversed()).map((report) => report()));
      expect((await shop.stored()).map(({ buyerName }) => buyerName)).toEqual(['Zoe', 'Zoe']);
    },
  );
});

test('a key report keeps the page’s name where its own is only the space between two empty ones', async ({
  shop,
}) => {
  const order = shop.order({ name: 'Ann' });
  await shop.report(order);
  await shop.reportByKey({ ...order, name: ' ' });
  expect(await shop.stored()).toMatchObject([{ reportedBy: 'both', name: 'Ann', buyerName: 'Ann' }]);
});

describe('one Idempotency-Key for two orders', () => {
  test('is refused with 422 and every field that differs, and nothing is stored', async ({ shop }) => {
    const order = shop.order({ currency: 'USD' });
    const first = await shop.reportByKey(order, { idempotencyKey: 'evt_reused' });
    const before = await shop.stored();
    const other = { orderId: 'another', email: 'another@buyer.example', amount: 251, currency: 'EUR' };
    const { status, body } = await shop.reportByKey(other, { idempotencyKey: 'evt_reused' });
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(body.error.message).toContain('another orderId, email, amount, currency;');
    expect(await shop.stored()).toEqual(before);
    expect(await shop.sql`select from person where team_id = ${shop.team}`).toHaveLength(1);
    const again = await shop.reportByKey(order, { idempotencyKey: 'evt_reused' });
    expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
  });

  test('stores exactly one of the two when they come concurrently', async ({ shop }) => {
    const orders = Array.from({ length: 10 }, () => shop.order());
    const answers = await Promise.all(
      orders.map((order) => shop.reportByKey(order, { idempotencyKey: 'evt_race' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await shop.stored()).toMatchObject([{ orderId: orders[winner]!.orderId }]);
  });
});

describe('an order of an erased buyer', () => {
  const erase = async ({ sql, team, stored }: Shop) =>
    erasePerson(sql, team, (await stored())[0]!.personId, listenersOf(sql));

  test('gets nothing back from a webhook that is replayed, or from the page', async ({ shop }) => {
    const order = shop.order({ name: 'Ann', visitorId: 'v-ann' });
    await shop.reportByKey(order, { idempotencyKey: 'evt_erased' });
    await erase(shop);
    const erased = await shop.stored();
    expect(erased).toMatchObject([{ email: null, buyerName: null, ...emptyFields }]);
    for (const by of [{ idempotencyKey: 'evt_erased' }, {}, { idempotencyKey: 'evt_new' }])
      expect((await shop.reportByKey(order, by)).body.data).toMatchObject({ isNew: false, amount: 49.9 });
    expect((await shop.report(order)).body.error.code).toBe('order_conflict');
    expect(await shop.stored()).toEqual([{ ...erased[0], keys: ['evt_erased', 'evt_new'] }]);
    expect(JSON.stringify(erased)).not.toMatch(/ann/i);
  });

  test('leaves a new purchase with that email a new person', async ({ shop }) => {
    const order = shop.order();
    const first = await shop.reportByKey(order);
    await erase(shop);
    await shop.reportByKey({ name: 'Ann' });
    expect((await shop.stored()).map(({ email, buyerName }) => [email, buyerName])).toEqual([
      [null, null],
      [order.email, 'Ann'],
    ]);
    expect((await shop.reportByKey(order)).body.data.peopleId).not.toBe(first.body.data.peopleId);
  });
});

test('an order that gets its orderId while another of that orderId is stored is a lost race, no 500', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await shop.reportByKey({ orderId: undefined }, { idempotencyKey: 'evt_raced' });
  const waitsBehind = async (tx: Sql, statement: string) => {
    await expect
      .poll(() => findWaitsBehind(sql, tx))
      .toEqual([{ query: expect.stringContaining(statement) }]);
  };
  const { naming } = await inTransaction(sql, async (storing) => {
    const started = await inTransaction(sql, async (holding) => {
      await holding`select from placed_order where team_id = ${team} for update`;
      const report = shop.reportByKey({ orderId: 'raced' }, { idempotencyKey: 'evt_raced' });
      // It has searched already, and found the one order that waits for its orderId.
      await waitsBehind(holding, '/* lockOrders */');
      await placeOrder(storing, team, {
        orderId: 'raced',
        orderNumber: 'ORD-RACED',
        amount: 49.9,
        reportedBy: 'key',
      });
      return { naming: report };
    });
    await waitsBehind(storing, '/* updateOrder */');
    return started;
  });
  // The key identifies one order and the orderId the other, so they are one.
  const answer = await naming;
  const [{ orderNumber }, ...others] = (await shop.stored()) as [{ orderNumber: string }];
  expect([answer, others]).toMatchObject([{ status: 200, body: { data: { orderNumber } } }, []]);
  expect((await shop.read('ORD-RACED')).body.data.orderNumber).toBe(orderNumber);
});
