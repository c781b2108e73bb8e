import type { Sql } from '../../database/connection/connect.js';
import { enqueue } from '../../hooks/sql/enqueue.js';
import type { Uuid } from '../../values/ids.js';

/** An event of an order that is stored already. */
export type OrderEvent = 'order.changed' | 'order.refunded';

/**
 * Enqueues an event of an order for a team's webhooks, inside the transaction that brings it about, after the statements
 * that change the order and its refunds. Costs one look into the index of hooks where there is none.
 */
export function enqueueOrder(
  tx: Sql,
  teamId: Uuid,
  type: OrderEvent,
  { id, isTest }: { id: Uuid; isTest: boolean },
): Promise<void> {
  return enqueue(tx, teamId, type, [{ subjectId: id, data: null, isTest }]);
}
