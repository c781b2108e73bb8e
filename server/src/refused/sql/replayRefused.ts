import type { Issue } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../database/connection/connect.js';
import { orderDiffers } from '../../orders/findDifference.js';
import type { Uuid } from '../../values/ids.js';
import type { RefusedCursor, RefusedFilter, RefusedReason, RefusedRow } from '../refusedReport.js';
import { isMeant, refusedColumns } from './listRefused.js';

type Next = RefusedFilter & { after: RefusedCursor | null };

/** Reports that differ from a stored order are left to a person, unless they are asked for. */
const isNext = (sql: Sql, teamId: Uuid, { after, ...filter }: Next) => sql`
  ${isMeant(sql, teamId, filter)}
  ${filter.ids === undefined && filter.reason === undefined ? sql`and reason <> ${orderDiffers}` : sql``}
  ${after ? sql`and (received_at, id) > (${after.receivedAt}, ${after.id})` : sql``}`;

/**
 * Locks the next kept reports for a replay, the oldest first, so that erasing and discarding wait. Leaves out reports that
 * another replay has locked.
 */
export function lockRefused(tx: Sql, teamId: Uuid, { limit, ...next }: Next & { limit: number }) {
  return tx<RefusedRow[]>`/* lockRefused */
    select ${refusedColumns(tx)} from refused_report
    where ${isNext(tx, teamId, next)}
    order by received_at, id
    limit ${limit}
    for update skip locked`;
}

/** Counts the filter's kept reports after a cursor, or all of them. */
export async function countRefusedAfter(sql: Sql, teamId: Uuid, next: Next): Promise<number> {
  const [row] = await sql<[{ reports: number }]>`/* countRefusedAfter */
    select count(*)::int as reports from refused_report where ${isNext(sql, teamId, next)}`;
  return row.reports;
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
