import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/**
 * Removes an order that is a test or that pages alone have reported; false when no such one is there.
 * @param tx a transaction that has called `markRecount` with the order's time
 */
export async function discardOrder(tx: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const discarded = await tx`/* discardOrder */
    delete from placed_order
    where team_id = ${teamId} and id = ${id} and (is_test or reported_by = 'browser')`;
  return discarded.count > 0;
}

/**
 * Marks the quarter of an hour that an order is about to leave: the console then counts it anew. Nothing else shows that
 * an order was removed. An existing mark is written again, so that whoever removes it waits for this transaction, and
 * counts after it.
 */
export async function markRecount(tx: Sql, teamId: Uuid, time: Date): Promise<void> {
  await tx`/* markRecount */
    insert into order_count_stale (team_id, quarter)
    values (${teamId}, date_bin('15 minutes', ${time}, '2000-01-01Z'))
    on conflict (team_id, quarter) do update set quarter = excluded.quarter`;
}
