import type { Sql } from '../../database/connection/connect.js';
import { firstUuid, newUuid, nilUuid, type Uuid } from '../../values/ids.js';
import type { DeliveryFilter, DeliveryPlace, HookDelivery } from '../hookDelivery.js';
import { isNotDue } from './dueTime.js';
import { isThere } from './hook.js';

/** Deliveries of one statement that changes many. */
const pieceRows = 1_000;

const columns = (sql: Sql) => sql`id, hook_id as "hookId", type, subject_id as "subjectId", data,
  created_at as "createdAt", next_at as "nextAt", attempts, attempted_at as "attemptedAt", status, error, answer,
  took_ms as "tookMs", delivered_at as "deliveredAt"`;

/** Deliveries whose last attempt failed, in the words of the index `hook_delivery_failed`. */
const isFailed = (sql: Sql) => sql`error is not null and delivered_at is null`;

/** Deliveries with a content. Those of a buyer who was erased, or of an order that was removed, have none. */
const isSendable = (sql: Sql) => sql`(subject_id is not null or data is not null)`;

/** Condition for deliveries since a time. An order's id is older than its delivery, by the time that it has waited. */
const isSince = (sql: Sql, since: Date) =>
  sql`id >= ${firstUuid(since.getTime() - 60_000)} and created_at >= ${since}`;

/** Makes a delivery as it was before its first attempt, so that all of the schedule lies ahead. */
const asNew = (
  sql: Sql,
) => sql`next_at = now(), attempts = 0, begun_at = null, attempted_at = null, status = null,
  error = null, answer = null, took_ms = null, delivered_at = null`;

/**
 * Lists the deliveries of a team's hooks, the newest first. Reads no more of each hook than it returns.
 * @param options.before the last of the page before
 */
export function listDeliveries(
  sql: Sql,
  teamId: Uuid,
  {
    hookId,
    since,
    onlyFailed = false,
    before,
    limit,
  }: DeliveryFilter & { before?: DeliveryPlace | undefined; limit: number },
) {
  return sql<HookDelivery[]>`/* listDeliveries */
    select delivery.* from hook cross join lateral (
      select ${columns(sql)} from hook_delivery
      where team_id = ${teamId} and hook_id = hook.id
        ${onlyFailed ? sql`and ${isFailed(sql)}` : sql``}
        ${since ? sql`and ${isSince(sql, since)}` : sql``}
        ${before ? sql`and (id, hook_id) < (${before.id}, ${before.hookId})` : sql``}
      order by id desc
      limit ${limit}
    ) delivery
    where hook.team_id = ${teamId} and ${isThere(sql)} ${hookId ? sql`and hook.id = ${hookId}` : sql``}
    order by delivery.id desc, "hookId" desc
    limit ${limit}`;
}

/** Deliveries about a subject. One of `order.created` has its order's id, and is not in the index of subjects. */
const isAbout = (sql: Sql, subjectId: Uuid) =>
  sql`(id = ${subjectId} or subject_id = ${subjectId} and id <> subject_id)`;

/** Lists the latest deliveries that tell of an order or a subscription, the newest first, at most 20. */
export function listDeliveriesOf(sql: Sql, teamId: Uuid, subjectId: Uuid) {
  return sql<HookDelivery[]>`/* listDeliveriesOf */
    select ${columns(sql)} from hook_delivery
    where team_id = ${teamId} and ${isAbout(sql, subjectId)} and hook_id in (
      select hook.id from hook where hook.team_id = ${teamId} and ${isThere(sql)}
    )
    order by id desc, hook_id desc
    limit 20`;
}

/** Finds the deliveries with an id, one for each hook that was told, of those that the team still has. */
export function findDeliveries(sql: Sql, teamId: Uuid, id: Uuid) {
  return sql<HookDelivery[]>`/* findDeliveries */
    select ${columns(sql)} from hook_delivery
    where team_id = ${teamId} and id = ${id} and hook_id in (
      select hook.id from hook where hook.team_id = ${teamId} and ${isThere(sql)}
    )
    order by hook_id`;
}

/** Counts the deliveries of each hook that wait for an attempt, up to 1,001. Hooks without any are left out. */
export function countPending(sql: Sql, teamId: Uuid) {
  return sql<{ hookId: Uuid; deliveries: number }[]>`/* countPending */
    select hook.id as "hookId", count(*)::int as deliveries from hook cross join lateral (
      select from hook_delivery
      where team_id = ${teamId} and hook_id = hook.id and next_at is not null
      limit ${1_001}
    ) pending
    where hook.team_id = ${teamId} and ${isThere(sql)}
    group by 1`;
}

/**
 * Has a delivery sent again; one that is due within a minute stays as it is. False when the hook has none of that id to
 * send, or what it is about is gone.
 */
export async function resendDelivery(
  sql: Sql,
  teamId: Uuid,
  { hookId, id }: Pick<HookDelivery, 'hookId' | 'id'>,
): Promise<boolean> {
  const { count } = await sql`/* resendDelivery */
    update hook_delivery set ${asNew(sql)}
    where team_id = ${teamId} and hook_id = ${hookId} and id = ${id} and ${isNotDue(sql)} and ${isSendable(sql)}`;
  return count > 0;
}

/**
 * Has up to 1,000 deliveries of a hook sent again, the oldest first, whose last attempt failed. Those that are due within
 * a minute stay as they are, and those that have nothing to send any more.
 * @param options.after the last one of the piece before
 * @returns their number, and the last one; null when there was none
 */
export async function resendPiece(
  sql: Sql,
  teamId: Uuid,
  { hookId, since, after = nilUuid }: { hookId: Uuid; since: Date; after?: Uuid },
) {
  const [resent] = await sql<[{ count: number; last: Uuid | null }]>`/* resendPiece */
    with failed as (
      select id from hook_delivery
      where team_id = ${teamId} and hook_id = ${hookId} and ${isFailed(sql)} and id > ${after}
        and ${isSince(sql, since)} and ${isNotDue(sql)} and ${isSendable(sql)}
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
export async function createTestDelivery(sql: Sql, teamId: Uuid, hookId: Uuid, data: { message: string }) {
  const [hook] = await sql<{ now: Date }[]>`/* readHookNow */
    select now() from hook where team_id = ${teamId} and id = ${hookId} and ${isThere(sql)}`;
  if (!hook) return;
  await sql`/* createTestDelivery */
    insert into hook_delivery (team_id, id, hook_id, type, data)
    values (${teamId}, ${newUuid(hook.now.getTime())}, ${hookId}, 'hook.test', ${JSON.stringify(data)}::text::json)`;
}

/** Removes up to 1,000 deliveries of a hook, and resolves with their number. */
export async function deletePiece(sql: Sql, teamId: Uuid, hookId: Uuid): Promise<number> {
  const { count } = await sql`/* deletePiece */
    delete from hook_delivery where team_id = ${teamId} and hook_id = ${hookId} and id = any(array(
      select id from hook_delivery where team_id = ${teamId} and hook_id = ${hookId} limit ${pieceRows}
    ))`;
  return count;
}
