import { expect } from 'vitest';
import { limits } from '../../../src/values/limits.js';
import { placeOrder } from '../../kit/placeOrder.js';
import { type Shop, test } from '../../kit/shop.js';

/** Stores refunds of one cent without requests, for an order of 50 USD or for an unknown order. */
async function addRefunds(
  shop: Shop,
  count: number,
  { orderId, isTest = false }: { orderId: string; isTest?: boolean },
) {
  const { sql, team, testKey } = shop;
  const first = `${orderId}-0`;
  await shop.refund({ orderId, refundId: first, amount: 0.01 }, isTest ? { key: await testKey() } : {});
  const copied = (column: string) => sql`replace(${sql(column)}::text, ${first}, ${`${orderId}-`} || n)`;
  const others = sql`generate_series(1, ${count - 1}) n`;
  await sql`
    insert into statement (team_id, is_test, object, placed_order_id, waits_as, waits_since, said)
    select team_id, is_test, ${copied('object')}, placed_order_id, waits_as, waits_since, ${copied('said')}::json
    from statement, ${others} where team_id = ${team} and object = ${`refund:${first}`}`;
  await sql`
    insert into refund (team_id, is_test, placed_order_id, object, refund_id, amount, counts, currency, created_at)
    select team_id, is_test, placed_order_id, ${copied('object')}, ${copied('refund_id')}, amount, counts, currency, created_at
    from refund, ${others} where team_id = ${team}`;
}

const tooMany = (message: string) => ({
  status: 400,
  body: { error: { code: 'invalid_request', issues: [{ path: 'orderId', message }] } },
});
const ofOrder =
  'names an order that has 500 refunds, which is the most; add up smaller ones and send their sum';

test('an order takes its 500th refund and not the next, and a repeat stays known', async ({ shop }) => {
  await placeOrder(shop.sql, shop.team, { orderId: 'A-1', amount: 50 });
  await addRefunds(shop, limits.refunds - 1, { orderId: 'A-1' });
  const refund = (refundId: string) => shop.refund({ orderId: 'A-1', refundId, amount: 0.01 });
  expect(await refund('last')).toMatchObject({ status: 200, body: { data: { isNew: true } } });
  expect(await refund('one-more')).toMatchObject(tooMany(ofOrder));
  expect(await refund('last')).toMatchObject({ status: 200, body: { data: { isNew: false } } });
});

test('refunds of tests that wait leave the places of live ones free', async ({ shop }) => {
  await addRefunds(shop, limits.waitingRefunds, { orderId: 'A-1', isTest: true });
  const live = { orderId: 'A-1', refundId: 'live', amount: 1 };
  expect(await shop.refund(live)).toMatchObject({ status: 200, body: { data: { order: null } } });
});

test('a team has 10,000 refunds that wait, and still refunds the orders that it knows', async ({ shop }) => {
  await addRefunds(shop, limits.waitingRefunds, { orderId: 'W-1' });
  expect(await shop.refund({ orderId: 'other', refundId: 'r', amount: 1 })).toMatchObject(
    tooMany('names no stored order, and 10000 refunds wait for theirs already'),
  );
  await placeOrder(shop.sql, shop.team, { orderId: 'A-1', amount: 50 });
  expect(await shop.refund({ orderId: 'A-1', refundId: 'r', amount: 1 })).toMatchObject({ status: 200 });
});

test('an order that others with refunds turned out to be lists 500 of them, and counts the money of all', async ({
  shop,
}) => {
  await placeOrder(shop.sql, shop.team, { orderId: 'A-1', amount: 50 });
  await addRefunds(shop, limits.refunds + 1, { orderId: 'A-1' });
  const { refunds, refundedAmount } = (await shop.read('A-1')).body.data;
  expect([refunds.length, refundedAmount]).toEqual([500, 5.01]);
});
