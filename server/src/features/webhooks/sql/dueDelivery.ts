import { type OfTeams, ofAllTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import { dayMs } from '../../../values/time.js';
import type { Attempt } from '../attempt.js';
import type { DueHook } from '../hook.js';
import type { ClaimedDelivery } from '../hookDelivery.js';

// Conditions on rows of `hook_delivery`. A delivery that could not be attempted for three days is given up.

/** Condition for a delivery that is due. */
const isDue = (sql: Sql) => sql`next_at between now() - interval '3 days' and now()`;

/** Condition for a delivery that has been due for over three days. */
export const isOverdue = (sql: Sql) => sql`next_at < now() - interval '3 days'`;

/**
 * Condition for a delivery that may be sent again by hand. It was sent or given up, is due in more than a minute, or is overdue. Any
 * other one may be in flight, because a claim sets `next_at` a minute ahead.
 */
export const isNotDue = (sql: Sql) =>
  sql`(next_at is null or next_at > now() + interval '1 minute' or ${isOverdue(sql)})`;

/** Seconds for which a claim holds. If its outcome is not written by then, another server attempts the delivery again. */
export const leaseSeconds = 60;

/**
 * Lists up to `limit` hooks of all teams that are on and have due deliveries, in random order, so that they take turns. Hooks in
 * `held` come first, even without due deliveries. Costs one index look-up for each hook.
 */
export function listDueHooks(sql: Sql, held: readonly Uuid[], limit: number, ofTeams: OfTeams = ofAllTeams) {
  return sql<DueHook[]>`/* listDueHooks */
    select team_id as "teamId", id, url, array_to_json(events) as events, is_test as "isTest", format, secret,
      allows_private as "allowsPrivate", failing_since as "failingSince"
    from hook
    where ${ofTeams(sql, 'hook.team_id')} and disabled_at is null and (
      id = ${anyOf(sql, held, 'uuid')}
      or exists (
        select from hook_delivery
        where ${ofTeams(sql, 'hook_delivery.team_id')} and hook_delivery.team_id = hook.team_id
          and hook_id = hook.id and ${isDue(sql)}
      )
    )
    order by (id = ${anyOf(sql, held, 'uuid')}) desc, random()
    limit ${limit}`;
}

/**
 * Claims up to `limit` due deliveries of a hook, so that no other server attempts them. The longest due come first.
 *
 * The ids are an array, because PostgreSQL planned a join as a comparison with all waiting deliveries: in a new table,
 * 50 of 16,000 took 250 ms.
 */
export function claimDeliveries(sql: Sql, { teamId, id }: Pick<DueHook, 'teamId' | 'id'>, limit: number) {
  return sql<ClaimedDelivery[]>`/* claimDeliveries */
    with due as materialized (
      select id from hook_delivery
      where team_id = ${teamId} and hook_id = ${id} and ${isDue(sql)}
      order by next_at
      limit ${limit}
      for update skip locked
    )
    update hook_delivery set next_at = now() + ${leaseSeconds}::int * interval '1 second', attempts = attempts + 1
    where team_id = ${teamId} and hook_id = ${id} and id = any(array(select id from due))
    returning id, hook_id as "hookId", type, created_at as "createdAt", attempts, begun_at as "begunAt"`;
}

/** Releases claims of deliveries that were not attempted, so that they are due immediately. */
export async function releaseDeliveries(
  sql: Sql,
  teamId: Uuid,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  await sql`/* releaseDeliveries */
    update hook_delivery set next_at = now(), attempts = hook_delivery.attempts - 1
    from json_to_recordset(${JSON.stringify(claimed)}::text::json) as claimed ("hookId" uuid, id uuid, attempts integer)
    where team_id = ${teamId} and hook_id = claimed."hookId" and hook_delivery.id = claimed.id
      and hook_delivery.attempts = claimed.attempts and next_at is not null`;
}

/**
 * Writes the outcomes of attempts. Leaves out deliveries that were claimed again or erased since. The ids are repeated
 * as arrays, for the reason in `claimDeliveries`.
 */
export async function writeAttempts(sql: Sql, teamId: Uuid, attempts: readonly Attempt[]): Promise<void> {
  const rows = attempts.map(({ delivery, result, attemptedAt, nextAt }) => ({
    hookId: delivery.hookId,
    id: delivery.id,
    attempts: delivery.attempts,
    ...result,
    attemptedAt,
    nextAt,
    deliveredAt: result.error === null ? new Date(attemptedAt.getTime() + result.tookMs) : null,
  }));
  const hookIds = rows.map(({ hookId }) => hookId);
  const ids = rows.map(({ id }) => id);
  await sql`/* writeAttempts */
    update hook_delivery set next_at = attempt."nextAt", attempted_at = attempt."attemptedAt",
      begun_at = coalesce(begun_at, attempt."attemptedAt"), status = attempt.status, error = attempt.error,
      answer = attempt.answer, took_ms = attempt."tookMs", delivered_at = attempt."deliveredAt"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as attempt (
      "hookId" uuid, id uuid, attempts integer, "nextAt" timestamptz, "attemptedAt" timestamptz,
      status integer, error text, answer text, "tookMs" integer, "deliveredAt" timestamptz
    )
    where team_id = ${teamId} and hook_id = attempt."hookId" and hook_delivery.id = attempt.id
      and hook_id = ${anyOf(sql, [...new Set(hookIds)], 'uuid')} and hook_delivery.id = ${anyOf(sql, ids, 'uuid')}
      and hook_delivery.attempts = attempt.attempts and data is not null`;
}

/** Marks a hook as succeeding. Writes nothing if it is marked already. */
export async function markSucceeding(sql: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await sql`/* markSucceeding */
    update hook set failing_since = null where team_id = ${teamId} and id = ${id} and failing_since is not null`;
}

const failingAtMostMs = 5 * dayMs;
/**
 * Time without a failed attempt after which the five days of a failing hook begin again. It is longer than the longest pause
 * between two attempts of a delivery.
 */
const quietMs = 2 * dayMs;

/**
 * Marks a hook as failing. If it has failed for five days, switches it off.
 * @param at time of the failure
 */
export async function markFailing(sql: Sql, teamId: Uuid, id: Uuid, at: Date): Promise<void> {
  const longAgo = new Date(at.getTime() - failingAtMostMs);
  const notQuiet = sql`failed_at > ${new Date(at.getTime() - quietMs)}`;
  const isTooLong = sql`${notQuiet} and failing_since < ${longAgo}`;
  await sql`/* markFailing */
    update hook set failed_at = ${at}, failing_since = case when ${notQuiet} then coalesce(failing_since, ${at}) else ${at} end,
      disabled_at = case when ${isTooLong} then ${at}::timestamptz end,
      disabled_reason = case when ${isTooLong} then 'Every attempt has failed for five days.' end
    where team_id = ${teamId} and id = ${id} and disabled_at is null`;
}
