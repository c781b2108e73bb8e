import { describe, expect, onTestFinished } from 'vitest';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import type { PlaceStatements } from '../../../src/core/orders/merge/placing.js';
import { discardOrder } from '../../../src/core/orders/store/discardOrder.js';
import { connect, type Sql } from '../../../src/database/connection/connect.js';
import { decodeId } from '../../../src/values/ids.js';
import { addTestSource } from '../../features/sources/kit/sources.js';
import { charge, payment, session, stripeEvent } from '../../features/sources/kit/stripeSamples.js';
import { wooOrder } from '../../features/sources/kit/wooCommerceSamples.js';
import { listenersOf } from '../../kit/listeners.js';
import { findWaitsBehind } from '../../kit/lockWaits.js';
import { placeOrder } from '../../kit/placeOrder.js';
import type { Answer } from '../../kit/server.js';
import { settle } from '../../kit/settle.js';
import { type Shop, shopAt, test } from '../../kit/shop.js';

/** Returns the status of a refusal, and the fields that it names. */
const refusalOf = ({ status, body }: Answer) => [
  status,
  body.error?.message.match(/another (.*); nothing/)?.[1],
];

/** Reports orders of Ann for 10 USD by key, each with an `Idempotency-Key`. */
function senderOf({ reportByKey }: Shop) {
  const send = (idempotencyKey: string, stated: object = {}, key?: string) =>
    reportByKey({ amount: 10, orderId: undefined, ...stated }, { idempotencyKey, ...(key && { key }) });
  /** Reports, and returns the stored order. */
  async function order(...args: Parameters<typeof send>) {
    const { status, body } = await send(...args);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data as { id: string; isNew: boolean; amount: number };
  }
  return { send, order, refused: async (...args: Parameters<typeof send>) => refusalOf(await send(...args)) };
}

test('an order whose number is the Idempotency-Key of its backend is joined with that of its payment', async ({
  shop,
  server,
}) => {
  const source = await addTestSource(server, shop.team, { kind: 'stripe' });
  const email = 'ann@shop.example';
  const left = (await shop.report({ email, orderId: session().id })).body.data.id;
  await source.say(stripeEvent('payment_intent.succeeded', payment()));
  const other = (await shop.read(payment().id)).body.data;
  const { amount, currency } = other;
  const again = { email, amount, currency, orderId: payment().id };
  const { body } = await shop.reportByKey(again, { idempotencyKey: other.orderNumber });
  expect(body.data.id).toBe(other.id);
  const { status } = await source.say(stripeEvent('checkout.session.completed', session()));
  expect(status).toBe(200);
  for (const name of [session().id, other.id, other.orderNumber])
    expect((await shop.read(name)).body.data.id).toBe(left);
});

test('a page with a payment’s id and the payment’s event at the same moment are one order', async ({
  shop,
  server,
}) => {
  const source = await addTestSource(server, shop.team, { kind: 'stripe' });
  // Without an email it does not wait for the buyer whom the page stores.
  const event = payment({ receipt_email: null });
  const { id } = event;
  const order = { orderId: id, email: 'ann@shop.example', amount: 49.9, currency: 'USD' };
  const other = connect(server.env.DATABASE_URL!, 1);
  onTestFinished(() => other.end());
  let page: Promise<Answer> | undefined;
  await other
    .begin(async (tx) => {
      // The page's statement waits for this row, and commits after the event has looked again.
      await tx`
        insert into order_key (team_id, kind, key, is_test, placed_order_id)
        values (${shop.team}, 'provider', ${id}, false, gen_random_uuid())`;
      page = shop.report(order);
      await expect.poll(() => findWaitsBehind(shop.sql, tx as unknown as Sql)).toHaveLength(1);
      const { body } = await source.say(stripeEvent('payment_intent.succeeded', event));
      expect(body.data.outcomes).toEqual(['new']);
      throw new Error('rolled back');
    })
    .catch((error: Error) => expect(error.message).toBe('rolled back'));
  expect((await page!).body.data.isNew).toBe(true);
  await expect.poll(() => shop.stored()).toMatchObject([{ orderId: id, amount: '49.9' }]);
});

