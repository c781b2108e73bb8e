import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Keeps others from changing an order until the transaction ends; waits for one that changes it now. */
export async function lockOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await sql`/* lockOrder */ select from placed_order where team_id = ${teamId} and id = ${id} for update`;
}
