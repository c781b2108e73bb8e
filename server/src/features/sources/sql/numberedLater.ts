import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/**
 * Finds the `orderId` under which pages alone have reported an order, and beside which they said the shop's own id. Null for none.
 * The buyer and the amount are the same, because anybody can say an id.
 */
export async function findNumberedLater(
  sql: Sql,
  teamId: Uuid,
  { personId, amount, isTest, id }: { personId: Uuid; amount: number; isTest: boolean; id: string },
): Promise<string | null> {
  const [row] = await sql<{ orderId: string | null }[]>`/* findNumberedLater */
    select order_id as "orderId" from placed_order
    where team_id = ${teamId} and person_id = ${personId} and is_test = ${isTest} and reported_by = 'browser'
      and amount = ${String(amount)} and extra ->> 'shopOrderId' = ${id}
    limit 1`;
  return row?.orderId ?? null;
}