test('a number passes from one stored order to another', async ({ shop, server }) => {
  const [stripe, woo] = [
    await addTestSource(server, shop.team, { kind: 'stripe' }),
    await addTestSource(server, shop.team, { kind: 'woocommerce' }),
  ];
  const createdS = Math.floor(Date.now() / 1_000) - 86_400;
  const date = new Date(createdS * 1_000).toISOString().slice(0, 19);
  const paid = (id: string, fields: object = {}) =>
    stripe.say(
      stripeEvent(
        'charge.succeeded',
        charge({ id: `ch_${id}`, payment_intent: `pi_${id}`, currency: 'eur', created: createdS, ...fields }),
      ),
    );
  await paid('a', { metadata: { order_id: '230' } });
  const dates = { date_created_gmt: date, date_paid_gmt: date, date_modified_gmt: date };
  await woo.say(
    wooOrder(230, { number: 'RE-1', transaction_id: '', meta_data: [], ...dates }),
    'order.updated',
  );
  await paid('b', { created: createdS + 7_200 });
  const later = { payment_intent: 'pi_b', currency: 'eur', created: createdS + 7_200 };
  const { status } = await stripe.say(
    stripeEvent('checkout.session.completed', session({ ...later, metadata: { order_id: 'RE-1' } })),
  );
  expect(status).toBe(200);
  expect((await shop.stored()).map(({ orderId }) => orderId).sort()).toEqual(['230', 'RE-1']);
});

describe('a backend that its payment takes from an order', () => {
  const email = 'ann@shop.example';
  const ofBackend = { email, amount: 34.88, currency: 'EUR', orderId: undefined };

  /** Sends two payments with one number. A page seems to be about the second one until the first one has its number. */
  async function sayBoth(shop: Shop, report: () => Promise<unknown>) {
    const source = await addTestSource(shop.server, shop.team, { kind: 'stripe' });
    const createdS = Math.floor(Date.now() / 1_000) - 7_200;
    const paid = { billing_details: { email }, customer_details: { email }, currency: 'eur' };
    const say = (type: string, n: number, object: Record<string, unknown>) =>
      source.say(stripeEvent(type, { ...object, ...paid, payment_intent: `pi_${n}`, created: createdS + n }));
    const paidCharge = (n: number, amount: number) =>
      say('charge.succeeded', n, charge({ id: `ch_${n}`, amount, amount_captured: amount }));
    const paidSession = (n: number, amount: number) =>
      say(
        'checkout.session.completed',
        n,
        session({ id: `cs_${n}`, amount_total: amount, metadata: { orderId: '1002' } }),
      );
    await paidCharge(1, 6_763);
    await shop.report({ email, amount: 34.88, currency: 'EUR', orderId: '1002' });
    await report();
    await paidCharge(2, 3_488);
    await paidSession(2, 3_488);
    await paidSession(1, 6_763);
  }

  /** Expects that an order is found by the names of its payment, and by a report with its backend's key. */
  async function isFoundByAll(shop: Shop, idempotencyKey: string) {
    const names = ['cs_2', 'pi_2', 'ch_2', 'cs_1'];
    const found = await Promise.all(names.map(async (name) => (await shop.read(name)).body.data));
    expect(found.map(({ amount }) => amount)).toEqual([34.88, 34.88, 34.88, 67.63]);
    const again = await shop.reportByKey(ofBackend, { idempotencyKey });
    expect(again.body.data).toMatchObject({ id: found[0].id, amount: 34.88, isNew: false });
  }

  test('is found by its key in the order of the payment', async ({ shop }) => {
    await sayBoth(shop, () => shop.reportByKey(ofBackend, { idempotencyKey: 'pi_2' }));
    await isFoundByAll(shop, 'pi_2');
  });

  test('is found there, too, if a server of 0.4.0 stored it', async ({ shop }) => {
    const { sql, team } = shop;
    await sayBoth(shop, async () => {
      const stated = { email, amount: 34.88, currency: 'EUR', source: 'MANUAL' } as const;
      const id = await placeOrder(sql, team, { ...stated, reportedBy: 'key' });
      await sql`
        insert into order_key (team_id, kind, key, is_test, placed_order_id, object, amount, currency)
        values
          (${team}, 'provider', 'pi_2', false, ${id}, 'legacy', null, null),
          (${team}, 'idempotency', 'key-2', false, ${id}, '', 34.88, 'EUR')`;
    });
    await isFoundByAll(shop, 'key-2');
  });
});

test('a backend that reports its order again, by a number that the order no longer shows, reports that order', async ({
  shop,
}) => {
  const { sql, team, server } = shop;
  const woo = await addTestSource(server, team, { kind: 'woocommerce' });
  const stated = { email: 'ann@shop.example', amount: 30, currency: 'USD', orderId: '1001' };
  const report = async (idempotencyKey: string, more = {}) =>
    (await shop.reportByKey({ ...stated, ...more }, { idempotencyKey })).body.data;
  const first = await report('k1', { shopOrderId: '78' });
  const { email, amount, currency } = stated;
  await woo.say(
    wooOrder(78, { number: '1002', total: String(amount), currency, billing: { email } }),
    'order.updated',
  );
  const again = await report('k2');
  await settle(sql, team);
  const found = await Promise.all(['1001', '1002', first.id, again.id].map((name) => shop.read(name)));
  expect(found.map(({ body }) => body.data.id)).toEqual(Array(4).fill(first.id));
  expect(await shop.stored()).toHaveLength(1);
});

