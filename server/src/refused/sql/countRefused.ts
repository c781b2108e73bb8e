import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { isMeant, isWaiting, type RefusedFilter, type RefusedReason } from './refusedReport.js';

/** Counts the kept reports that wait to be mended. */
export async function countWaiting(sql: Sql, teamId: Uuid, filter: RefusedFilter = {}): Promise<number> {
  const [row] = await sql<[{ reports: number }]>`/* countWaiting */
    select count(*)::int as reports from refused_report
    where ${isMeant(sql, teamId, filter)} and ${isWaiting(sql, teamId)}`;
  return row.reports;
}

/** Counts all refusals of a span of whole hours by reason, also of reports that were not kept or are mended. */
export function countRefusals(sql: Sql, teamId: Uuid, { from, to }: { from: Date; to: Date }) {
  return sql<{ reason: RefusedReason; reports: number }[]>`/* countRefusals */
    select reason, sum(reports)::float as reports from refused_count
    where team_id = ${teamId} and hour >= ${from} and hour < ${to}
    group by reason order by reports desc`;
}

/** The last refusal of each host since a time, the latest first; 1,000 hosts at most. Key reports have the host ''. */
export function listLastRefusals(sql: Sql, teamId: Uuid, since: Date) {
  return sql<{ host: string; reason: RefusedReason; lastAt: Date }[]>`/* listLastRefusals */
    select host, (array_agg(reason order by last_at desc))[1] as reason, max(last_at) as "lastAt"
    from refused_count
    where team_id = ${teamId} and hour >= ${since}
    group by host order by "lastAt" desc
    limit 1000`;
}
