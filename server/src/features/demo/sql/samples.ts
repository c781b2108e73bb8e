import type { Listeners } from '../../../core/listener.js';
import { notifyListeners } from '../../../core/listener.js';
import { removeOrderKeys } from '../../../core/orders/orderKeys.js';
import { removeEmptyPeople } from '../../../core/people/sql/person.js';
import type { Sql } from '../../../database/connection/connect.js';
import { inTransaction } from '../../../database/inTransaction.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import { makeSampleOrders } from '../sampleMonth.js';

/** Order ids of all samples. */
const sampleIds = makeSampleOrders(0).map(({ report }) => report.orderId!);

/** Condition for a sample order. A person's own trial may have a sample's order id, but not its extra field `sample`. */
const isSample = (sql: Sql, teamId: Uuid) => sql`
  team_id = ${teamId} and order_id = ${anyOf(sql, sampleIds)} and is_test and extra ->> 'sample' = 'true'`;

/** Counts the sample orders of the demo team. */
export async function countSamples(sql: Sql, teamId: Uuid): Promise<number> {
  const [row] = await sql<[{ orders: number }]>`/* countSamples */
    select count(*)::int as orders from placed_order where ${isSample(sql, teamId)}`;
  return row.orders;
}

/** Removes the sample orders with their refunds and buyers, and resolves with their number. All other orders stay. */
export function removeSamples(sql: Sql, teamId: Uuid, listeners: Listeners): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const orders = await tx<{ id: Uuid; createdAt: Date; personId: Uuid }[]>`/* removeSamples */
      delete from placed_order where ${isSample(tx, teamId)}
      returning id, created_at as "createdAt", person_id as "personId"`;
    const ids = orders.map(({ id }) => id);
    await removeOrderKeys(tx, teamId, ids);
    await notifyListeners(listeners, 'onOrdersGone', tx, teamId, orders, 'removed');
    const isOfSample = tx`team_id = ${teamId} and placed_order_id = ${anyOf(tx, ids, 'uuid')}`;
    await tx`/* removeSampleStatements */ delete from statement where ${isOfSample}`;
    await tx`/* removeSampleRefunds */ delete from refund where ${isOfSample}`;
    const buyers = orders.map(({ personId }) => personId);
    await removeEmptyPeople(tx, teamId, [...new Set(buyers)]);
    return orders.length;
  });
}
