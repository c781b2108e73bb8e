import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';
import type { StoredOrder } from './findOrder.js';

/** Writes a merged order, and its buyer where the merge brings a new one or a name for a nameless one. */
export async function updateOrder(
  sql: Sql,
  teamId: Uuid,
  order: StoredOrder,
  buyer: { email: string; name: string | null },
): Promise<void> {
  await sql`/* updateOrder */
    with buyer as (
      insert into person (team_id, id, email, name)
      values (${teamId}, ${order.personId}, ${buyer.email}, ${buyer.name})
      on conflict (team_id, id) do update set name = excluded.name
        where person.name is null and excluded.name is not null
    )
    update placed_order set
      person_id = ${order.personId}, order_id = ${order.orderId}, amount = ${order.amount},
      currency = ${order.currency}, source = ${order.source}, name = ${order.name},
      items = ${order.items && JSON.stringify(order.items)}::text::json, visitor_id = ${order.visitorId},
      is_test = ${order.isTest}, reported_by = ${order.reportedBy}
    where team_id = ${teamId} and id = ${order.id}`;
}