test('an order that is known by 300 ids of payments lists 200 of them, and is found by each', async ({
  shop,
}) => {
  const id = await placeOrder(shop.sql, shop.team, { orderId: 'A-1', reportedBy: 'key' });
  await shop.sql`
    insert into order_key (team_id, key, is_test, placed_order_id)
    select ${shop.team}, 'ch_' || n, false, ${id} from generate_series(1, 300) n`;
  const answers = await Promise.all(['A-1', 'ch_1', 'ch_300'].map((name) => shop.read(name)));
  expect(answers.map(({ body }) => [body.data.orderId, body.data.keys.length])).toEqual(
    Array(3).fill(['A-1', 200]),
  );
});

describe('an Idempotency-Key stays with the order that it met', () => {
  test('though the order has one already: each finds it alone, and none may name another order', async ({
    shop,
  }) => {
    const { order, refused } = senderOf(shop);
    const { id } = await order('k2', { orderId: 'a' });
    for (const later of ['k1', 'k3']) expect(await order(later, { orderId: 'a' })).toMatchObject({ id });
    for (const each of ['k1', 'k2', 'k3']) {
      expect(await order(each)).toMatchObject({ id, isNew: false });
      expect(await refused(each, { orderId: 'b' })).toEqual([422, 'orderId']);
      // No report has named a currency.
      const other = { email: 'x@mail.example', amount: 11, currency: 'EUR' };
      expect(await refused(each, other)).toEqual([422, 'email, amount']);
    }
    expect(await shop.stored()).toHaveLength(1);
  });

  test('though its report said another amount than the order: the same report finds it again, another is refused', async ({
    shop,
  }) => {
    const { order, refused } = senderOf(shop);
    const { id } = await order('k1', { orderId: 'a' });
    const stated = { orderId: 'a', amount: 12, currency: 'EUR' };
    for (let round = 0; round < 2; round++)
      expect(await order('k2', stated)).toMatchObject({ id, amount: 10 });
    expect(await refused('k2', { ...stated, amount: 10 })).toEqual([422, 'amount']);
    expect(await refused('k2', { ...stated, email: 'y@mail.example' })).toEqual([422, 'email']);
    expect(await shop.stored()).toMatchObject([{ amount: '10', keys: ['k1', 'k2'] }]);
  });
});

