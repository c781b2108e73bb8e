import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { anOrder } from '../../kit/anOrder.js';
import { type Explained, explainAll } from '../../kit/explained.js';
import {
  type ServerOptions,
  startServerForTest,
  startTestServer,
  type TestServer,
} from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';

describe('a new order', () => {
  test('is answered with the contract’s fields, and stored once with all that was said', async ({ shop }) => {
    const { status, body } = await shop.report(anOrder.sent);
    const { id, orderNumber, peopleId, createdAt } = anOrder.listed;
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          id,
          orderNumber,
          amount: 49.9,
          currency: 'EUR',
          paymentStatus: 'PAID',
          peopleId,
          isTest: false,
          isNew: true,
          createdAt,
        },
      },
    ]);
    expect(await shop.stored()).toEqual([{ ...anOrder.stored, createdAt: new Date(body.data.createdAt) }]);
  });

  test('by key has the source MANUAL unless it names one', async ({ shop }) => {
    await shop.reportByKey();
    await shop.reportByKey({ source: 'paypal' });
    expect(await shop.stored()).toMatchObject([
      { source: 'MANUAL', reportedBy: 'key' },
      { source: 'PAYPAL', reportedBy: 'key' },
    ]);
  });

  test('as text/plain is the same order as application/json', async ({ shop }) => {
    const sent = shop.order();
    const first = await shop.report(sent, { 'content-type': 'text/plain;charset=UTF-8' });
    expect(first.body.data.isNew).toBe(true);
    expect((await shop.report(sent)).body.data).toEqual({ ...first.body.data, isNew: false });
  });

  test('is the same order with spaces around its orderId, as the SDK sends none', async ({ shop }) => {
    const sent = shop.order();
    const first = await shop.report(sent);
    const again = await shop.reportByKey({ ...sent, orderId: ` ${sent.orderId}\t` });
    expect([again.body.data.id, again.body.data.isNew]).toEqual([first.body.data.id, false]);
  });

  test('is stored while another order of the team is locked', async ({ shop }) => {
    const held = shop.order();
    await shop.report(held);
    let changed: Promise<number> | undefined;
    await shop.sql.begin(async (transaction) => {
      await transaction`select from placed_order
        where team_id = ${shop.team} and order_id = ${held.orderId} for update`;
      // It changes the locked order, so it has to wait. Reports before and after it need not.
      changed = shop.reportByKey({ ...held, amount: 2 }).then(({ body }) => body.data.amount);
      for (let n = 0; n < 3; n++) expect((await shop.report()).body.data.isNew).toBe(true);
    });
    expect(await changed).toBe(2);
  });

  test('without orderId and reportId is its own order each time', async ({ shop }) => {
    for (let n = 0; n < 2; n++)
      expect((await shop.report({ orderId: undefined })).body.data.isNew).toBe(true);
    expect(await shop.stored()).toHaveLength(2);
  });

  test.for([0, 0.1, 1e-8, 1e-20, 123456789012.34, 999999999999.999, 1e12, 49.999])(
    'keeps the amount %d exactly',
    async (amount, { shop }) => {
      const sent = shop.order({ amount });
      for (const { body } of [await shop.report(sent), await shop.report(sent)])
        expect(body.data.amount).toBe(amount);
      expect(
        await shop.sql`select amount = ${String(amount)}::numeric as same from placed_order where team_id = ${shop.team}`,
      ).toEqual([{ same: true }]);
    },
  );

  test('is a test by a test key or from a test domain, and only then', async ({ shop }) => {
    await shop.addDomain('localhost', { isTest: true });
    await shop.report({}, { origin: 'http://localhost:3000' });
    await shop.report();
    await shop.reportByKey({}, { key: await shop.testKey() });
    await shop.reportByKey();
    expect((await shop.stored()).map(({ isTest }) => isTest)).toEqual([true, false, true, false]);
  });

  test('takes the most exact domain entry’s word on being a test', async ({ shop }) => {
    await shop.addDomain(`*.${shop.domain}`);
    await shop.addDomain(`staging.${shop.domain}`, { isTest: true });
    for (const [host, isTest] of [
      ['staging', true],
      ['eu', false],
    ])
      expect((await shop.report({}, { origin: `https://${host}.${shop.domain}` })).body.data.isTest).toBe(
        isTest,
      );
  });
});

