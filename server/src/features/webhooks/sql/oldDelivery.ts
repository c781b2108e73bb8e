import { type OfTeams, ofAllTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { isOverdue } from './dueDelivery.js';

/** Rows of one statement at most. */
const pieceRows = 1_000;

/** A hook, and its team. */
interface HookId {
  teamId: Uuid;
  id: Uuid;
}

/**
 * Lists the hooks of all teams with overdue deliveries, or with deliveries older than the `oldest` id. Costs two index
 * look-ups for each hook.
 */
export function listOldHooks(sql: Sql, oldest: Uuid, ofTeams: OfTeams = ofAllTeams) {
  return sql<HookId[]>`/* listOldHooks */
    select team_id as "teamId", id from hook
    where ${ofTeams(sql, 'hook.team_id')} and (exists (
      select from hook_delivery
      where ${ofTeams(sql, 'hook_delivery.team_id')} and hook_delivery.team_id = hook.team_id
        and hook_id = hook.id and hook_delivery.id < ${oldest}
    ) or exists (
      select from hook_delivery
      where ${ofTeams(sql, 'hook_delivery.team_id')} and hook_delivery.team_id = hook.team_id
        and hook_id = hook.id and ${isOverdue(sql)}
    ))`;
}

/**
 * Removes up to 1,000 deliveries of a hook. Resolves with their number.
 * @param oldest removes only older ids, and none that another transaction has locked; default: all
 */
export async function removeDeliveries(sql: Sql, { teamId, id }: HookId, oldest?: Uuid): Promise<number> {
  const { count } = await sql`/* removeDeliveries */
    delete from hook_delivery where team_id = ${teamId} and hook_id = ${id} and id = any(array(
      select id from hook_delivery
      where team_id = ${teamId} and hook_id = ${id} ${oldest ? sql`and id < ${oldest}` : sql``}
      limit ${pieceRows} ${oldest ? sql`for update skip locked` : sql``}
    ))`;
  return count;
}

/**
 * Gives up to 1,000 deliveries of a hook up that could not be attempted for three days. The hook was off or failed all
 * the time. Resolves with their number.
 */
export async function giveUpDeliveries(sql: Sql, { teamId, id }: HookId): Promise<number> {
  const { count } = await sql`/* giveUpDeliveries */
    update hook_delivery set next_at = null,
      error = coalesce(error, 'Not sent: for three days the webhook was switched off, or failed.')
    where team_id = ${teamId} and hook_id = ${id} and id = any(array(
      select id from hook_delivery
      where team_id = ${teamId} and hook_id = ${id} and ${isOverdue(sql)}
      limit ${pieceRows} for update skip locked
    ))`;
  return count;
}
