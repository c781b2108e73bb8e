import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { RefusedFilter } from '../refusedReport.js';
import { isMeant, isOfBuyer } from './conditions.js';

/** Removes kept reports for good and resolves with their number. Waits for reports that are being replayed. */
export async function discardRefused(sql: Sql, teamId: Uuid, filter: RefusedFilter): Promise<number> {
  const discarded = await sql`/* discardRefused */
    delete from refused_report where ${isMeant(sql, teamId, filter)}`;
  return discarded.count;
}

/** Rows of one statement. */
const batchRows = 500;

/** Lists the teams with kept reports or counts from before these times. */
export function listExpiredTeams(sql: Sql, { reports, counts }: { reports: Date; counts: Date }) {
  return sql<{ teamId: Uuid }[]>`/* listExpiredTeams */
    select distinct team_id as "teamId" from refused_report where received_at < ${reports}
    union select distinct team_id from refused_count where hour < ${counts}`;
}

/** Removes up to 500 kept reports of a team from before a time, and resolves with their number. */
export async function removeExpiredReports(sql: Sql, teamId: Uuid, before: Date): Promise<number> {
  const removed = await sql`/* removeExpiredReports */
    delete from refused_report where team_id = ${teamId} and id in (
      select id from refused_report where team_id = ${teamId} and received_at < ${before}
      limit ${batchRows} for update skip locked
    )`;
  return removed.count;
}

/** Removes all kept reports of a buyer and resolves with their number. Waits for reports that are being replayed. */
export async function eraseRefused(sql: Sql, teamId: Uuid, email: string): Promise<number> {
  const erased = await sql`/* eraseRefused */
    delete from refused_report where team_id = ${teamId} and ${isOfBuyer(sql, email)}`;
  return erased.count;
}