// If the tables are distributed, a transaction stores the orders of a batch.
test.skipIf(inject('isCitus'))(
  'a new order of a team without hooks costs one statement, from a page and with a key',
  async () => {
    const asked: Explained[] = [];
    const watching: ServerOptions['watching'] = (sql, pool) =>
      /orders|work/.test(pool) ? explainAll(sql, asked) : sql;
    const shop = await openShop(await startServerForTest({ watching }));
    const reportBoth = async () => [await shop.report(), await shop.reportByKey()];
    // The first reports look up the team and the key.
    await reportBoth();
    asked.length = 0;
    await reportBoth();
    expect(asked.map(({ name }) => name)).toEqual(['reportOrders', 'reportOrders']);
  },
);

describe('a second report', () => {
  test('of the same orderId returns the stored order, whichever way it comes', async ({ shop }) => {
    const sent = shop.order();
    const first = await shop.report(sent);
    for (const again of [await shop.report(sent), await shop.reportByKey(sent)])
      expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
    expect(await shop.stored()).toHaveLength(1);
  });

  test('of the same reportId is the same order, though it has no orderId', async ({ shop }) => {
    const sent = { orderId: undefined, reportId: 'rep-1' };
    const first = await shop.report(sent);
    expect((await shop.report(sent)).body.data).toEqual({ ...first.body.data, isNew: false });
  });

  test('with the same Idempotency-Key by key is the same order; a page’s header means nothing', async ({
    shop,
  }) => {
    const sent = { orderId: undefined };
    const first = await shop.reportByKey(sent, { idempotencyKey: 'idem-1' });
    const again = await shop.reportByKey(sent, { idempotencyKey: 'idem-1' });
    expect(again.body.data).toEqual({ ...first.body.data, isNew: false });
    expect((await shop.report(sent, { 'idempotency-key': 'idem-1' })).body.data.isNew).toBe(true);
  });

  test('by the same names in another mode is another order', async ({ shop }) => {
    await shop.addDomain('localhost', { isTest: true });
    const sent = { orderId: undefined, shopOrderId: '9', reportId: 'rep-1' };
    await shop.report(sent, { origin: 'http://localhost:3000' });
    await shop.report(sent);
    expect((await shop.stored()).map(({ isTest }) => isTest)).toEqual([true, false]);
  });

  test('that repeats what a page and a key have said writes nothing', async ({ shop }) => {
    const sent = shop.order();
    const report = async () => [await shop.report(sent), await shop.reportByKey(sent)];
    const rows = () =>
      shop.sql`select object, xmin::text from statement where team_id = ${shop.team} order by object`;
    await report();
    const before = await rows();
    expect(before).toHaveLength(2);
    await report();
    expect(await rows()).toEqual(before);
  });

  test('that a stranger makes with a guessed orderId learns nothing and leaves nothing', async ({ shop }) => {
    // More digits than the port in the URL of the docs can have.
    const sent = shop.order({ amount: 777_777, name: 'Secret' });
    await shop.report(sent);
    const before = await shop.stored();
    const { status, text, body } = await shop.report({ ...sent, email: 'guess@evil.example', amount: 0 });
    expect([status, body.error]).toEqual([
      409,
      {
        code: 'order_conflict',
        message: 'This orderId is known with another buyer.',
        docs: expect.stringMatching('/docs/errors/order_conflict$'),
      },
    ]);
    expect(text).not.toMatch(/777777|Secret|ann@|ord_|ORD-|ppl_/);
    expect(await shop.stored()).toEqual(before);
    expect(await shop.sql`select email from person where team_id = ${shop.team}`).toEqual([
      { email: sent.email },
    ]);
  });

  test('with the reportId of another buyer’s order is refused, and not asked to come again', async ({
    shop,
  }) => {
    const sent = { orderId: undefined, reportId: 'r-1' };
    await shop.report(sent);
    const before = await shop.stored();
    const { status, body } = await shop.report({ ...sent, email: 'bob@buyer.example' });
    expect([status, body.error.code]).toEqual([409, 'order_conflict']);
    expect(await shop.stored()).toEqual(before);
  });

  test('of another team with the same orderId is another order', async ({ shop, server }) => {
    const other = await openShop(server);
    await shop.report({ orderId: 'shared' });
    expect((await other.report({ orderId: 'shared' })).body.data.isNew).toBe(true);
  });

  test('gives a nameless person a name and never takes one away', async ({ shop }) => {
    for (const [name, expected] of [
      [undefined, null],
      ['First', 'First'],
      ['Second', 'First'],
    ] as const) {
      await shop.report({ name });
      expect((await shop.stored())[0]!.buyerName).toBe(expected);
    }
  });
});

