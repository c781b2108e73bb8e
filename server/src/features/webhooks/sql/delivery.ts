import type { Sql } from '../../../database/connection/connect.js';
import { rowsOf } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';
import type { HookDelivery } from '../hookDelivery.js';
import { isThere } from './hook.js';

const columns = (sql: Sql) => sql`id, hook_id as "hookId", type, subject_id as "subjectId",
  created_at as "createdAt", next_at as "nextAt", attempts, attempted_at as "attemptedAt", status, error, answer,
  took_ms as "tookMs", delivered_at as "deliveredAt", data`;

/** Condition for deliveries whose last attempt failed. It is that of the index `hook_delivery_failed`. */
export const isFailed = (sql: Sql) => sql`error is not null and delivered_at is null`;

/** Lists the latest deliveries of a team's hooks, or of one, newest first. Reads at most `limit` rows of each hook. */
export function listDeliveries(
  sql: Sql,
  teamId: Uuid,
  { hookId = null, onlyFailed = false, limit }: { hookId?: Uuid | null; onlyFailed?: boolean; limit: number },
) {
  return sql<HookDelivery[]>`/* listDeliveries */
    select delivery.* from hook cross join lateral (
      select ${columns(sql)} from hook_delivery
      where team_id = ${teamId} and hook_id = hook.id ${onlyFailed ? sql`and ${isFailed(sql)}` : sql``}
      order by id desc
      limit ${limit}
    ) delivery
    where hook.team_id = ${teamId} and ${isThere(sql)} ${hookId ? sql`and hook.id = ${hookId}` : sql``}
    order by delivery.id desc, "hookId" desc
    limit ${limit}`;
}

/**
 * Condition for deliveries about a subject. A delivery of `order.created` has the order's id, and is not in the index
 * of subjects.
 */
const isAbout = (sql: Sql, subjectId: Uuid) =>
  sql`(id = ${subjectId} or subject_id = ${subjectId} and id <> subject_id)`;

/** Lists the latest deliveries about an order or a subscription, newest first, at most 20. */
export function listDeliveriesOf(sql: Sql, teamId: Uuid, subjectId: Uuid) {
  return sql<HookDelivery[]>`/* listDeliveriesOf */
    select ${columns(sql)} from hook_delivery
    where team_id = ${teamId} and ${isAbout(sql, subjectId)} and hook_id in (
      select hook.id from hook where hook.team_id = ${teamId} and ${isThere(sql)}
    )
    order by id desc, hook_id desc
    limit 20`;
}

/**
 * Reads the data of a delivery; null if it was erased. A claim does not read it, because it takes many deliveries, of
 * 64 KiB each.
 */
export async function readData(
  sql: Sql,
  teamId: Uuid,
  { hookId, id }: Pick<HookDelivery, 'id' | 'hookId'>,
): Promise<unknown> {
  const rows = await sql<{ id: Uuid; data: unknown }[]>`/* readData */
    select id, data from hook_delivery where team_id = ${teamId} and hook_id = ${hookId} and id = ${id}`;
  return rowsOf(id, rows, (row) => row.id)[0]?.data ?? null;
}

/** Counts the waiting deliveries of each hook, up to 1,001. Hooks without any are left out. */
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
