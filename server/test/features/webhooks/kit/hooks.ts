import { onTestFinished, vi } from 'vitest';
import type { Fragment, Sql } from '../../../../src/database/connection/connect.js';
import type { Attempt } from '../../../../src/features/webhooks/attempt.js';
import { type HookEvent, hookEvents } from '../../../../src/features/webhooks/hook.js';
import type { ClaimedDelivery } from '../../../../src/features/webhooks/hookDelivery.js';
import { answerMs } from '../../../../src/features/webhooks/send.js';
import { newUuid, type Uuid } from '../../../../src/values/ids.js';

/** Fields of a hook that a test sets. */
interface TestHook {
  url?: string;
  events?: readonly HookEvent[];
  isTest?: boolean;
}

/** A secret of 32 zero bytes. */
export const testHookSecret = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** Adds a hook to a team, by default for all live events. Resolves with its id. */
export async function addTestHook(
  sql: Sql,
  team: Uuid,
  { url = 'http://127.0.0.1:9/', events = hookEvents, isTest = false }: TestHook = {},
): Promise<Uuid> {
  const id = newUuid();
  await sql`
    insert into hook (team_id, id, url, events, is_test, format, secret, allows_private)
    select ${team}, ${id}, ${url}, array(select json_array_elements_text(${JSON.stringify(events)}::text::json)),
      ${isTest}, 'standard', ${testHookSecret}, true`;
  return id;
}

/** Expression for the id of a delivery that was enqueued at a time of SQL. */
export const deliveryIdAt = (sql: Sql, at: Fragment) =>
  sql`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7'
    || right(replace(gen_random_uuid()::text, '-', ''), 19))::uuid`;

/** Team and id of a hook. */
interface HookId {
  teamId: Uuid;
  id: Uuid;
}

/** Adds due deliveries of a hook, one a millisecond. The first has been due for the longest time. */
export const addDue = (sql: Sql, { teamId, id }: HookId, count: number) => sql`
  insert into hook_delivery (team_id, id, hook_id, type, subject_id, data, next_at)
  select ${teamId}, ${deliveryIdAt(sql, sql`now()`)}, ${id}, 'order.created', gen_random_uuid(), '{}',
    now() - (${count}::int - n) * interval '1 millisecond'
  from generate_series(1, ${count}::int) n`;

/** Adds deliveries of a hook, one a second. `set` changes new ones to a state. */
export async function addDeliveries(sql: Sql, { teamId, id }: HookId, count: number, set?: string) {
  await sql`
    insert into hook_delivery (team_id, id, hook_id, type, subject_id, data, created_at, next_at)
    select ${teamId}, ${deliveryIdAt(sql, sql`at`)}, ${id}, 'order.created', gen_random_uuid(), '{}', at, at
    from generate_series(1, ${count}::int) n, lateral (select now() - n * interval '1 second') as time (at)`;
  if (set) await sql.unsafe(`update hook_delivery set ${set} where hook_id = '${id}'`);
}

/** Makes a successful attempt of a delivery. */
export const attemptOf = (delivery: ClaimedDelivery): Attempt => ({
  delivery,
  result: { status: 200, error: null, answer: 'thanks', retryAfterMs: null, tookMs: 5 },
  attemptedAt: new Date(),
  nextAt: null,
});

/** Lists the deliveries of a hook, in the order of their events. */
export function listEnqueued(sql: Sql, hookId: Uuid) {
  return sql<{ id: Uuid; type: string; subjectId: Uuid | null }[]>`
    select id, type, subject_id as "subjectId" from hook_delivery where hook_id = ${hookId} order by created_at, id`;
}

/** Removes the time limit of requests to hooks until the test ends. Only the test or a stop ends a request that hangs. */
export function liftAnswerLimit(): void {
  const { setTimeout: set } = globalThis;
  const longMs = 2 ** 31 - 1;
  const spy = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number, ...values: unknown[]) =>
      set(run, ms === answerMs ? longMs : ms, ...(values as []))) as typeof set);
  onTestFinished(() => spy.mockRestore());
}

/** Fails the test in which it is called, for background work that must meet no fault. */
export function noteFault(error: unknown): never {
  throw error;
}