describe.each([1, 256])('concurrently, with at most %d rows a statement,', (batchRows) => {
  let server: TestServer;
  let shop: Shop;
  beforeAll(async () => {
    server = await startTestServer({ queue: { batchRows } });
    shop = await openShop(server);
  });
  afterAll(() => server.close());

  test('100 reports of one orderId, half of them by key, make one order with exactly one isNew', async () => {
    const sent = shop.order({ email: 'race@buyer.example' });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? shop.report(sent) : shop.reportByKey(sent))),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(100).fill(200));
    expect(answers.filter((answer) => answer.body.data.isNew)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    const rows = (await shop.stored()).filter(({ email }) => email === sent.email);
    expect(rows).toMatchObject([{ orderId: sent.orderId, reportedBy: 'both' }]);
  });

  test('100 orders of one new email make one person', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => shop.report({ email: 'crowd@buyer.example' })),
    );
    expect(new Set(answers.map((answer) => answer.body.data.peopleId)).size).toBe(1);
    expect(answers.every((answer) => answer.body.data.isNew)).toBe(true);
  });

  test('separators of the rows go out of texts, and each text is in its own order', async () => {
    const names = ['\x1f', '\x1e', 'a\x1fb', '\x1e1', '\x1e0\x1f', 'plain', undefined, '\u{1f600}\x1f\n'];
    const sent = names.map((name, at) =>
      shop.order({ email: `n${at}@buyer.example`, name: name && `x${name}x`, orderId: `s-${at}` }),
    );
    const answers = await Promise.all(sent.map((order) => shop.report(order)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const rows =
      await server.sql`select order_id, name from placed_order where team_id = ${shop.team} and order_id like 's-%' order by order_id`;
    expect(rows.map(({ order_id, name }) => [order_id, name])).toEqual(
      sent.map(({ orderId, name }) => [orderId, name?.replaceAll('\x1e', '').replaceAll('\x1f', '') ?? null]),
    );
  });

  test('an order whose id was stored with a separator by an earlier release is found by it', async () => {
    const { body } = await shop.report({ orderId: 'old-id' });
    await server.sql`update placed_order set order_id = ${'old\x1fid'} where team_id = ${shop.team} and order_id = 'old-id'`;
    const found = await shop.read('old\x1fid');
    expect(found.body.data).toMatchObject({ id: body.data.id, orderId: 'old\x1fid' });
  });

  test('good, foreign, conflicting and wrongly keyed reports each get their own verdict', async () => {
    const known = shop.order({ email: 'known@buyer.example' });
    await shop.report(known);
    const foreignKey = await (await openShop(server)).liveKey();
    const rounds = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answers = await Promise.all([
          shop.report(),
          shop.report({}, { origin: 'https://evil.example' }),
          shop.report({ ...known, email: 'someone@else.example' }),
          shop.reportByKey({}, { key: foreignKey }),
          shop.report(known),
        ]);
        return answers.map((answer) => answer.body.error?.code ?? answer.body.data.isNew);
      }),
    );
    for (const round of rounds)
      expect(round).toEqual([true, 'domain_not_allowed', 'order_conflict', 'team_mismatch', false]);
  });
});
