import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { isMeant, type RefusedFilter } from './refusedReport.js';

/** Removes kept reports for ever; resolves with how many. Waits for those that are being replayed. */
export async function discardRefused(sql: Sql, teamId: Uuid, filter: RefusedFilter): Promise<number> {
  const discarded = await sql`/* discardRefused */
    delete from refused_report where ${isMeant(sql, teamId, filter)}`;
  return discarded.count;
}
