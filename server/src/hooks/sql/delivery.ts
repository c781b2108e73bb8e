import type { Sql } from '../../database/connection/connect.js';
import { rowsOf } from '../../database/pairRows.js';
import { firstUuid, type Uuid } from '../../values/ids.js';
import type { DeliveryCursor, DeliveryFilter, HookDelivery, WholeDelivery } from '../hookDelivery.js';
import { isThere } from './hook.js';

const columns = (sql: Sql) => sql`id, hook_id as "hookId", type, subject_id as "subjectId",
  created_at as "createdAt", next_at as "nextAt", attempts, attempted_at as "attemptedAt", status, error, answer,
  took_ms as "tookMs", delivered_at as "deliveredAt"`;

/** Deliveries whose last attempt failed, in the words of the index `hook_delivery_failed`. */
export const isFailed = (sql: Sql) => sql`error is not null and delivered_at is null`;

/** Condition for deliveries since a time. An order's id is older than its delivery, by the time that it has waited. */
export const isSince = (sql: Sql, since: Date) =>
  sql`id >= ${firstUuid(since.getTime() - 60_000)} and created_at >= ${since}`;

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
  }: DeliveryFilter & { before?: DeliveryCursor | undefined; limit: number },
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

/** Lists the latest deliveries about an order or a subscription, the newest first, at most 20. */
export function listDeliveriesOf(sql: Sql, teamId: Uuid, subjectId: Uuid) {
  return sql<HookDelivery[]>`/* listDeliveriesOf */
    select ${columns(sql)} from hook_delivery
    where team_id = ${teamId} and ${isAbout(sql, subjectId)} and hook_id in (
      select hook.id from hook where hook.team_id = ${teamId} and ${isThere(sql)}
    )
    order by id desc, hook_id desc
    limit 20`;
}

/** Finds the deliveries with an id, one for each hook of those that the team still has, with what they send. */
export function findDeliveries(sql: Sql, teamId: Uuid, id: Uuid) {
  return sql<WholeDelivery[]>`/* findDeliveries */
    select ${columns(sql)}, data from hook_delivery
    where team_id = ${teamId} and id = ${id} and hook_id in (
      select hook.id from hook where hook.team_id = ${teamId} and ${isThere(sql)}
    )
    order by hook_id`;
}

/** Reads what a delivery sends; null where it was erased. At the attempt, because a claim takes many, of 64 KiB each. */
export async function readData(sql: Sql, teamId: Uuid, { hookId, id }: DeliveryCursor): Promise<unknown> {
  const rows = await sql<{ id: Uuid; data: unknown }[]>`/* readData */
    select id, data from hook_delivery where team_id = ${teamId} and hook_id = ${hookId} and id = ${id}`;
  return rowsOf(id, rows, (row) => row.id)[0]?.data ?? null;
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
