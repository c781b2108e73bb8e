import { type OfTeams, ofAllTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { HookEvent } from '../hook.js';

/** Lists the teams with a live hook for any of these events, and those events. */
export function listWatchedTeams(sql: Sql, events: readonly HookEvent[], ofTeams: OfTeams = ofAllTeams) {
  return sql<{ teamId: Uuid; events: HookEvent[] }[]>`/* listWatchedTeams */
    select team_id as "teamId", json_agg(distinct event) as events
    from hook cross join lateral unnest(events) event
    where ${ofTeams(sql, 'team_id')} and disabled_at is null and not is_test and event in ${sql(events)}
    group by team_id`;
}

/** State of a team's silence, as it was sent to its hooks. */
export interface HookWatch {
  /**
   * Time of the first check since the checks last paused. A time without checks is no silence: no server ran. Null if
   * there was no pause.
   */
  watchedSince: Date | null;
  /** Time of the last order before the silence; null while orders come. */
  stoppedSince: Date | null;
}

const columns = (sql: Sql) => sql`stopped_since as "stoppedSince", watched_since as "watchedSince"`;

/** Finds the state of a team's silence; undefined if the team was never checked. */
export async function findWatch(sql: Sql, teamId: Uuid): Promise<HookWatch | undefined> {
  const rows = await sql<HookWatch[]>`/* findWatch */
    select ${columns(sql)} from hook_watch where team_id = ${teamId}`;
  return rows[0];
}

/** Least seconds between two checks, which are a minute apart. Two servers that check at the same moment make one check. */
const checkedSeconds = 50;
/** Longest time between two checks for which servers count as having run without a pause. */
const missedSeconds = 15 * 60;

/**
 * Claims this minute's check of a team for this transaction. Undefined if another transaction has claimed it: the stored check is from
 * the last 50 s, or at most a minute ahead of `now`. One further ahead was made before the clock was set back, and does not count. Sets
 * `watched_since` to `now` after such a one, and if the last check is over 15 minutes old.
 */
export async function claimWatch(tx: Sql, teamId: Uuid, now: Date): Promise<HookWatch | undefined> {
  const [missedBefore, checkedBefore, aheadAfter] = [-missedSeconds, -checkedSeconds, 60].map(
    (seconds) => new Date(now.getTime() + seconds * 1_000),
  );
  const [watch] = await tx<HookWatch[]>`/* claimWatch */
    insert into hook_watch (team_id, checked_at) values (${teamId}, ${now})
    on conflict (team_id) do update set
      checked_at = excluded.checked_at,
      watched_since = case
        when hook_watch.checked_at between ${missedBefore!} and ${checkedBefore!} then hook_watch.watched_since
        else ${now}
      end
    where hook_watch.checked_at <= ${checkedBefore!} or hook_watch.checked_at > ${aheadAfter!}
    returning ${columns(tx)}`;
  return watch;
}

/**
 * Lists the teams whose hooks got the start of a silence, but not its end. These teams no longer have a live hook for
 * `orders.stopped`.
 */
export function listForgottenSilences(sql: Sql, ofTeams: OfTeams = ofAllTeams) {
  return sql<{ teamId: Uuid }[]>`/* listForgottenSilences */
    select team_id as "teamId" from hook_watch
    where ${ofTeams(sql, 'hook_watch.team_id')} and stopped_since is not null and not exists (
      select from hook
      where ${ofTeams(sql, 'hook.team_id')} and hook.team_id = hook_watch.team_id and disabled_at is null and not is_test and 'orders.stopped' = any(events)
    )`;
}

/** Records that a team's hooks were sent the silence that began at this time; null records that it has ended. */
export async function updateWatch(tx: Sql, teamId: Uuid, stoppedSince: Date | null): Promise<void> {
  await tx`/* updateWatch */
    update hook_watch set stopped_since = ${stoppedSince} where team_id = ${teamId}`;
}
