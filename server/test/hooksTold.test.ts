import { expect } from 'vitest';
import { createSequence } from '../src/people/sql/sequence.js';
import { decodeId, encodeId, newUuid, type Uuid } from '../src/values/ids.js';
import { addTestHook, listTold } from './hooks.js';
import { openShop, type Shop, test } from './shop.js';

/** Adds a hook of live events and one of tests. */
async function addHooks({ sql, team }: Shop) {
  return { live: await addTestHook(sql, team), tests: await addTestHook(sql, team, { isTest: true }) };
}

/** The events of a hook, each with the id of its order. */
async function told({ sql }: Shop, hook: Uuid) {
  const rows = await listTold(sql, hook);
  return rows.map(({ type, subjectId }) => `${type} ${subjectId && encodeId('ord', subjectId)}`);
}

test('tells each hook of a team of a new order once, and no hook of another team, of tests or that is switched off', async ({
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
  expect((await told(shop, live)).sort()).toEqual(ids);
  expect((await told(shop, second)).sort()).toEqual(ids);
  for (const hook of [off, deaf, tests, others.live, others.tests])
    expect(await told(shop, hook)).toEqual([]);
  // The order's id makes the same `webhook-id` for all hooks.
  for (const { id, subjectId } of await listTold(shop.sql, second)) expect(id).toBe(subjectId);
});

test('tells nothing of a report that is refused, known, or the same again', async ({ shop }) => {
  const { live } = await addHooks(shop);
  const { body } = await shop.report({ orderId: 'a' });
  const statuses = [
    await shop.report({ orderId: 'a' }),
    await shop.report({ orderId: 'a', email: 'bob@buyer.example' }),
    await shop.report({ orderId: 'b' }, { origin: 'https://x.example' }),
    await shop.report({ orderId: 'c', amount: -1 }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 409, 403, 400]);
  expect(await told(shop, live)).toEqual([`order.created ${body.data.id}`]);
});

test('tells hooks of tests of what a test key says, and those alone', async ({ shop }) => {
  const { live, tests } = await addHooks(shop);
  const { body } = await shop.reportByKey({}, { key: await shop.testKey() });
  expect(await told(shop, tests)).toEqual([`order.created ${body.data.id}`]);
  expect(await told(shop, live)).toEqual([]);
});

test('tells of a change of a known order once, and nothing when it is repeated', async ({ shop }) => {
  const { live } = await addHooks(shop);
  const { id } = (await shop.report({ orderId: 'a' })).body.data;
  for (let time = 0; time < 3; time++)
    await shop.reportByKey({ orderId: 'a', amount: 7 }, { idempotencyKey: 'k' });
  expect(await told(shop, live)).toEqual([`order.created ${id}`, `order.changed ${id}`]);
});

test('tells of a refund once, and of one that waited when it finds its order', async ({ shop }) => {
  const { live } = await addHooks(shop);
  const refund = (orderId: string, refundId: string) => shop.refund({ orderId, refundId, amount: 1 });
  const first = (await shop.reportByKey({ orderId: 'a' })).body.data.id;
  expect((await refund('a', 'r-1')).status).toBe(200);
  expect((await refund('a', 'r-1')).body.data.isNew).toBe(false);
  expect((await refund('late', 'r-2')).status).toBe(200);
  const before = [`order.created ${first}`, `order.refunded ${first}`];
  expect(await told(shop, live)).toEqual(before);
  const late = (await shop.reportByKey({ orderId: 'late' })).body.data.id;
  await shop.read('late');
  expect(await told(shop, live)).toEqual([...before, `order.created ${late}`, `order.refunded ${late}`]);
});

test('tells of a new subscription once, although it is asked for many times concurrently, by the mode of the key', async ({
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
    (await listTold(shop.sql, hook)).filter(({ type }) => type === 'enrollment.created');
  expect(await enrollments(live)).toMatchObject([{ subjectId: decodeId('sub', answers[0]) }]);
  expect(await enrollments(tests)).toMatchObject([{ subjectId: decodeId('sub', tested) }]);
});

test('tells a hook that was just added of the next order, on a server that has cached the team', async ({
  shop,
}) => {
  await shop.report();
  const hook = await addTestHook(shop.sql, shop.team);
  const { body } = await shop.report();
  expect(await told(shop, hook)).toEqual([`order.created ${body.data.id}`]);
});
