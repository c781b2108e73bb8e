import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { type ShownOrderRow, shownOrderColumns } from './pageOrders.js';

/** Finds an order for its own page; undefined when the team has none of that id. */
export async function findShownOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<ShownOrderRow | undefined> {
  const rows = await sql<ShownOrderRow[]>`/* findShownOrder */
    select ${shownOrderColumns(sql)}
    from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
    where o.team_id = ${teamId} and o.id = ${id}`;
  return rows[0];
}
