import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSequence } from '../src/people/sql/sequence.js';
import { decodeId, encodeId, newUuid, type Uuid } from '../src/values/ids.js';
import { addTestHook, listTold } from './hooks.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A team with a hook of live events and one of tests. */
async function addToldTeam() {
  const team = await server.addTeam('shop.example');
  const live = await addTestHook(server.sql, team.uuid);
  const tests = await addTestHook(server.sql, team.uuid, { isTest: true });
  return { ...team, live, tests, order: { teamId: team.teamId, email: 'ann@mail.example', amount: 5 } };
}

/** The events of a hook, each with the id of its order. */
async function told(hook: Uuid) {
  const rows = await listTold(server.sql, hook);
  return rows.map(({ type, subjectId }) => `${type} ${subjectId && encodeId('ord', subjectId)}`);
}

it('tells each hook of a team of a new order once, and no hook of another team, of tests or that is switched off', async () => {
  const team = await addToldTeam();
  const second = await addTestHook(server.sql, team.uuid);
  const off = await addTestHook(server.sql, team.uuid);
  await server.sql`update hook set disabled_at = now() where team_id = ${team.uuid} and id = ${off}`;
  const deaf = await addTestHook(server.sql, team.uuid, { events: ['order.changed'] });
  const other = await addToldTeam();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => server.report({ ...team.order, orderId: `many-${at}` })),
  );
  const ids = answers.map(({ body }) => `order.created ${body.data.id}`).sort();
  expect((await told(team.live)).sort()).toEqual(ids);
  expect((await told(second)).sort()).toEqual(ids);
  for (const hook of [off, deaf, team.tests, other.live, other.tests]) expect(await told(hook)).toEqual([]);
  // The order's id makes the same `webhook-id` for all hooks.
  for (const { id, subjectId } of await listTold(server.sql, second)) expect(id).toBe(subjectId);
});

it('tells nothing of a report that is refused, known, or the same again', async () => {
  const team = await addToldTeam();
  const { body } = await server.report({ ...team.order, orderId: 'a' });
  const statuses = [
    await server.report({ ...team.order, orderId: 'a' }),
    await server.report({ ...team.order, orderId: 'a', email: 'bob@mail.example' }),
    await server.report({ ...team.order, orderId: 'b' }, { origin: 'https://x.example' }),
    await server.report({ ...team.order, orderId: 'c', amount: -1 }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 409, 403, 400]);
  expect(await told(team.live)).toEqual([`order.created ${body.data.id}`]);
});

it('tells hooks of tests of what a test key says, and those alone', async () => {
  const team = await addToldTeam();
  const key = await server.addKey(team.uuid, 'test');
  const { body } = await server.reportByKey(key, { ...team.order, orderId: 'a' });
  expect(await told(team.tests)).toEqual([`order.created ${body.data.id}`]);
  expect(await told(team.live)).toEqual([]);
});

it('tells of a change of a known order once, and nothing when it is repeated', async () => {
  const team = await addToldTeam();
  const key = await server.addKey(team.uuid);
  const { body } = await server.report({ ...team.order, orderId: 'a' });
  const { id } = body.data;
  for (let time = 0; time < 3; time++)
    await server.reportByKey(key, { ...team.order, orderId: 'a', amount: 7 }, { 'idempotency-key': 'k' });
  expect(await told(team.live)).toEqual([`order.created ${id}`, `order.changed ${id}`]);
});

it('tells of a refund once, and of one that waited when it finds its order', async () => {
  const team = await addToldTeam();
  const key = await server.addKey(team.uuid);
  const refund = (orderId: string, refundId: string) =>
    server.send('POST', '/svc-api/v1/orders/refunds', {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ orderId, refundId, amount: 1 }),
    });
  const { body } = await server.reportByKey(key, { ...team.order, orderId: 'a' });
  const first = body.data.id;
  expect((await refund('a', 'r-1')).status).toBe(200);
  expect((await refund('a', 'r-1')).body.data.isNew).toBe(false);
  expect(await told(team.live)).toEqual([`order.created ${first}`, `order.refunded ${first}`]);

  expect((await refund('late', 'r-2')).status).toBe(200);
  expect(await told(team.live)).toHaveLength(2);
  const late = (await server.reportByKey(key, { ...team.order, orderId: 'late' })).body.data.id;
  await server.send('GET', '/svc-api/v1/orders/late', { headers: { authorization: `Bearer ${key}` } });
  expect((await told(team.live)).slice(2)).toEqual([`order.created ${late}`, `order.refunded ${late}`]);
});

it('tells of a new subscription once, although it is asked for many times concurrently, by the mode of the key', async () => {
  const team = await addToldTeam();
  const [key, testKey] = [await server.addKey(team.uuid), await server.addKey(team.uuid, 'test')];
  const sequences = [newUuid(), newUuid()];
  for (const id of sequences) await createSequence(server.sql, team.uuid, { id, name: 'Welcome' });
  await server.reportByKey(key, { ...team.order, orderId: 'a' });
  const enroll = (by: string, at: number) =>
    server.enroll(by, { email: 'ann@mail.example', sequenceId: encodeId('seq', sequences[at]!) });
  const answers = await Promise.all(Array.from({ length: 20 }, () => enroll(key, 0)));
  const { subscriptionId } = answers[0]!.body.data;
  expect(answers.map(({ body }) => body.data.subscriptionId)).toEqual(Array(20).fill(subscriptionId));
  const tested = await enroll(testKey, 1);

  const enrollments = async (hook: Uuid) =>
    (await listTold(server.sql, hook)).filter(({ type }) => type === 'enrollment.created');
  expect(await enrollments(team.live)).toMatchObject([{ subjectId: decodeId('sub', subscriptionId) }]);
  expect(await enrollments(team.tests)).toMatchObject([
    { subjectId: decodeId('sub', tested.body.data.subscriptionId) },
  ]);
});

it('tells a hook that was just added of the next order, on a server that has cached the team', async () => {
  const team = await server.addTeam('shop.example');
  const order = { teamId: team.teamId, email: 'ann@mail.example', amount: 5 };
  await server.report({ ...order, orderId: 'before' });
  const hook = await addTestHook(server.sql, team.uuid);
  const { body } = await server.report({ ...order, orderId: 'after' });
  expect(await told(hook)).toEqual([`order.created ${body.data.id}`]);
});
