import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Removes an order that is a test or that pages alone have reported; false when no such one is there. */
export async function discardOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const discarded = await sql`/* discardOrder */
    delete from placed_order
    where team_id = ${teamId} and id = ${id} and (is_test or reported_by = 'browser')`;
  return discarded.count > 0;
}
