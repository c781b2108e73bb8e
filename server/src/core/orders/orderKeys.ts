import type { Fragment, Sql } from '../../database/connection/connect.js';
import { anyOf } from '../../database/parameters.js';
import type { Uuid } from '../../values/ids.js';

/** Kinds of names that are shown as the keys of an order, and by which anybody finds it. */
const shownKinds = (sql: Sql) => sql`kind in ('provider', 'idempotency', 'alias')`;

/** Every key that an order is known by, as lists show them, as a subquery. */
export const keysOfOrder = (sql: Sql, teamId: Uuid, orderId: Fragment | Uuid) => sql`
      select distinct key from order_key where team_id = ${teamId} and placed_order_id = ${orderId} and ${shownKinds(sql)}`;

/** Removes all names of orders that were discarded, in the same transaction. */
export async function removeOrderKeys(tx: Sql, teamId: Uuid, orderIds: readonly Uuid[]): Promise<void> {
  await tx`/* removeOrderKeys */
    delete from order_key where team_id = ${teamId} and placed_order_id = ${anyOf(tx, orderIds, 'uuid')}`;
}
