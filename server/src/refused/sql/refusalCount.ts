import type { Sql } from '../../database/connection/connect.js';
import { isAllowed } from '../../teams/domains.js';
import { findEntries } from '../../teams/sql/domain.js';
import type { Uuid } from '../../values/ids.js';
import { others, type RefusalCount } from '../refusalCounts.js';
import type { RefusedReason } from '../refusedReport.js';

/** Rows of a team and day, but for one more per reason: up to the first number for other hosts, up to the second for all. */
const rowsOfDay = { unknown: 100, all: 400 };

/**
 * Adds counts of refusals to a team's counts of the day. Keys and the hosts of the team's domains get a row first, so that
 * made-up hosts take none of theirs; past the limits, the hosts and fields of a reason are counted together.
 */
export async function addRefusalCounts(
  tx: Sql,
  teamId: Uuid,
  counts: readonly RefusalCount[],
): Promise<void> {
  await addCountsWithDomains(tx, teamId, counts, await findEntries(tx, teamId));
}

/** Does the same in a transaction that has read the team's domain entries. */
export async function addCountsWithDomains(
  tx: Sql,
  teamId: Uuid,
  counts: readonly RefusalCount[],
  domains: ReadonlySet<string>,
): Promise<void> {
  const judged = counts.map((count) => ({
    ...count,
    isOwn: count.host === '' || isAllowed(count.host, domains),
  }));
  await tx`/* addRefusalCounts */
    with counted as (
      select day, reason, host, field, bool_or("isOwn") as is_own, sum(reports) as reports, max("lastAt") as last_at
      from json_to_recordset(${JSON.stringify(judged)}::text::json) as r (
        day timestamptz, reason text, host text, field text, "isOwn" boolean, reports bigint, "lastAt" timestamptz
      )
      group by day, reason, host, field
    ), row_of_day as (
      select day, reason, host, field from refused_count
      where team_id = ${teamId} and day in (select day from counted)
    ), judged as (
      select counted.*, r.day is not null or host = ${others} as has_row
      from counted left join row_of_day r using (day, reason, host, field)
    ), placed as (
      select *, has_row or (select count(*) from row_of_day r where r.day = judged.day) + row_number() over (
        partition by day, has_row order by is_own desc, reports desc
      ) <= case when is_own then ${rowsOfDay.all}::integer else ${rowsOfDay.unknown}::integer end as is_single
      from judged
    )
    insert into refused_count (team_id, day, reason, host, field, reports, last_at)
    select ${teamId}::uuid, day, reason, case when is_single then host else ${others} end,
      case when is_single then field else ${others} end, sum(reports), max(last_at)
    from placed
    group by 1, 2, 3, 4, 5
    order by 2, 3, 4, 5
    on conflict (team_id, day, reason, host, field) do update set
      reports = refused_count.reports + excluded.reports, last_at = greatest(refused_count.last_at, excluded.last_at)`;
}

/** Counts all refusals of a span of whole days by reason, also of reports that were not kept or are stored by now. */
export function countRefusals(sql: Sql, teamId: Uuid, { from, to }: { from: Date; to: Date }) {
  return sql<{ reason: RefusedReason; reports: number }[]>`/* countRefusals */
    select reason, sum(reports)::float as reports from refused_count
    where team_id = ${teamId} and day >= ${from} and day < ${to}
    group by reason order by reports desc`;
}

/** Lists the last refusal of each host since a time, the latest first, for 1,000 hosts at most. Key reports have the host ''. */
export function listLastRefusals(sql: Sql, teamId: Uuid, since: Date) {
  return sql<{ host: string; reason: RefusedReason; lastAt: Date }[]>`/* listLastRefusals */
    select host, (array_agg(reason order by last_at desc))[1] as reason, max(last_at) as "lastAt"
    from refused_count
    where team_id = ${teamId} and day >= ${since}
    group by host order by "lastAt" desc
    limit 1000`;
}

/** Rows of one statement. */
const batchRows = 2_000;

/** Removes up to 2,000 counts of a team that are older than 90 days, and resolves with their number. */
export async function removeExpiredCounts(sql: Sql, teamId: Uuid): Promise<number> {
  const removed = await sql`/* removeExpiredCounts */
    delete from refused_count where team_id = ${teamId} and (day, reason, host, field) in (
      select day, reason, host, field from refused_count
      where team_id = ${teamId} and day < now() - interval '90 days'
      limit ${batchRows}
    )`;
  return removed.count;
}
