import { expect, vi } from 'vitest';
import { createSequence } from '../../../src/core/people/sql/sequence.js';
import { expireDeliveries } from '../../../src/features/webhooks/expireDeliveries.js';
import { listDeliveries } from '../../../src/features/webhooks/sql/delivery.js';
import { enqueue } from '../../../src/features/webhooks/sql/enqueue.js';
import { enableHook, listHooks, removeHook } from '../../../src/features/webhooks/sql/hook.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import { startReceiver } from '../../kit/receiver.js';
import { test } from '../../kit/shop.js';
import { addTestHook, deliveryIdAt } from './kit/hooks.js';

const waiting = { timeout: 60_000, interval: 50 };

test('leaves nothing of an erased buyer in deliveries, although the receiver repeats all that it gets', async ({
  shop,
}) => {
  const receiver = await startReceiver((response, { body }, number) => {
    response.statusCode = number % 2 === 0 ? 200 : 500;
    response.end(body);
  });
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  const sequence = newUuid();
  await createSequence(shop.sql, shop.team, { id: sequence, name: 'Welcome' });
  const repeating = (email: string) => shop.sql`
    select from hook_delivery where team_id = ${shop.team} and answer like ${`%${email}%`}`;
  for (const email of ['ann@mail.example', 'bob@mail.example']) {
    for (const _ of [1, 2]) await shop.reportByKey({ email });
    await shop.enroll({ email, sequenceId: encodeId('seq', sequence) });
    await vi.waitFor(async () => expect(await repeating(email)).toHaveLength(3), waiting);
  }
  expect((await shop.command('person', 'erase', '--email', 'ann@mail.example')).code).toBe(0);
  expect(await repeating('ann@mail.example')).toHaveLength(0);
  const ended = await shop.sql`
    select next_at from hook_delivery where team_id = ${shop.team} and subject_id is null`;
  expect(ended.map(({ next_at }) => next_at)).toEqual([null, null, null]);
  expect(await repeating('bob@mail.example')).toHaveLength(3);
});

test('leaves nothing of an erased buyer in deliveries of an order that a backend gave to another one', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await addTestHook(sql, team);
  await shop.report({ orderId: 'a', email: 'bob@mail.example' });
  await shop.reportByKey({ orderId: 'a', email: 'ann@mail.example' });
  const emails = async () =>
    (await sql`select data->>'email' as email from hook_delivery where team_id = ${team} order by id`).map(
      ({ email }) => email,
    );
  expect(await emails()).toEqual(['bob@mail.example', 'ann@mail.example']);
  expect((await shop.command('person', 'erase', '--email', 'bob@mail.example')).code).toBe(0);
  expect(await emails()).toEqual([null, 'ann@mail.example']);
});

test('writes no answer of an attempt that was in flight while the buyer was erased', async ({ shop }) => {
  const finish: (() => void)[] = [];
  const receiver = await startReceiver((response, { body }) => {
    finish.push(() => void response.end(body));
  });
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await shop.report({ email: 'ann@mail.example' });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waiting);
  await shop.command('person', 'erase', '--email', 'ann@mail.example');
  await shop.report({ email: 'bob@mail.example' });
  // A hook that has not answered yet gets one request at a time, and outcomes are written in order.
  for (const at of [0, 1]) {
    await vi.waitFor(() => expect(finish).toHaveLength(at + 1), waiting);
    finish[at]!();
  }
  const delivered = () =>
    shop.sql`select from hook_delivery where team_id = ${shop.team} and delivered_at is not null`;
  await vi.waitFor(async () => expect(await delivered()).toHaveLength(1), waiting);
  const rows = await shop.sql`
    select answer, next_at, error from hook_delivery where team_id = ${shop.team} and subject_id is null`;
  expect(rows).toEqual([{ answer: null, next_at: null, error: expect.stringMatching(/^Not sent/) }]);
});

test('removes deliveries after 30 days, and gives up those that could not be sent for three, of many in pieces', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const hook = await addTestHook(sql, team);
  await sql`update hook set disabled_at = now() where id = ${hook}`;
  const add = (count: number, age: string, due: string | null) => sql`
    insert into hook_delivery (team_id, id, hook_id, type, created_at, next_at)
    select ${team}, ${deliveryIdAt(sql, sql`at`)}, ${hook}, 'order.created', at, now() - ${due}::text::interval
    from generate_series(1, ${count}::int), lateral (select now() - ${age}::text::interval) as time (at)`;
  await add(2_100, '31 days', null);
  await add(2_100, '4 days', '73 hours');
  await add(3, '4 days', '71 hours');
  await expireDeliveries(sql);
  const rows = await sql`
    select next_at is null as "isOver", error is not null as "hasError", count(*)::int from hook_delivery
    where team_id = ${team} group by 1, 2 order by 1`;
  expect(rows).toEqual([
    { isOver: false, hasError: false, count: 3 },
    { isOver: true, hasError: true, count: 2_100 },
  ]);
});

test('removes the deliveries of a hook that was removed, with what an open transaction has told it meanwhile, an hour later', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const [hook, other] = [await addTestHook(sql, team), await addTestHook(sql, team)];
  await sql.begin(async (tx) => {
    const occurrence = { subjectId: newUuid(), data: {}, isTest: false };
    await enqueue(tx as never, team, 'order.changed', () => [occurrence]);
    await removeHook(sql, team, hook);
  });
  const left = async () =>
    (await sql`select hook_id from hook_delivery where team_id = ${team} order by 1`).map(
      (row) => row.hook_id,
    );
  expect(await left()).toEqual([hook, other].sort());
  expect((await listHooks(sql, team)).map(({ id }) => id)).toEqual([other]);
  expect(await sql`select url, secret from hook where id = ${hook}`).toEqual([{ url: '', secret: '' }]);
  expect(await listDeliveries(sql, team, { limit: 10 })).toHaveLength(1);
  expect(await enableHook(sql, team, hook)).toBe(false);
  await expireDeliveries(sql);
  expect(await left()).toHaveLength(2);
  await sql`update hook set removed_at = now() - interval '61 minutes' where id = ${hook}`;
  await expireDeliveries(sql);
  expect(await left()).toEqual([other]);
  expect(await sql`select id from hook where team_id = ${team}`).toEqual([{ id: other }]);
});
