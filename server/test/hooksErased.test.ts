import { expect, it, vi } from 'vitest';
import { expireDeliveries } from '../src/hooks/expireDeliveries.js';
import { removeHook } from '../src/hooks/removeHook.js';
import { listDeliveries } from '../src/hooks/sql/delivery.js';
import { enableHook, listHooks } from '../src/hooks/sql/hook.js';
import { tell } from '../src/hooks/sql/tell.js';
import { createSequence } from '../src/people/sql/sequence.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { addTestHook, deliveryIdAt } from './hooks.js';
import { startReceiver } from './receiver.js';
import { startServerForTest } from './server.js';

const waiting = { timeout: 60_000, interval: 50 };

it('leaves nothing of an erased buyer in deliveries, although the receiver repeats all that it gets', async () => {
  const receiver = await startReceiver((response, { body }, number) => {
    response.statusCode = number % 2 === 0 ? 200 : 500;
    response.end(body);
  });
  const server = await startServerForTest();
  const team = await server.addTeam('shop.example');
  const hook = await addTestHook(server.sql, team.uuid, { url: receiver.url });
  const key = await server.addKey(team.uuid);
  const sequence = newUuid();
  await createSequence(server.sql, team.uuid, { id: sequence, name: 'Welcome' });
  for (const email of ['ann@mail.example', 'bob@mail.example']) {
    for (const orderId of [`${email} 1`, `${email} 2`])
      await server.reportByKey(key, { teamId: team.teamId, email, amount: 5, orderId });
    await server.enroll(key, { email, sequenceId: encodeId('seq', sequence) });
  }
  const repeating = (email: string) => server.sql`
    select from hook_delivery where answer like ${`%${email}%`}`;
  for (const email of ['ann@mail.example', 'bob@mail.example'])
    await vi.waitFor(async () => expect(await repeating(email)).toHaveLength(3), waiting);
  const { code } = await runOrderbeacon(
    ['person', 'erase', '--team', team.teamId, '--email', 'ann@mail.example'],
    server.env,
  );
  expect(code).toBe(0);
  expect(await repeating('ann@mail.example')).toHaveLength(0);
  const ended = await server.sql`
    select next_at from hook_delivery where hook_id = ${hook} and subject_id is null`;
  expect(ended.map(({ next_at }) => next_at)).toEqual([null, null, null]);
  expect(await repeating('bob@mail.example')).toHaveLength(3);
});

it('writes no answer of an attempt that was in flight while the buyer was erased', async () => {
  let finish = () => {};
  const receiver = await startReceiver((response, { body }) => {
    finish = () => void response.end(body);
  });
  const server = await startServerForTest();
  const team = await server.addTeam('shop.example');
  await addTestHook(server.sql, team.uuid, { url: receiver.url });
  await server.report({ teamId: team.teamId, email: 'ann@mail.example', amount: 5 });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waiting);
  await runOrderbeacon(['person', 'erase', '--team', team.teamId, '--email', 'ann@mail.example'], server.env);
  finish();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const [row] = await server.sql`select answer, subject_id, next_at, error from hook_delivery`;
  expect(row).toEqual({
    answer: null,
    subject_id: null,
    next_at: null,
    error: expect.stringMatching(/^Not sent/),
  });
});

it('removes deliveries after 30 days, and gives up those that could not be sent for three, of many in pieces', async () => {
  const server = await startServerForTest();
  const team = await server.addTeam('shop.example');
  const hook = await addTestHook(server.sql, team.uuid);
  await server.sql`update hook set disabled_at = now()`;
  const add = (count: number, age: string, due: string | null) => server.sql`
    insert into hook_delivery (team_id, id, hook_id, type, created_at, next_at)
    select ${team.uuid}, ${deliveryIdAt(server.sql, server.sql`at`)}, ${hook}, 'order.created', at,
      now() - ${due}::text::interval
    from generate_series(1, ${count}::int), lateral (select now() - ${age}::text::interval) as time (at)`;
  await add(2_100, '31 days', null);
  await add(2_100, '4 days', '73 hours');
  await add(3, '4 days', '71 hours');
  await expireDeliveries(server.sql);
  const rows = await server.sql`
    select next_at is null as "isOver", error is not null as "hasError", count(*)::int from hook_delivery
    group by 1, 2 order by 1`;
  expect(rows).toEqual([
    { isOver: false, hasError: false, count: 3 },
    { isOver: true, hasError: true, count: 2_100 },
  ]);
});

it('removes what an open transaction has told a hook that was removed meanwhile, an hour later', async () => {
  const server = await startServerForTest();
  const team = await server.addTeam('shop.example');
  const hook = await addTestHook(server.sql, team.uuid);
  const other = await addTestHook(server.sql, team.uuid);
  await server.sql.begin(async (tx) => {
    const occurrence = { subjectId: newUuid(), data: null, isTest: false };
    await tell(tx as never, team.uuid, 'order.created', [occurrence]);
    expect(await removeHook(server.sql, team.uuid, hook)).toBe(true);
  });
  const left = async () =>
    (await server.sql`select hook_id from hook_delivery order by 1`).map((row) => row.hook_id);
  expect(await left()).toEqual([hook, other].sort());
  expect((await listHooks(server.sql, team.uuid)).map(({ id }) => id)).toEqual([other]);
  expect(await server.sql`select url, secret from hook where id = ${hook}`).toEqual([
    { url: '', secret: '' },
  ]);
  expect(await listDeliveries(server.sql, team.uuid, { limit: 10 })).toHaveLength(1);
  expect(await enableHook(server.sql, team.uuid, hook)).toBe(false);
  await expireDeliveries(server.sql);
  expect(await left()).toHaveLength(2);
  await server.sql`update hook set removed_at = now() - interval '61 minutes' where removed_at is not null`;
  await expireDeliveries(server.sql);
  expect(await left()).toEqual([other]);
  expect(await server.sql`select id from hook`).toEqual([{ id: other }]);
});
