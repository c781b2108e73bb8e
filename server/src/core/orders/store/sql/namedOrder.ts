import type { Sql } from '../../../../database/connection/connect.js';
import { rowsOf } from '../../../../database/pairRows.js';
import type { Uuid } from '../../../../values/ids.js';
import { hasOrderId } from './placedOrder.js';

/** The names of an order, as somebody who looks for it says them. */
export interface OrderNames {
  /** Of an `ord_…`; null where the order is not named so. */
  id: Uuid | null;
  /** The caller's own id, an `ORD-…`, or an id of a provider. */
  name: string;
  isTest: boolean;
}

/**
 * Finds the order of an `ord_…`, an `ORD-…`, a number, or an id of a provider; null for none. An order's own id and number come
 * before all others, because a page could take them for its own. Then it is the owner of the number, then an order that once had
 * it, or that any other name but an `Idempotency-Key` means: of an id of a provider the provider's object (whose name has no colon)
 * before the words of others.
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
        where team_id = ${teamId} and key = ${name} and is_test = ${isTest}
          and kind not in ('idempotency', 'parent')
          and placed_order_id is not null
        order by case kind when 'number' then 0 when 'alias' then 1 else 2 end, position(':' in object) > 0, placed_order_id
        limit 1
      )
    ) as id`;
  return rowsOf(name, rows, (row) => row.name)[0]!.id;
}
