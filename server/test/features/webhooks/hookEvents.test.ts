import { expect } from 'vitest';
import { createSequence } from '../../../src/core/people/sql/sequence.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { deliveryContent } from '../../../src/features/webhooks/hookBody.js';
import { enqueueStored } from '../../../src/features/webhooks/sql/enqueueOrder.js';
import { decodeId, encodeId, newUuid, type Uuid } from '../../../src/values/ids.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { addTestSource } from '../sources/kit/sources.js';
import { payment, refund, session, stripeEvent } from '../sources/kit/stripeSamples.js';
import { addTestHook, listEnqueued } from './kit/hooks.js';

/** Adds a hook for live events and one for test events. */
async function addHooks({ sql, team }: Shop) {
  return { live: await addTestHook(sql, team), tests: await addTestHook(sql, team, { isTest: true }) };
}

/** Lists the events of a hook, each with the id of its order. */
async function eventsOf({ sql }: Shop, hook: Uuid) {
  const rows = await listEnqueued(sql, hook);
  return rows.map(({ type, subjectId }) => `${type} ${subjectId && encodeId('ord', subjectId)}`);
}

test('each hook of a team gets a new order once, and no hook of another team, of tests or that is switched off', async ({
  server,
  shop,
}) => {
  const { live, tests } = await addHooks(shop);
  const second = await addTestHook(shop.sql, shop.team);
  const off = await addTestHook(shop.sql, shop.team);
  await shop.sql`update hook set disabled_at = now() where id = ${off}`;
  const deaf = await addTestHook(shop.sql, shop.team, { events: ['order.changed'] });
  const others = await addHooks(await openShop(server));
  const answers = await Promise.all(Array.from({ length: 40 }, () => shop.report()));
  const ids = answers.map(({ body }) => `order.created ${body.data.id}`).sort();
  expect((await eventsOf(shop, live)).sort()).toEqual(ids);
  expect((await eventsOf(shop, second)).sort()).toEqual(ids);
  for (const hook of [off, deaf, tests, others.live, others.tests])
    expect(await eventsOf(shop, hook)).toEqual([]);
  // The order's id makes the same `webhook-id` for all hooks.
  for (const { id, subjectId } of await listEnqueued(shop.sql, second)) expect(id).toBe(subjectId);
});

test('a new order is sent as it is read, whether one statement stores it or, on a cluster, several', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await addTestHook(sql, team);
  await shop.report({ orderId: 'a', items: [{ sku: 'x' }], gift: true, amount: 49.9 });
  const take = async () =>
    (await sql`delete from hook_delivery where team_id = ${team} returning id, data`)[0]!;
  const { id, data } = await take();
  await inTransaction(sql, (tx) => enqueueStored(tx, team, [id]));
  const again = await take();
  expect(again.id).toBe(id);
  const { body } = await shop.read('a');
  for (const stored of [data, again.data])
    expect(deliveryContent('order.created', stored)).toEqual(body.data);
});

test('no hook gets a report that is refused, known, or the same again', async ({ shop }) => {
  const { live } = await addHooks(shop);
  const { body } = await shop.report({ orderId: 'a' });
  const statuses = [
    await shop.report({ orderId: 'a' }),
    await shop.report({ orderId: 'a', email: 'bob@buyer.example' }),
    await shop.report({ orderId: 'b' }, { origin: 'https://x.example' }),
    await shop.report({ orderId: 'c', amount: -1 }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 409, 403, 400]);
  expect(await eventsOf(shop, live)).toEqual([`order.created ${body.data.id}`]);
});

test('hooks of tests get what a test key says, and those alone', async ({ shop }) => {
  const { live, tests } = await addHooks(shop);
  const { body } = await shop.reportByKey({}, { key: await shop.testKey() });
  expect(await eventsOf(shop, tests)).toEqual([`order.created ${body.data.id}`]);
  expect(await eventsOf(shop, live)).toEqual([]);
});

