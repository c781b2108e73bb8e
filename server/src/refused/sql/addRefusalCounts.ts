import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** How many reports of a team were refused in an hour for the same reason, host and field. */
export interface RefusalCount {
  /** The hour's beginning, ISO 8601. */
  hour: string;
  reason: string;
  host: string;
  field: string;
  reports: number;
  lastAt: string;
}

/** Adds refusals to those of a team that are counted already. */
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
