import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { isOfBuyer, type RefusedRow, refusedColumns } from './refusedReport.js';

/** Lists all kept reports of a buyer, the newest first, also those that do not wait any more. */
export function listRefusedOfBuyer(sql: Sql, teamId: Uuid, email: string) {
  return sql<RefusedRow[]>`/* listRefusedOfBuyer */
    select ${refusedColumns(sql)} from refused_report
    where team_id = ${teamId} and ${isOfBuyer(sql, email)}
    order by received_at desc, id desc`;
}

/** Removes all kept reports of a buyer; resolves with how many. Waits for those that are being replayed. */
export async function eraseRefused(sql: Sql, teamId: Uuid, email: string): Promise<number> {
  const erased = await sql`/* eraseRefused */
    delete from refused_report where team_id = ${teamId} and ${isOfBuyer(sql, email)}`;
  return erased.count;
}
