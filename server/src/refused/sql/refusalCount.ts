import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { RefusalCount } from '../refusalCounts.js';
import type { RefusedReason } from '../refusedReport.js';

/** Adds counts of refusals to a team's stored counts. */
export async function addRefusalCounts(
  sql: Sql,
  teamId: Uuid,
  counts: readonly RefusalCount[],
): Promise<void> {
  await sql`/* addRefusalCounts */
    insert into refused_count (team_id, hour, reason, host, field, reports, last_at)
    select ${teamId}, hour, reason, host, field, sum(reports), max("lastAt")
    from json_to_recordset(${JSON.stringify(counts)}::text::json) as r (
      hour timestamptz, reason text, host text, field text, reports bigint, "lastAt" timestamptz
    )
    group by hour, reason, host, field
    order by hour, reason, host, field
    on conflict (team_id, hour, reason, host, field) do update set
      reports = refused_count.reports + excluded.reports, last_at = greatest(refused_count.last_at, excluded.last_at)`;
}

/** Counts all refusals of a span of whole hours by reason, also of reports that were not kept or are stored by now. */
export function countRefusals(sql: Sql, teamId: Uuid, { from, to }: { from: Date; to: Date }) {
  return sql<{ reason: RefusedReason; reports: number }[]>`/* countRefusals */
    select reason, sum(reports)::float as reports from refused_count
    where team_id = ${teamId} and hour >= ${from} and hour < ${to}
    group by reason order by reports desc`;
}

/** Lists the last refusal of each host since a time, the latest first, for 1,000 hosts at most. Key reports have the host ''. */
export function listLastRefusals(sql: Sql, teamId: Uuid, since: Date) {
  return sql<{ host: string; reason: RefusedReason; lastAt: Date }[]>`/* listLastRefusals */
    select host, (array_agg(reason order by last_at desc))[1] as reason, max(last_at) as "lastAt"
    from refused_count
    where team_id = ${teamId} and hour >= ${since}
    group by host order by "lastAt" desc
    limit 1000`;
}

/** Removes the counts of a team that are older than 90 days. */
export async function removeExpiredCounts(sql: Sql, teamId: Uuid): Promise<void> {
  await sql`/* removeExpiredCounts */
    delete from refused_count where team_id = ${teamId} and hour < now() - interval '90 days'`;
}
