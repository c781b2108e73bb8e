import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { isMeant, isWaiting, type RefusedFilter, type RefusedRow, refusedColumns } from './refusedReport.js';

/** The place of a kept report in the order of lists. */
export interface RefusedPlace {
  receivedAt: Date;
  id: Uuid;
}

/**
 * Lists the kept reports that wait to be mended, the newest first.
 * @param options.before the last of the page before
 */
export function listRefused(
  sql: Sql,
  teamId: Uuid,
  { before, limit, ...filter }: RefusedFilter & { before?: RefusedPlace | undefined; limit: number },
) {
  return sql<RefusedRow[]>`/* listRefused */
    select ${refusedColumns(sql)} from refused_report
    where ${isMeant(sql, teamId, filter)} and ${isWaiting(sql, teamId)}
      ${before ? sql`and (received_at, id) < (${before.receivedAt}, ${before.id})` : sql``}
    order by received_at desc, id desc
    limit ${limit}`;
}
