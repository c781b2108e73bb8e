import { type OfTeams, ofAllTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { Hook } from '../hook.js';

/** A hook as lists show it. */
export interface ListedHook extends Hook {
  createdAt: Date;
  /** Time of the first failed attempt since the last success; null if the last attempt succeeded. */
  failingSince: Date | null;
  /** Time at which the hook was switched off; null while it is on. */
  disabledAt: Date | null;
  /** Reason why the server switched the hook off; null if it is on, or if a person switched it off. */
  disabledReason: string | null;
}

/** Condition on rows of `hook` that were not removed. */
export const isThere = (sql: Sql) => sql`hook.removed_at is null`;

/** Lists a team's hooks, the oldest first. */
export function listHooks(sql: Sql, teamId: Uuid) {
  return sql<ListedHook[]>`/* listHooks */
    select id, url, array_to_json(events) as events, is_test as "isTest", format, secret, allows_private as "allowsPrivate",
      created_at as "createdAt", failing_since as "failingSince", disabled_at as "disabledAt",
      disabled_reason as "disabledReason"
    from hook where team_id = ${teamId} and ${isThere(sql)} order by created_at, id`;
}

/** Lists a team's hooks, inside a transaction. Until it ends, no other transaction can add one. */
export async function lockHooks(tx: Sql, teamId: Uuid): Promise<ListedHook[]> {
  await tx`/* lockHooks */
    select from team where id = ${teamId} for no key update`;
  return listHooks(tx, teamId);
}

/** Stores a new hook. */
export async function createHook(sql: Sql, teamId: Uuid, hook: Hook): Promise<void> {
  const { id, url, events, isTest, format, secret, allowsPrivate } = hook;
  await sql`/* createHook */
    insert into hook (team_id, id, url, events, is_test, format, secret, allows_private)
    values (${teamId}, ${id}, ${url}, string_to_array(${events.join()}, ','), ${isTest}, ${format}, ${secret}, ${allowsPrivate})`;
}

/** Switches a hook on, as if it had never failed. False if the team has no such hook. */
export async function enableHook(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const { count } = await sql`/* enableHook */
    update hook set disabled_at = null, disabled_reason = null, failing_since = null
    where team_id = ${teamId} and id = ${id} and ${isThere(sql)}`;
  return count > 0;
}

/**
 * Switches a hook off. A hook that is off keeps its first reason. False if the team has no such hook that is on.
 * @param reason null if a person switches it off
 */
export async function disableHook(sql: Sql, teamId: Uuid, id: Uuid, reason: string | null): Promise<boolean> {
  const { count } = await sql`/* disableHook */
    update hook set disabled_at = now(), disabled_reason = ${reason}
    where team_id = ${teamId} and id = ${id} and disabled_at is null`;
  return count > 0;
}

/**
 * Removes a hook: it gets nothing more, and cannot be shown or switched on again. Its address and secret are removed
 * immediately. `expireDeliveries` removes its deliveries later, because open transactions may still enqueue some.
 */
export async function removeHook(sql: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await sql`/* removeHook */
    update hook set removed_at = now(), disabled_at = now(), url = '', secret = ''
    where team_id = ${teamId} and id = ${id}`;
}

/**
 * Lists the hooks of all teams that were removed over an hour ago. All transactions that saw them on have ended by
 * then.
 */
export function listRemovedHooks(sql: Sql, ofTeams: OfTeams = ofAllTeams) {
  return sql<{ teamId: Uuid; id: Uuid }[]>`/* listRemovedHooks */
    select team_id as "teamId", id from hook
    where ${ofTeams(sql, 'team_id')} and removed_at < now() - interval '1 hour'`;
}

/** Deletes the row of a hook. */
export async function deleteHook(sql: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await sql`/* deleteHook */
    delete from hook where team_id = ${teamId} and id = ${id}`;
}
