import type { Sql } from '../../../database/connection/connect.js';
import { newUuid, nilUuid, type Uuid } from '../../../values/ids.js';
import { testEvent } from '../hookBody.js';
import type { HookDelivery } from '../hookDelivery.js';
import { isFailed } from './delivery.js';
import { isNotDue } from './dueDelivery.js';
import { isThere } from './hook.js';

/** Deliveries of one statement at most. */
const pieceRows = 1_000;

/** Resets a delivery to its state before the first attempt, so that its whole schedule follows. */
const asNew = (
  sql: Sql,
) => sql`next_at = now(), attempts = 0, begun_at = null, attempted_at = null, status = null,
  error = null, answer = null, took_ms = null, delivered_at = null`;

/**
 * Queues a delivery to be sent again. False if it is due within a minute, if the hook has no such delivery, or if it
 * was erased.
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
 * Queues all failed deliveries of a hook to be sent again, the oldest first. Leaves out erased deliveries, and those
 * due within a minute.
 * @param options.untilMs time of `performance.now()` after which no piece begins
 * @returns the number of queued ones; `isMore` is set if time was up before all were queued
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

/**
 * Queues up to 1,000 failed deliveries of a hook to be sent again. Resolves with their number and the last one's id, which is null
 * if none were left.
 */
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

/** Queues a test event for a hook. Does nothing if the team has no such hook. */
export async function createTestDelivery(sql: Sql, teamId: Uuid, hookId: Uuid): Promise<void> {
  const [hook] = await sql<{ now: Date }[]>`/* readHookNow */
    select now() from hook where team_id = ${teamId} and id = ${hookId} and ${isThere(sql)}`;
  if (!hook) return;
  const { type, data } = testEvent;
  await sql`/* createTestDelivery */
    insert into hook_delivery (team_id, id, hook_id, type, data)
    values (${teamId}, ${newUuid(hook.now.getTime())}, ${hookId}, ${type}, ${JSON.stringify(data)}::text::json)`;
}
