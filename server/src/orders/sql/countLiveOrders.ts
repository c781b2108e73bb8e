import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** How many orders of a team are no tests. */
export async function countLiveOrders(sql: Sql, teamId: Uuid): Promise<number> {
  const rows = await sql<{ orders: number }[]>`/* countLiveOrders */
    select count(*)::int as orders from placed_order where team_id = ${teamId} and not is_test`;
  return rows[0]!.orders;
}
