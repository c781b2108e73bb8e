import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** True when a person has an order. */
export async function hasOrders(sql: Sql, teamId: Uuid, personId: Uuid): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`/* hasOrders */
    select exists (select from placed_order where team_id = ${teamId} and person_id = ${personId})`;
  return row.exists;
}
