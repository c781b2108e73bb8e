import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { dayMs } from '../../values/timeUnits.js';

/** Refusals of a team for the same reason, host and field, in the last days. */
export interface RecentRefusals {
  reason: string;
  host: string;
  field: string;
  /** Reports that were refused since the given day. */
  reports: number;
  /** True when some were refused in the days before it. */
  wasBefore: boolean;
}

/** Lists a team's refusals of a day and since then, and those of the days before it. */
export function listRecentRefusals(
  sql: Sql,
  teamId: Uuid,
  { day, daysBefore }: { day: Date; daysBefore: number },
) {
  return sql<RecentRefusals[]>`/* listRecentRefusals */
    select reason, host, field, coalesce(sum(reports) filter (where day >= ${day}), 0)::float as reports,
      bool_or(day < ${day}) as "wasBefore"
    from refused_count
    where team_id = ${teamId} and day >= ${new Date(day.getTime() - daysBefore * dayMs)}
    group by 1, 2, 3`;
}

/** A host or field whose refusals were told; `more` where many of the kind that is its name were. */
export interface ToldRefusal {
  kind: 'host' | 'field' | 'more';
  name: string;
  toldAt: Date;
}

/** Removes what was told of a team before a time, and lists the rest. */
export async function listToldRefusals(tx: Sql, teamId: Uuid, since: Date): Promise<ToldRefusal[]> {
  await tx`/* removeToldRefusals */
    delete from hook_refused where team_id = ${teamId} and told_at < ${since}`;
  return tx<ToldRefusal[]>`/* listToldRefusals */
    select kind, name, told_at as "toldAt" from hook_refused where team_id = ${teamId}`;
}

/** Writes that refusals of a team are told. */
export async function addToldRefusals(tx: Sql, teamId: Uuid, told: readonly ToldRefusal[]): Promise<void> {
  await tx`/* addToldRefusals */
    insert into hook_refused (team_id, kind, name, told_at)
    select ${teamId}::uuid, kind, name, "toldAt"
    from json_to_recordset(${JSON.stringify(told)}::text::json) as r (kind text, name text, "toldAt" timestamptz)
    on conflict (team_id, kind, name) do update set told_at = excluded.told_at`;
}
