import type { Sql } from '../../../database/connection/connect.js';
import { newUuid, nilUuid, type Uuid } from '../../../values/ids.js';
import { testEvent } from '../hookBody.js';
import type { HookDelivery } from '../hookDelivery.js';
import { isFailed } from './delivery.js';
import { isNotDue } from './dueDelivery.js';
import { isThere } from './hook.js';

/** Deliveries of one statement that changes many. */
const pieceRows = 1_000;

/** Makes a delivery as it was before its first attempt, so that all of the schedule lies ahead. */
const asNew = (
  sql: Sql,
) => sql`next_at = now(), attempts = 0, begun_at = null, attempted_at = null, status = null,
  error = null, answer = null, took_ms = null, delivered_at = null`;

/**
 * Has a delivery sent again; one that is due within a minute stays as it is. False when the hook has none of that id, or
 * what it was about was erased.
 */
export async function resendDelivery(
  sql: Sql,
  teamId: Uuid,
  { hookId, id }: Pick<HookDelivery, 'hookId' | 'id'>,
): Promise<boolean> {
  const { count } = await sql`/* resendDelivery */
    update hook_delivery set ${asNew(sql)}
    where team_id = ${teamId} and hook_id = ${hookId} and id = ${id} and ${isNotDue(sql)} and data is not null`;
  return count > 0;
}

/**
 * Has all deliveries of a hook sent again whose last attempt failed and that were not erased, the oldest first. Those that
 * are due within a minute stay as they are.
 * @param options.untilMs end of the time for it, by `performance.now()`
 * @returns their number, and whether the time was over before all were queued
 */
export async function resendFailed(
  sql: Sql,
  teamId: Uuid,
  { hookId, untilMs }: { hookId: Uuid; untilMs: number },
): Promise<{ deliveries: number; isMore: boolean }> {
  let deliveries = 0;
  for (let after: Uuid | null = nilUuid; after; ) {
    if (performance.now() > untilMs) return { deliveries, isMore: true };
    const { count, last } = await resendPiece(sql, teamId, { hookId, after });
    deliveries += count;
    after = last;
  }
  return { deliveries, isMore: false };
}

/** Has up to 1,000 of them sent again. Resolves with their number, and the last one; null when there was none. */
async function resendPiece(sql: Sql, teamId: Uuid, { hookId, after }: { hookId: Uuid; after: Uuid }) {
  const [resent] = await sql<[{ count: number; last: Uuid | null }]>`/* resendPiece */
    with failed as (
      select id from hook_delivery
      where team_id = ${teamId} and hook_id = ${hookId} and ${isFailed(sql)} and id > ${after}
        and ${isNotDue(sql)} and data is not null
      order by id
      limit ${pieceRows}
      for update skip locked
    ), resent as (
      update hook_delivery set ${asNew(sql)}
      where team_id = ${teamId} and hook_id = ${hookId} and id = any(array(select id from failed))
      returning id
    )
    select count(*)::int as count, (array_agg(id order by id desc))[1] as last from resent`;
  return resent;
}

/** Queues a test event for a hook; nothing where the team has no such hook. */
export async function createTestDelivery(sql: Sql, teamId: Uuid, hookId: Uuid): Promise<void> {
  const [hook] = await sql<{ now: Date }[]>`/* readHookNow */
    select now() from hook where team_id = ${teamId} and id = ${hookId} and ${isThere(sql)}`;
  if (!hook) return;
  const { type, data } = testEvent;
  await sql`/* createTestDelivery */
    insert into hook_delivery (team_id, id, hook_id, type, data)
    values (${teamId}, ${newUuid(hook.now.getTime())}, ${hookId}, ${type}, ${JSON.stringify(data)}::text::json)`;
}
