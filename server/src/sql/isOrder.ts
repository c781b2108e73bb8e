import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** True when a team has an order of that id. */
export async function isOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const rows = await sql`/* isOrder */
    select from placed_order where team_id = ${teamId} and id = ${id}`;
  return rows.length > 0;
}
