import { expect } from 'vitest';
import { countPending, listDeliveries } from '../../../src/features/webhooks/sql/delivery.js';
import { listDueHooks } from '../../../src/features/webhooks/sql/dueDelivery.js';
import { listHooks, removeHook } from '../../../src/features/webhooks/sql/hook.js';
import { resendDelivery, resendFailed } from '../../../src/features/webhooks/sql/resendDelivery.js';
import { newUuid, type Uuid } from '../../../src/values/ids.js';
import { type Shop, test } from '../../kit/shop.js';
import { addDeliveries, addTestHook } from './kit/hooks.js';

/** Adds a hook that is off, and deliveries of it. */
async function addHookWith({ sql, team }: Shop, count: number, set?: string): Promise<Uuid> {
  const hook = await addTestHook(sql, team);
  await sql`update hook set disabled_at = now() where id = ${hook}`;
  await addDeliveries(sql, { teamId: team, id: hook }, count, set);
  return hook;
}

const failed = "attempts = 3, attempted_at = now(), status = 500, error = 'It answered 500.', answer = 'no'";

test('the last deliveries are listed, the newest first, also where many have one time or one id', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const [hook, other] = [await addHookWith(shop, 40), await addHookWith(shop, 20)];
  await sql`insert into hook_delivery (team_id, id, hook_id, type)
    select team_id, id, ${other}, type from hook_delivery where hook_id = ${hook} order by id limit 10`;
  const stored = await sql`
    select id, hook_id from hook_delivery where team_id = ${team} order by id desc, hook_id desc`;
  const names = (rows: { id: string; hookId: string }[]) => rows.map(({ id, hookId }) => `${id} ${hookId}`);
  const all = stored.map(({ id, hook_id }) => `${id} ${hook_id}`);
  expect(names(await listDeliveries(sql, team, { limit: 50 }))).toEqual(all.slice(0, 50));
  expect(names(await listDeliveries(sql, team, { hookId: other, limit: 50 }))).toEqual(
    all.filter((name) => name.endsWith(other)),
  );
});

test('a delivery that failed is sent again as if it were new; one that is due within a minute is left alone', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const hook = await addHookWith(shop, 1, `${failed}, next_at = null`);
  const [listed] = await listDeliveries(sql, team, { onlyFailed: true, limit: 1 });
  const resend = (by = team) => resendDelivery(sql, by, listed!);
  expect(await resend()).toBe(true);
  const [again] = await listDeliveries(sql, team, { limit: 1 });
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

test('all that failed are sent again, but those of erased buyers, and nothing else; with little time some are left', async ({
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
  const untilMs = Number.POSITIVE_INFINITY;
  expect(await resendFailed(sql, team, { hookId, untilMs: 0 })).toEqual({ deliveries: 0, isMore: true });
  expect(await resendFailed(sql, team, { hookId, untilMs })).toEqual({ deliveries: 2_400, isMore: false });
  const due = await sql`select from hook_delivery where team_id = ${team} and next_at <= now()`;
  expect(due).toHaveLength(2_400);
  expect((await resendFailed(sql, team, { hookId: other, untilMs })).deliveries).toBe(0);
  expect(await countPending(sql, team)).toEqual([{ hookId, deliveries: 1_001 }]);
});

test('a hook that is removed gets and shows nothing, and another stays', async ({ shop }) => {
  const { sql, team } = shop;
  const hook = await addTestHook(sql, team);
  await addDeliveries(sql, { teamId: team, id: hook }, 3, "next_at = now() - interval '1 minute'");
  const other = await addHookWith(shop, 5);
  expect((await listDueHooks(sql, [hook], 100)).map(({ id }) => id)).toContain(hook);
  await removeHook(sql, team, hook);
  expect((await listDueHooks(sql, [hook], 100)).map(({ id }) => id)).not.toContain(hook);
  expect((await listHooks(sql, team)).map(({ id }) => id)).toEqual([other]);
  expect(await listDeliveries(sql, team, { limit: 50 })).toHaveLength(5);
});