test('keys that come at the same moment, to two servers, for one order are kept with it, new or known', async ({
  shop,
  beside,
}) => {
  const { order, refused } = senderOf(shop);
  const there = senderOf(shopAt(beside, shop));
  for (const round of [0, 1, 2]) {
    const orderId = `a-${round}`;
    if (round % 2) await shop.reportByKey({ amount: 10, orderId });
    const keys = ['k1', 'k2', 'k3'].map((key) => `${key}-${round}`);
    const answers = await Promise.all(
      [...keys, ...keys].map((key, n) => (n % 2 ? there.order : order)(key, { orderId })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    for (const key of keys) {
      expect(await order(key)).toMatchObject({ id: answers[0]!.id });
      expect(await refused(key, { orderId: 'b' })).toEqual([422, 'orderId']);
    }
  }
});

test('an order that a backend reports while a person discards it stays', async ({ shop }) => {
  const { sql, team } = shop;
  const { body } = await shop.report({ orderId: 'o-1' });
  const place = createPlaceStatements(sql, listenersOf(sql));
  const placeLate: PlaceStatements = async (...placing) => {
    expect((await shop.reportByKey({ orderId: 'o-1' })).status).toBe(200);
    return place(...placing);
  };
  expect(await discardOrder(sql, placeLate, team, decodeId('ord', body.data.id)!)).toBe(false);
  expect(await shop.stored()).toMatchObject([{ orderId: 'o-1', reportedBy: 'both' }]);
});

test('a key is forgotten with its order when that is discarded, and never by erasing a person', async ({
  shop,
}) => {
  const { order } = senderOf(shop);
  const testKey = await shop.testKey();
  const { id } = await order('k1', { orderId: 'a' }, testKey);
  await shop.discard(id);
  expect((await order('k1', { orderId: 'b' }, testKey)).isNew).toBe(true);

  const live = await order('k1', { orderId: 'a' });
  await shop.command('person', 'erase', '--email', 'ann@buyer.example');
  expect(await order('k1')).toMatchObject({ id: live.id, isNew: false });
});

test('a key and a reportId that hold an email are stored as their hash, and known again', async ({
  shop,
}) => {
  const { order } = senderOf(shop);
  const key = 'order of ann@buyer.example';
  const { id } = await order(key);
  await shop.report({ orderId: undefined, reportId: key });
  const names = (await shop.stored()).flatMap(({ keys, reportId }) => [...keys, reportId]);
  expect(JSON.stringify(names)).not.toContain('@');
  await shop.command('person', 'erase', '--email', 'ann@buyer.example');
  expect(await order(key)).toMatchObject({ id, isNew: false });
});

test('a person without a name gets the one that a page gives late, though a key reported the order without it', async ({
  shop,
}) => {
  const order = shop.order();
  const names: unknown[] = [];
  await shop.reportByKey(order);
  for (const name of [undefined, 'Ann', 'Eve']) {
    await shop.report({ ...order, name, visitorId: 'v-1' });
    const [stored] = await shop.stored();
    names.push(stored!.buyerName);
    expect(stored!.name).toBe(name === undefined ? null : 'Ann');
  }
  await shop.reportByKey({ ...order, name: 'Anna' });
  expect([...names, (await shop.stored())[0]!.buyerName]).toEqual([null, 'Ann', 'Ann', 'Anna']);
});

test('an order keeps 100 keys, however often it is reported with new ones, and is found still', async ({
  shop,
}) => {
  const { order, refused } = senderOf(shop);
  const { id } = await order('k1', { orderId: 'a' });
  const keys = () => shop.sql`select from order_key where placed_order_id = ${decodeId('ord', id)}`;
  await shop.sql`
    insert into order_key (team_id, kind, key, is_test, placed_order_id, amount, currency)
    select team_id, kind, key || '-' || n, is_test, placed_order_id, 10, 'USD'
    from order_key, generate_series(1, 98) n where placed_order_id = ${decodeId('ord', id)}`;
  for (const further of ['k2', 'k3', 'k3']) {
    expect(await order(further, { orderId: 'a' })).toMatchObject({ id, isNew: false });
    expect(await keys()).toHaveLength(100);
  }
  expect(await refused('k2', { orderId: 'a', amount: 11 })).toEqual([422, 'amount']);
});

describe('what nobody sees in an id', () => {
  const marks = ['200e', '2068', 'feff', '3164', 'e0020'];
  test.for(marks)('does not count: U+%s', async (mark, { shop }) => {
    const hidden = String.fromCodePoint(Number.parseInt(mark, 16));
    const orderId = `${hidden}10${hidden}01 ${hidden}`;
    await shop.report({ orderId });
    await shop.report({ orderId: '1001' });
    await shop.reportByKey({ orderId: `1001${hidden}` });
    expect((await shop.refund({ orderId, refundId: `r${hidden}`, amount: 1 })).body.data.order).toMatch(
      /^ord_/,
    );
    expect((await shop.refund({ orderId: '1001', refundId: 'r', amount: 1 })).body.data.isNew).toBe(false);
    expect((await shop.read(orderId)).body.data).toMatchObject({ orderId: '1001', refundedAmount: 1 });
    expect(await shop.stored()).toHaveLength(1);
    const empty = await shop.reportByKey({ orderId: hidden });
    expect([empty.status, empty.body.error.issues[0].path]).toEqual([400, 'orderId']);
  });

  test('does not count in an event of a source and its refunds', async ({ shop }) => {
    const woo = await addTestSource(shop.server, shop.team, { kind: 'woocommerce' });
    const number = '\u20681001\u2069';
    const refunds = [{ id: 7, reason: '', total: '-1.00' }];
    await shop.report({ orderId: '1001', email: 'ann@shop.example', amount: 50 });
    await woo.say(wooOrder(1, { number, refunds }), 'order.updated');
    expect((await shop.read('1001')).body.data).toMatchObject({ reportedBy: 'both', refundedAmount: 1 });
    expect(await shop.stored()).toHaveLength(1);
  });
});

test('a report with a key by which no retry finds its order is warned of that, naming both ways', async ({
  shop,
}) => {
  const warned = ({ body }: Answer) => body.data.warnings?.map(({ path }: { path: string }) => path);
  const nameless = { currency: 'USD', orderId: undefined };
  const { body } = await shop.reportByKey(nameless);
  expect(body.data.warnings).toEqual([
    {
      path: 'orderId',
      message:
        'is missing, and so is the header Idempotency-Key: sent again, this report is another order. Send one of them',
    },
  ]);
  expect(warned(await shop.reportByKey(nameless, { idempotencyKey: 'evt_1' }))).toBeUndefined();
  expect(warned(await shop.reportByKey({ ...nameless, reportId: 'r-1' }))).toBeUndefined();
  expect(warned(await shop.reportByKey({ currency: 'USD' }))).toBeUndefined();
  // The script of a page warns of it itself.
  expect(warned(await shop.report(nameless))).toBeUndefined();
});
