import { expect } from 'vitest';
import { countPending, findDeliveries, listDeliveries } from '../src/hooks/sql/delivery.js';
import { listHooks } from '../src/hooks/sql/hook.js';
import { resendDelivery, resendFailed } from '../src/hooks/sql/resendDelivery.js';
import { removeHook } from '../src/hooks/teamHooks.js';
import { newUuid, type Uuid } from '../src/values/ids.js';
import { addDeliveries, addTestHook } from './hooks.js';
import { type Shop, test } from './shop.js';

/** Adds a hook that is off, and deliveries of it. */
async function addHookWith({ sql, team }: Shop, count: number, set?: string): Promise<Uuid> {
  const hook = await addTestHook(sql, team);
  await sql`update hook set disabled_at = now() where id = ${hook}`;
  await addDeliveries(sql, { teamId: team, id: hook }, count, set);
  return hook;
}

const failed = "attempts = 3, attempted_at = now(), status = 500, error = 'It answered 500.', answer = 'no'";

test('deliveries are listed by page, the newest first, each once, also where many have one time or one id', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const [hook, other] = [await addHookWith(shop, 40), await addHookWith(shop, 20)];
  await sql`insert into hook_delivery (team_id, id, hook_id, type)
    select team_id, id, ${other}, type from hook_delivery where hook_id = ${hook} order by id limit 10`;
  const listed: string[] = [];
  let page = await listDeliveries(sql, team, { limit: 7 });
  while (page.length > 0) {
    listed.push(...page.map(({ id, hookId }) => `${id} ${hookId}`));
    page = await listDeliveries(sql, team, { limit: 7, before: page.at(-1) });
  }
  const stored = await sql`
    select id, hook_id from hook_delivery where team_id = ${team} order by id desc, hook_id desc`;
  expect(listed).toHaveLength(70);
  expect(listed).toEqual(stored.map(({ id, hook_id }) => `${id} ${hook_id}`));
  expect(await listDeliveries(sql, team, { hookId: other, limit: 50 })).toHaveLength(30);
});

test('a delivery that failed is sent again as if it were new; one that is due within a minute is left alone', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const hook = await addHookWith(shop, 1, `${failed}, next_at = null`);
  const [listed] = await listDeliveries(sql, team, { onlyFailed: true, limit: 1 });
  const resend = (by = team) => resendDelivery(sql, by, listed!);
  expect(await resend()).toBe(true);
  const [again] = await findDeliveries(sql, team, listed!.id);
  expect(again).toMatchObject({ attempts: 0, status: null, error: null, answer: null });
  expect(again!.nextAt).toBeInstanceOf(Date);
  expect([await resend(), await resend(newUuid())]).toEqual([false, false]);
  const dueIn = (interval: string) => sql`
    update hook_delivery set next_at = now() + ${interval}::interval, attempts = 1 where hook_id = ${hook}`;
  await dueIn('1 minute');
  expect(await resend()).toBe(false);
  // Its hook was off for so long that it is not due any more.
  await dueIn('-73 hours');
  expect(await resend()).toBe(true);
});

test('all that failed since a time are sent again, piece by piece, but those of erased buyers, and nothing else', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const hookId = await addHookWith(shop, 2_500, `${failed}, next_at = now() + interval '5 hours'`);
  await sql`update hook_delivery set data = null where id in (
    select id from hook_delivery where hook_id = ${hookId} order by id desc limit 100)`;
  const other = await addHookWith(
    shop,
    10,
    'attempts = 1, status = 200, next_at = null, delivered_at = now()',
  );
  const [{ since }] = await sql<[{ since: Date }]>`
    select max(created_at) - interval '2399 seconds' as since from hook_delivery where hook_id = ${hookId}`;
  const counts: number[] = [];
  const onResent = (count: number) => counts.push(count);
  expect(await resendFailed(sql, team, { hookId, since, onResent })).toEqual({
    deliveries: 2_300,
    isMore: false,
  });
  expect(counts.slice(0, 3)).toEqual([1_000, 2_000, 2_300]);
  const due = await sql`select from hook_delivery where team_id = ${team} and next_at <= now()`;
  expect(due).toHaveLength(2_300);
  expect((await resendFailed(sql, team, { hookId: other, since })).deliveries).toBe(0);
  expect(await countPending(sql, team)).toEqual([{ hookId, deliveries: 1_001 }]);
});

test('a hook is removed with its deliveries, and those of another stay; with little time it is off first', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const hook = await addTestHook(sql, team);
  await addDeliveries(sql, { teamId: team, id: hook }, 2_500, "next_at = now() + interval '1 day'");
  const other = await addHookWith(shop, 5);
  const left = () => sql`select from hook_delivery where team_id = ${team}`;
  expect(await removeHook(sql, team, hook, 0)).toBe(false);
  expect(await left()).toHaveLength(1_505);
  const found = (await listHooks(sql, team)).find(({ id }) => id === hook);
  expect(found).toMatchObject({ disabledAt: expect.any(Date), disabledReason: null });
  expect(await removeHook(sql, team, hook)).toBe(true);
  expect(await left()).toHaveLength(5);
  expect((await listHooks(sql, team)).map(({ id }) => id)).toEqual([other]);
});
