import type { Sql } from '../../database/connection/connect.js';

/** Numbers of the hooks of all teams. */
export interface HookCounts {
  /** Hooks that were switched off because they failed. */
  offByFailures: number;
  /** Hooks that a person has switched off. */
  offByPerson: number;
  /** Deliveries that wait for an attempt, those of hooks that are off left out. */
  pending: number;
  /** Teams whose orders have stopped, of those with a hook that is told of it. */
  silentTeams: number;
}

/** Counts the hooks that are off, the deliveries that wait, and the teams whose orders have stopped. */
export async function countHooks(sql: Sql): Promise<HookCounts> {
  const [off] = await sql<[Pick<HookCounts, 'offByFailures' | 'offByPerson'>]>`/* countHooksOff */
    select count(disabled_reason)::int as "offByFailures",
      (count(*) - count(disabled_reason))::int as "offByPerson"
    from hook where disabled_at is not null and removed_at is null`;
  const [{ pending }] = await sql<[{ pending: number }]>`/* countPendingDeliveries */
    select count(*)::int as pending
    from hook join hook_delivery on hook_delivery.team_id = hook.team_id and hook_delivery.hook_id = hook.id
    where hook.disabled_at is null and hook_delivery.next_at is not null`;
  const [{ silentTeams }] = await sql<[{ silentTeams: number }]>`/* countSilentTeams */
    select count(*)::int as "silentTeams" from hook_watch
    where stopped_since is not null and exists (
      select from hook
      where hook.team_id = hook_watch.team_id and disabled_at is null and not is_test and 'orders.stopped' = any(events)
    )`;
  return { ...off, pending, silentTeams };
}
