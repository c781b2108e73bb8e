import type { Fragment, Sql } from '../../database/connection/connect.js';
import { anyOf } from '../../database/parameters.js';
import type { Uuid } from '../../values/ids.js';

/** A condition: true for the kinds of identifiers that are shown as `keys` of an order, and by which anybody can find it. */
const shownKinds = (sql: Sql) => sql`kind in ('provider', 'idempotency', 'alias')`;

/** A subquery of all keys of an order, as lists show them. */
export const keysOfOrder = (sql: Sql, teamId: Uuid, orderId: Fragment | Uuid) => sql`
      select distinct key from order_key where team_id = ${teamId} and placed_order_id = ${orderId} and ${shownKinds(sql)}`;

/** Removes all identifiers of orders, inside the transaction that removes the orders. */
export async function removeOrderKeys(tx: Sql, teamId: Uuid, orderIds: readonly Uuid[]): Promise<void> {
  await tx`/* removeOrderKeys */
    delete from order_key where team_id = ${teamId} and placed_order_id = ${anyOf(tx, orderIds, 'uuid')}`;
}
