import { addRefunds, findListed } from '../../../core/orders/answer/addRefunds.js';
import { type ListedOrderRow, listedColumns } from '../../../core/orders/answer/sql/listOrders.js';
import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import { enqueue } from './enqueue.js';

/** An event of an order that is already stored. */
export type OrderEvent = 'order.changed' | 'order.merged' | 'order.refunded';

/** Further fields of an event of an order. */
interface OrderEventFields {
  /** Set for `order.merged`: the `ord_…` of the order that was merged into this one. */
  mergedId?: string;
}

/**
 * Enqueues an event of an order for a team's webhooks, with the order's current state.
 *
 * Call it inside the transaction that causes the event, after the statements that change the order and its refunds. A
 * team without a hook costs one index look-up. An order whose buyer was erased is not sent.
 */
export function enqueueOrder(
  tx: Sql,
  teamId: Uuid,
  type: OrderEvent,
  { id, isTest }: { id: Uuid; isTest: boolean },
  fields: OrderEventFields = {},
): Promise<void> {
  return enqueue(tx, teamId, type, async () => {
    const row = await findListed(tx, teamId, id);
    if (!row || row.email === null) return [];
    const order = await addRefunds(tx, teamId, row);
    return [{ subjectId: id, data: { ...order, ...fields }, isTest }];
  });
}

/** Enqueues orders that this transaction has stored, as `reportOrders` does in its statement. */
export function enqueueStored(tx: Sql, teamId: Uuid, ids: Uuid[]): Promise<void> {
  return enqueue(tx, teamId, 'order.created', async () => {
    const rows = await tx<ListedOrderRow[]>`/* listStored */
      select ${listedColumns(tx, teamId, { refunded: tx`0` })}
      from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
      where o.team_id = ${teamId} and o.id = ${anyOf(tx, ids, 'uuid')}`;
    return rows.map((row) => ({ subjectId: row.id, data: row, isTest: row.isTest }));
  });
}
