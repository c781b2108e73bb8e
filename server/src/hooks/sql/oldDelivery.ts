import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { isOverdue } from './dueTime.js';

/** Rows of one statement. */
const pieceRows = 1_000;

/**
 * Lists the hooks of all teams that have overdue deliveries, or some that are older than the `oldest` id. Costs two looks
 * into indexes per hook.
 */
export function listOldHooks(sql: Sql, oldest: Uuid) {
  return sql<{ teamId: Uuid; id: Uuid }[]>`/* listOldHooks */
    select team_id as "teamId", id from hook
    where exists (
      select from hook_delivery
      where hook_delivery.team_id = hook.team_id and hook_id = hook.id and hook_delivery.id < ${oldest}
    ) or exists (
      select from hook_delivery
      where hook_delivery.team_id = hook.team_id and hook_id = hook.id and ${isOverdue(sql)}
    )`;
}

/** Removes up to 1,000 deliveries of a hook that are older than the `oldest` id. Resolves with their number. */
export async function removeOldDeliveries(
  sql: Sql,
  { teamId, id }: { teamId: Uuid; id: Uuid },
  oldest: Uuid,
): Promise<number> {
  const removed = await sql`/* removeOldDeliveries */
    delete from hook_delivery where team_id = ${teamId} and hook_id = ${id} and id = any(array(
      select id from hook_delivery
      where team_id = ${teamId} and hook_id = ${id} and id < ${oldest}
      limit ${pieceRows} for update skip locked
    ))`;
  return removed.count;
}

/**
 * Gives up deliveries of a hook, 1,000 at most, that could not be attempted for three days, because the hook was off or
 * failed all the time. Resolves with their number.
 */
export async function giveUpDeliveries(sql: Sql, teamId: Uuid, hookId: Uuid): Promise<number> {
  const given = await sql`/* giveUpDeliveries */
    update hook_delivery set next_at = null,
      error = coalesce(error, 'Not sent: for three days the webhook was switched off, or failed.')
    where team_id = ${teamId} and hook_id = ${hookId} and id = any(array(
      select id from hook_delivery
      where team_id = ${teamId} and hook_id = ${hookId} and ${isOverdue(sql)}
      limit ${pieceRows} for update skip locked
    ))`;
  return given.count;
}
