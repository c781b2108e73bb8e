import type { Sql } from '../../../../database/connection/connect.js';
import { rowsOf } from '../../../../database/pairRows.js';
import type { Uuid } from '../../../../values/ids.js';
import { hasOrderId } from './placedOrder.js';

/** Names of an order that a caller searches for. */
export interface OrderNames {
  /** The UUID of an `ord_…`; null for another kind of name. */
  id: Uuid | null;
  /** The caller's own id, an `ORD-…`, or a provider's id. */
  name: string;
  isTest: boolean;
}

/** A condition: true for identifiers by which anybody can find an order, besides its own ids and the number that it owns. */
export const isOtherName = (sql: Sql) =>
  sql`(kind not in ('idempotency', 'parent') and placed_order_id is not null)`;

/**
 * Finds the order of an `ord_…`, an `ORD-…`, a number, or a provider's id; null if no order has it. An order's own id and `ORD-…`
 * come first, because a page could report them as its `orderId`. Then comes the owner of the number, then an order that once had
 * the number, then one with any other identifier except an `Idempotency-Key`. Of a provider's id, the provider's own object comes
 * first; its name has no colon.
 */
export async function findNamedOrder(
  sql: Sql,
  teamId: Uuid,
  { id, name, isTest }: OrderNames,
): Promise<Uuid | null> {
  const rows = await sql<[{ name: string; id: Uuid | null }]>`/* findNamedOrder */
    select ${name}::text as name, coalesce(
      (
        select o.id from placed_order o
        where o.team_id = ${teamId} and (o.id = ${id} or o.order_number = ${name}) and o.is_test = ${isTest}
      ),
      (
        select o.id from placed_order o where o.team_id = ${teamId} and ${hasOrderId(sql, name)} and o.is_test = ${isTest}
      ),
      (
        select placed_order_id from order_key
        where team_id = ${teamId} and key = ${name} and is_test = ${isTest} and ${isOtherName(sql)}
        order by case kind when 'number' then 0 when 'alias' then 1 else 2 end, position(':' in object) > 0, placed_order_id
        limit 1
      )
    ) as id`;
  return rowsOf(name, rows, (row) => row.name)[0]!.id;
}
