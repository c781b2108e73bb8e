import { describe, expect, inject } from 'vitest';
import { listOrders } from '../../../src/core/orders/answer/sql/listOrders.js';
import { prepareReport } from '../../../src/core/orders/receive/prepareReport.js';
import { createReportOrders } from '../../../src/core/orders/store/sql/reportOrders.js';
import { hashKey } from '../../../src/core/teams/keys.js';
import { emptyFields, landing } from '../../kit/anOrder.js';
import { type Explained, explainAll, mostRows } from '../../kit/explained.js';
import { listenersOf } from '../../kit/listeners.js';
import { placeOrders } from '../../kit/placeOrder.js';
import { type Answer, startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { warningsOf } from '../../kit/warnings.js';

const newsletter = landing({ parameters: '?utm_source=newsletter,&utm_campaign=spring' });
const google = landing({ parameters: '?gclid=' });

/** Reads the order of the last new report. */
const lastOf = async ({ stored }: Shop) => (await stored()).at(-1)!;
const warned = ({ status, body }: Answer) => [status, ...warningsOf(body).map(({ path }) => path)];
const refused = ({ status, body }: Answer) => [status, body.error?.issues[0].path];

/** Writes a new report as JSON, with a JSON text as its field `note`. */
const withNote = ({ order }: Shop, note: string) =>
  JSON.stringify(order({ note: 0 })).replace('"note":0', `"note":${note}`);

test('landings of another form are left out of a page’s report with a warning, and refused with a key', async ({
  shop,
}) => {
  for (const landings of ['<script>', 'a.b.c', 7, {}]) {
    expect(warned(await shop.report({ landings }))).toEqual([200, 'landings']);
    expect(await lastOf(shop)).toMatchObject(emptyFields);
    expect(refused(await shop.reportByKey({ landings }))).toEqual([400, 'landings']);
  }
});

describe('a report with a key', () => {
  test('takes the touches of the latest order of its visitor, and only in its own mode', async ({ shop }) => {
    await shop.report({ visitorId: 'v', landings: newsletter });
    await shop.report({ visitorId: 'v', landings: `.${google}` });
    await shop.reportByKey({ visitorId: 'v' });
    expect(await lastOf(shop)).toMatchObject({ firstTouch: null, lastTouch: { source: 'google' } });
    await shop.reportByKey({ visitorId: 'v' }, { key: await shop.testKey() });
    expect(await lastOf(shop)).toMatchObject({ isTest: true, lastTouch: null });
  });

  // Where the tables are distributed, `reportOrders` does not store.
  test.skipIf(inject('isCitus'))(
    'reads few rows for the touches of a visitor that a backend gives all its orders',
    { tags: ['all'] },
    async () => {
      // A separate server, because a table with few rows is read whole.
      const shop = await openShop(await startServerForTest());
      const { sql, team } = shop;
      const sent = shop.order({ visitorId: 'guest' });
      await shop.reportByKey({ ...sent, orderId: 'first', landings: newsletter });
      await placeOrders(sql, team, Array(2_000).fill({ visitorId: 'guest', reportedBy: 'key' }));
      await sql`analyze placed_order`;
      const plans: Explained[] = [];
      const explained = explainAll(sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
      const keyHash = hashKey(await shop.liveKey());
      const reportSender = { teamId: team, keyHash, host: null, idempotencyKey: undefined };
      const at = { createdAt: new Date().toISOString(), idMs: Date.now() };
      const checked = { report: { ...sent, orderId: 'next' }, extra: null };
      const reportOrders = createReportOrders(listenersOf(explained));
      await reportOrders(explained, team, [prepareReport(checked, { ...reportSender, ...at }, 'secret')]);
      expect(plans.map(({ plan }) => mostRows(plan) < 10)).toEqual([true]);
      const rows = await listOrders(sql, team);
      expect(rows.find(({ orderId }) => orderId === 'next')!.firstTouch).toMatchObject({
        source: 'newsletter',
      });
    },
  );

  test('gives up those touches for the ones that the page of the same order sends later', async ({
    shop,
  }) => {
    await shop.report({ visitorId: 'v', landings: `${newsletter}.${google}` });
    const order = shop.order({ visitorId: 'v' });
    await shop.reportByKey(order);
    for (const landings of [landing({ parameters: '?utm_source=own' }), newsletter]) {
      await shop.report({ ...order, landings });
      expect(await lastOf(shop)).toMatchObject({ firstTouch: { source: 'own' }, lastTouch: null });
    }
  });

  test('may send landings itself', async ({ shop }) => {
    await shop.reportByKey({ landings: newsletter });
    expect(await shop.stored()).toMatchObject([{ firstTouch: { source: 'newsletter' } }]);
  });
});

describe('fields that the contract does not name', () => {
  test('are stored as they were sent, whatever their names are', async ({ shop }) => {
    const extra = '{"tax":1.5,"metadata":{"a":[null,true]},"__proto__":{"x":1},"constructor":"c","extra":2}';
    const sent = `${JSON.stringify(shop.order()).slice(0, -1)},${extra.slice(1)}`;
    expect(warned(await shop.report(sent))).toEqual([200]);
    expect(JSON.stringify((await lastOf(shop)).extra)).toBe(extra);
  });

  test('lose the largest beyond 8 KiB in a page’s report, and are refused by their name with a key', async ({
    shop,
  }) => {
    const sent = { big: 'x'.repeat(8_000), small: 'y'.repeat(300) };
    expect(warned(await shop.report(sent))).toEqual([200, 'big']);
    expect((await lastOf(shop)).extra).toEqual({ small: sent.small });
    expect(refused(await shop.reportByKey(sent))).toEqual([400, 'big']);
    await shop.reportByKey({ most: 'é'.repeat(4_090) });
    expect((await lastOf(shop)).extra.most).toHaveLength(4_090);
  });

  test('become storable in a page’s report, with a warning, and are refused with a key', async ({ shop }) => {
    for (const note of ['"a\\u0000b"', '"\\ud800"', `${'['.repeat(40)}${']'.repeat(40)}`]) {
      const sent = withNote(shop, note);
      expect(warned(await shop.report(sent))).toEqual([200, expect.stringMatching(/^note/)]);
      expect(refused(await shop.reportByKey(sent))).toEqual([400, expect.stringMatching(/^note/)]);
    }
  });
});

test.for([
  ['orderId', '{{ order.id }}'],
  ['orderId', false],
  ['orderId', true],
  ['reportId', 'undefined'],
  ['reportId', '{{ report }}'],
  ['reportId', ''],
  ['name', 'undefined undefined'],
  ['visitorId', '{{ visitor }}'],
] as const)(
  'a %s of a page that is none (%s) counts no more, and stays in the extra fields',
  async ([field, value], { shop }) => {
    const stated = { orderId: undefined, landings: newsletter, [field]: value };
    for (const email of ['one@buyer.example', 'two@buyer.example'])
      expect(warned(await shop.report({ ...stated, email }))).toEqual([200, field]);
    const none = { [field]: null, buyerName: null, extra: { [field]: value } };
    expect(await shop.stored()).toMatchObject([none, none]);
  },
);

test('an orderId that two pages have as a template does not make one order of two, and each retry is known', async ({
  shop,
}) => {
  for (const reportId of ['r-1', 'r-2', 'r-2']) await shop.report({ orderId: '{{ order.id }}', reportId });
  expect((await shop.stored()).map(({ reportId }) => reportId)).toEqual(['r-1', 'r-2']);
});

test('what counts for nothing from a page counts when a key sends it, and takes touches of no page', async ({
  shop,
}) => {
  const stated = { orderId: 'undefined', name: 'undefined undefined', visitorId: '{{ visitor }}' };
  await shop.report({ ...stated, landings: newsletter });
  await shop.reportByKey(stated);
  expect(await lastOf(shop)).toMatchObject({ ...stated, firstTouch: null, extra: null });
  expect((await shop.reportByKey({ orderId: false })).status).toBe(400);
});

test('an order with an orderId is not refused for an empty reportId', async ({ shop }) => {
  expect((await shop.report({ reportId: '' })).status).toBe(200);
  expect((await lastOf(shop)).extra).toEqual({ reportId: '' });
});

test('an amount of three decimals counts in a currency that has three', async ({ shop }) => {
  await shop.report({ amount: '12.500', currency: 'kwd' });
  expect(await shop.stored()).toMatchObject([{ amount: '12.5', currency: 'KWD' }]);
  expect((await shop.report({ amount: '12.500', currency: 'EUR' })).status).toBe(400);
  expect((await shop.reportByKey({ amount: '12.500', currency: 'KWD' })).status).toBe(400);
});

test('a name of 60 kB, and a visitor that is no text, do not refuse a page’s report', async ({ shop }) => {
  const answer = await shop.report({ name: 'x'.repeat(60_000), visitorId: { a: 1 } });
  expect(warned(answer)).toEqual([200, 'name', 'visitorId']);
  expect((await lastOf(shop)).name).toBe('x'.repeat(255));
});
