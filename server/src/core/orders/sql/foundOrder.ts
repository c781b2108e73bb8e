import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/** Records that a stored order did not come by itself: its shop was asked, or a person has stored it. It ends no silence. */
export async function recordFound(sql: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await sql`/* recordFound */
    insert into found_order (team_id, placed_order_id)
    select team_id, id from placed_order where team_id = ${teamId} and id = ${id}
    on conflict do nothing`;
}
