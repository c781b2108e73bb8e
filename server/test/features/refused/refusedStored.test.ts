import { expect } from 'vitest';
import { removeSettled } from '../../../src/features/refused/sql/removeRefused.js';
import { type Shop, test } from '../../kit/shop.js';
import { addTestSource } from '../sources/kit/sources.js';
import { session, stripeEvent } from '../sources/kit/stripeSamples.js';

const hostless = { origin: 'null' };
const foreign = { origin: 'https://other.example' };

/** A report without an order id. */
const nameless = { orderId: undefined };

/** Counts the waiting refused reports of a shop, after a report was stored. */
async function waitingAfter(shop: Shop, storing: Promise<{ status: number }>) {
  expect((await storing).status).toBe(200);
  await removeSettled(shop.sql, shop.team);
  return (await shop.refused()).length;
}

/** Has a page's report refused. */
async function refuse(shop: Shop, report: object, headers = {}) {
  expect((await shop.report({ ...report }, headers)).status).toBeGreaterThanOrEqual(400);
  expect(await shop.refused()).toHaveLength(1);
}

test.for([
  ['without a host, by its orderId', { orderId: 'o-1' }, hostless],
  ['without a host, by its reportId', { ...nameless, reportId: 'r-1' }, hostless],
  ['of another host', { orderId: 'o-1' }, foreign],
] as const)(
  'a refused report %s waits no more when a page stores it',
  async ([_, report, headers], { shop }) => {
    await refuse(shop, report, headers);
    expect(await waitingAfter(shop, shop.report({ orderId: 'o-2' }))).toBe(1);
    expect(await waitingAfter(shop, shop.report(report))).toBe(0);
  },
);

test.for([
  ['of a page that is not allowed', {}, foreign],
  ['of a page without a host', {}, hostless],
  ['without an amount', { amount: 'much' }, {}],
  ['without a valid email', { email: 'ann' }, {}],
] as const)(
  'a refused report %s waits no more when a key says its order',
  async ([_, report, headers], { shop }) => {
    await refuse(shop, { orderId: 'o-1', ...report }, headers);
    const key = await shop.testKey();
    expect(await waitingAfter(shop, shop.reportByKey({ orderId: 'o-1' }, { key }))).toBe(1);
    expect(await waitingAfter(shop, shop.reportByKey({ orderId: 'o-1' }))).toBe(0);
  },
);

test('a page’s refused report of a Checkout session waits no more when Stripe says its order', async ({
  shop,
}) => {
  const stripe = await addTestSource(shop.server, shop.team, { kind: 'stripe' });
  const { id: orderId } = session();
  await refuse(shop, { orderId, email: 'ann@shop.example' }, foreign);
  const other = stripeEvent('checkout.session.completed', session({ id: 'cs_2', payment_intent: 'pi_2' }));
  expect(await waitingAfter(shop, stripe.say(other))).toBe(1);
  const paid = stripeEvent('checkout.session.completed', session(), { id: 'evt_2' });
  expect(await waitingAfter(shop, stripe.say(paid))).toBe(0);
});

test('a refused report that names no host waits on when a test page says its order', async ({ shop }) => {
  await refuse(shop, { orderId: 'o-1' }, hostless);
  await shop.addDomain('localhost', { isTest: true });
  const test = shop.report({ orderId: 'o-1' }, { origin: 'http://localhost' });
  expect(await waitingAfter(shop, test)).toBe(1);
});

test('a key’s refused report waits no more when the key says it right under the same Idempotency-Key', async ({
  shop,
}) => {
  const by = { idempotencyKey: 'evt-1' };
  const key = await shop.testKey();
  expect((await shop.reportByKey({ ...nameless, amount: 'much' }, by)).status).toBe(400);
  expect(await waitingAfter(shop, shop.reportByKey(nameless, { ...by, key }))).toBe(1);
  expect(await waitingAfter(shop, shop.reportByKey(nameless, by))).toBe(0);
});

test('a refused report waits on when the order of its orderId is another buyer’s', async ({ shop }) => {
  await refuse(shop, { orderId: 'o-1' }, foreign);
  const other = (email: string) => ({ orderId: 'o-1', email });
  expect(await waitingAfter(shop, shop.report(other('bob@mail.example')))).toBe(1);
  expect((await shop.reportByKey(other('eve@mail.example'))).status).toBe(200);
  await removeSettled(shop.sql, shop.team);
  // After the answer, the page's report of bob is kept as refused, too: the backend gave his orderId to eve.
  await expect
    .poll(async () => (await shop.refused()).map(({ host }) => host).sort())
    .toEqual(['other.example', new URL(shop.origin).host]);
});

test.for([
  ['of another host', {}, foreign, 0],
  ['with a field that is wrong', { visitorId: 7, createdAt: 'never', source: 7 }, {}, 0],
  ['with another amount', { amount: 50 }, foreign, 1],
  ['with another currency', { currency: 'CHF' }, foreign, 1],
  ['of another buyer', { email: 'eve@buyer.example' }, foreign, 1],
  ['without an amount that can be read', { amount: 'much' }, {}, 1],
] as const)(
  'a refused report of a stored order, %s, waits only where it says something else',
  async ([_, report, headers, waiting], { shop }) => {
    const order = { orderId: 'o-1', amount: 49.9, currency: 'EUR' };
    expect((await shop.report(order)).status).toBe(200);
    expect((await shop.report({ ...order, ...report }, headers)).status).toBeGreaterThanOrEqual(400);
    expect(await shop.refused()).toHaveLength(waiting);
  },
);

test('a refused report with the reportId of a stored order does not wait', async ({ shop }) => {
  const order = { ...nameless, reportId: 'r-1' };
  expect((await shop.report(order)).status).toBe(200);
  expect((await shop.report(order, hostless)).status).toBe(403);
  expect(await shop.refused()).toEqual([]);
});
