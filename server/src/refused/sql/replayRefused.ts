import type { Issue } from '@orderbeacon/sdk/contract';
import { anyOf } from '../../database/anyOf.js';
import type { Sql } from '../../database/connection/connect.js';
import { orderDiffers } from '../../orders/findDifference.js';
import type { Uuid } from '../../values/ids.js';
import type { RefusedFilter, RefusedPlace, RefusedReason, RefusedRow } from '../refusedReport.js';
import { isMeant, refusedColumns } from './conditions.js';

/** Reports that differ from a stored order are left to a person, unless they are asked for. */
const isReplayed = (sql: Sql, { ids, reason }: RefusedFilter) =>
  ids === undefined && reason === undefined ? sql`reason <> ${orderDiffers}` : sql`true`;

/**
 * Locks the next kept reports for a replay, the oldest first, so that erasing and discarding wait. Leaves out reports that
 * another replay has locked.
 */
export function lockRefused(
  tx: Sql,
  teamId: Uuid,
  { after, limit, ...filter }: RefusedFilter & { after: RefusedPlace | null; limit: number },
) {
  return tx<RefusedRow[]>`/* lockRefused */
    select ${refusedColumns(tx)} from refused_report
    where ${isMeant(tx, teamId, filter)} and ${isReplayed(tx, filter)}
      ${after ? tx`and (received_at, id) > (${after.receivedAt}, ${after.id})` : tx``}
    order by received_at, id
    limit ${limit}
    for update skip locked`;
}

/** Counts the filter's kept reports after a place, or all of them. */
export async function countRefusedAfter(
  sql: Sql,
  teamId: Uuid,
  { after, ...filter }: RefusedFilter & { after: RefusedPlace | null },
): Promise<number> {
  const [row] = await sql<[{ reports: number }]>`/* countRefusedAfter */
    select count(*)::int as reports from refused_report
    where ${isMeant(sql, teamId, filter)} and ${isReplayed(sql, filter)}
      ${after ? sql`and (received_at, id) > (${after.receivedAt}, ${after.id})` : sql``}`;
  return row.reports;
}

/** Removes kept reports, such as those whose orders are stored. */
export async function removeRefused(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx`/* removeRefused */
    delete from refused_report
    where team_id = ${teamId} and id = ${anyOf(tx, ids, 'uuid')}`;
}

/** The reason of a report that was refused again. */
export interface RefusedAgain {
  id: Uuid;
  reason: RefusedReason;
  field: string;
  issues: Issue[] | null;
}

/** Gives kept reports the reasons of their last refusals. */
export async function updateRefused(tx: Sql, teamId: Uuid, refused: readonly RefusedAgain[]): Promise<void> {
  await tx`/* updateRefused */
    update refused_report set reason = r.reason, field = r.field, issues = r.issues
    from json_to_recordset(${JSON.stringify(refused)}::text::json) as r (id uuid, reason text, field text, issues json)
    where refused_report.team_id = ${teamId} and refused_report.id = r.id`;
}