test('a change of a known order is sent once, and not when it is repeated', async ({ shop }) => {
  const { live } = await addHooks(shop);
  const { id } = (await shop.report({ orderId: 'a' })).body.data;
  for (let time = 0; time < 3; time++)
    await shop.reportByKey({ orderId: 'a', amount: 7 }, { idempotencyKey: 'k' });
  expect(await eventsOf(shop, live)).toEqual([`order.created ${id}`, `order.changed ${id}`]);
});

test('of two orders that turn out to be one, the one that is left is sent with the id of the other', async ({
  shop,
}) => {
  const { live } = await addHooks(shop);
  const source = await addTestSource(shop.server, shop.team, { kind: 'stripe' });
  const left = (await shop.report({ email: 'ann@shop.example', orderId: session().id })).body.data.id;
  await source.say(stripeEvent('payment_intent.succeeded', payment()));
  const other = (await eventsOf(shop, live))[1]!.slice('order.created '.length);
  await source.say(stripeEvent('refund.created', refund()));
  await source.say(stripeEvent('checkout.session.completed', session()));
  // Deliveries of one millisecond are listed in any order.
  const events = [`order.changed ${left}`, `order.merged ${left}`, `order.refunded ${left}`];
  expect((await eventsOf(shop, live)).slice(2).sort()).toEqual(events);
  const [{ data }] = await shop.sql<[{ data: object }]>`
    select data from hook_delivery where team_id = ${shop.team} and type = 'order.merged'`;
  expect(data).toEqual({ ...(await shop.read(left)).body.data, mergedId: other });
  expect(data).toMatchObject({ id: left, paymentStatus: expect.stringContaining('REFUNDED') });
});

test('a refund is sent once, and one that waited when it finds its order', async ({ shop }) => {
  const { live } = await addHooks(shop);
  const sendRefund = (orderId: string, refundId: string) => shop.refund({ orderId, refundId, amount: 1 });
  const first = (await shop.reportByKey({ orderId: 'a' })).body.data.id;
  expect((await sendRefund('a', 'r-1')).status).toBe(200);
  expect((await sendRefund('a', 'r-1')).body.data.isNew).toBe(false);
  expect((await sendRefund('late', 'r-2')).status).toBe(200);
  const before = [`order.created ${first}`, `order.refunded ${first}`];
  expect(await eventsOf(shop, live)).toEqual(before);
  const late = (await shop.reportByKey({ orderId: 'late' })).body.data.id;
  await shop.read('late');
  expect(await eventsOf(shop, live)).toEqual([...before, `order.created ${late}`, `order.refunded ${late}`]);
});

test('a new subscription is sent once, although it is asked for many times concurrently, by the mode of the key', async ({
  shop,
}) => {
  const { live, tests } = await addHooks(shop);
  const key = await shop.testKey();
  const email = 'ann@buyer.example';
  await shop.reportByKey({ email });
  const [mine, other] = [newUuid(), newUuid()];
  for (const id of [mine, other]) await createSequence(shop.sql, shop.team, { id, name: 'Welcome' });
  const enroll = async (id: Uuid, by = {}) =>
    (await shop.enroll({ email, sequenceId: encodeId('seq', id) }, by)).body.data.subscriptionId;
  const answers = await Promise.all(Array.from({ length: 20 }, () => enroll(mine)));
  expect(answers).toEqual(Array(20).fill(answers[0]));
  const tested = await enroll(other, { key });
  const enrollments = async (hook: Uuid) =>
    (await listEnqueued(shop.sql, hook)).filter(({ type }) => type === 'enrollment.created');
  expect(await enrollments(live)).toMatchObject([{ subjectId: decodeId('sub', answers[0]) }]);
  expect(await enrollments(tests)).toMatchObject([{ subjectId: decodeId('sub', tested) }]);
});

test('a hook that was just added gets the next order, on a server that has cached the team', async ({
  shop,
}) => {
  await shop.report();
  const hook = await addTestHook(shop.sql, shop.team);
  const { body } = await shop.report();
  expect(await eventsOf(shop, hook)).toEqual([`order.created ${body.data.id}`]);
});
