import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Bounds the time of the search: it reads no more than the newest orders. */
const newestOrders = 1_000_000;

/** Counts the orders of a team whose buyer has no row, among the newest million. */
export async function countOrdersWithoutBuyer(sql: Sql, teamId: Uuid): Promise<number> {
  const [row] = await sql<[{ orders: number }]>`/* countOrdersWithoutBuyer */
    select count(*)::int as orders from (
      select person_id from placed_order where team_id = ${teamId} order by created_at desc limit ${newestOrders}
    ) newest
    where not exists (select from person where team_id = ${teamId} and person.id = newest.person_id)`;
  return row.orders;
}
