import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { RefusedReason } from '../refusedReport.js';

/** The number of reports of a team that were refused on a day for the same reason, host and field. */
export interface RefusalCount {
  /** The beginning of the day in UTC, ISO 8601. */
  day: string;
  reason: RefusedReason;
  /** Empty for reports with a key, and for pages that name none; `*` for all hosts past a limit. */
  host: string;
  field: string;
  reports: number;
  lastAt: string;
}

/** Name of all hosts, and all fields, past a limit. */
export const others = '*';

/** Lists which counts a team has since a day. */
export async function listCounts(sql: Sql, teamId: Uuid, since: string) {
  const rows = await sql<{ day: Date; reason: string; host: string; field: string }[]>`/* listCounts */
    select day, reason, host, field from refused_count where team_id = ${teamId} and day >= ${since}`;
  return rows.map((row) => ({ ...row, day: row.day.toISOString() }));
}

/** Adds counts of refusals to a team's counts. */
export async function addRefusalCounts(
  sql: Sql,
  teamId: Uuid,
  counts: readonly RefusalCount[],
): Promise<void> {
  await sql`/* addRefusalCounts */
    insert into refused_count (team_id, day, reason, host, field, reports, last_at)
    select ${teamId}::uuid, day, reason, host, field, reports, "lastAt"
    from json_to_recordset(${JSON.stringify(counts)}::text::json) as r (
      day timestamptz, reason text, host text, field text, reports bigint, "lastAt" timestamptz
    )
    order by day, reason, host, field
    on conflict (team_id, day, reason, host, field) do update set
      reports = refused_count.reports + excluded.reports, last_at = greatest(refused_count.last_at, excluded.last_at)`;
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

/** Refusals of a team for the same reason, host and field. */
export interface RecentRefusals extends Pick<RefusalCount, 'reason' | 'host' | 'field' | 'reports'> {
  /** The first day of them. */
  beganOn: Date;
}

/** Lists a team's refusals since a day. */
export function listRecentRefusals(sql: Sql, teamId: Uuid, since: Date) {
  return sql<RecentRefusals[]>`/* listRecentRefusals */
    select reason, host, field, min(day) as "beganOn", sum(reports)::float as reports from refused_count
    where team_id = ${teamId} and day >= ${since}
    group by 1, 2, 3`;
}

/** A host or field that began to be refused on a day, with an event in the hooks; `*` for all others of the day. */
export interface BegunSubject {
  beganOn: Date;
  kind: 'host' | 'field';
  name: string;
}

/** Removes the subjects of earlier days, and lists those since a day. */
export async function listBegun(tx: Sql, teamId: Uuid, since: Date): Promise<BegunSubject[]> {
  await tx`/* removeBegun */
    delete from hook_refused where team_id = ${teamId} and day < ${since}`;
  return tx<BegunSubject[]>`/* listBegun */
    select day as "beganOn", kind, name from hook_refused where team_id = ${teamId}`;
}

/** Stores the subjects of events. */
export async function addBegun(tx: Sql, teamId: Uuid, begun: readonly BegunSubject[]): Promise<void> {
  await tx`/* addBegun */
    insert into hook_refused (team_id, day, kind, name)
    select ${teamId}::uuid, "beganOn", kind, name
    from json_to_recordset(${JSON.stringify(begun)}::text::json) as r ("beganOn" timestamptz, kind text, name text)`;
}

/** Lists the teams with counts that are older than 90 days. Asks every node of a cluster, so it is for background work. */
export function listExpiredCounts(sql: Sql) {
  return sql<{ teamId: Uuid }[]>`/* listExpiredCounts */
    select distinct team_id as "teamId" from refused_count where day < now() - interval '90 days'`;
}

/** Removes a team's counts that are older than 90 days. */
export async function removeExpiredCounts(sql: Sql, teamId: Uuid): Promise<void> {
  await sql`/* removeExpiredCounts */
    delete from refused_count where team_id = ${teamId} and day < now() - interval '90 days'`;
}
