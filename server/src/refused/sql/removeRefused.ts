import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { SenderKind } from '../refusedBounds.js';
import type { RefusedFilter } from '../refusedReport.js';
import { isMeant, isOfBuyer } from './conditions.js';

/** Removes kept reports for good and resolves with their number. Waits for reports that are being replayed. */
export async function discardRefused(sql: Sql, teamId: Uuid, filter: RefusedFilter): Promise<number> {
  const discarded = await sql`/* discardRefused */
    delete from refused_report where ${isMeant(sql, teamId, filter)}`;
  return discarded.count;
}

/**
 * Removes a team's oldest reports of the fullest senders of a kind, until they have given up that many places. Resolves
 * with their number. Leaves out reports that are being replayed.
 */
export async function pushOutRefused(
  tx: Sql,
  teamId: Uuid,
  { kind, places }: { kind: SenderKind; places: number },
): Promise<number> {
  const removed = await tx`/* pushOutRefused */
    with held as (
      select id, received_at, places,
        coalesce(sum(places) over (
          partition by key_hash, host order by received_at desc, id desc
          rows between unbounded preceding and 1 preceding
        ), 0) as newer
      from refused_report
      where team_id = ${teamId} and (key_hash is not null) = ${kind === 'key'} and is_allowed = ${kind === 'allowed'}
    ), ranked as (
      select id, sum(places) over (order by newer desc, received_at, id) - places as given_up from held
    ), free as materialized (
      select id from refused_report
      where team_id = ${teamId} and id = any(array(select id from ranked where given_up < ${places}))
      for update skip locked
    )
    delete from refused_report where team_id = ${teamId} and id = any(array(select id from free))`;
  return removed.count;
}

/** Rows of one statement. */
const batchRows = 500;

/**
 * Lists the teams with expired reports or counts. Of the reports those are to be removed that came until a day after the
 * oldest; null for none.
 */
export function listExpiredTeams(sql: Sql) {
  return sql<{ teamId: Uuid; until: Date | null }[]>`/* listExpiredTeams */
    select team_id as "teamId", least(min(oldest) + interval '1 day', now() - interval '30 days') as until
    from (
      select team_id, min(received_at) as oldest from refused_report
      where received_at < now() - interval '30 days'
      group by 1
      union all
      select distinct team_id, null::timestamptz from refused_count where day < now() - interval '90 days'
    ) expired
    group by 1`;
}

/** Removes up to 500 kept reports of a team from before a time, and resolves with their number. */
export async function removeExpiredReports(sql: Sql, teamId: Uuid, before: Date): Promise<number> {
  const removed = await sql`/* removeExpiredReports */
    delete from refused_report where team_id = ${teamId} and id = any(array(
      select id from refused_report where team_id = ${teamId} and received_at < ${before}
      limit ${batchRows} for update skip locked
    ))`;
  return removed.count;
}

/**
 * Removes all kept reports of a buyer and resolves with their number. Waits for reports that are being replayed.
 * @param mentions see `findMentions`
 */
export async function eraseRefused(
  sql: Sql,
  teamId: Uuid,
  email: string,
  mentions: readonly Uuid[],
): Promise<number> {
  const erased = await sql`/* eraseRefused */
    delete from refused_report where team_id = ${teamId} and ${isOfBuyer(sql, email, mentions)}`;
  return erased.count;
}
