import { encodeId } from '../../../values/ids.js';
import { type FieldName, fieldNames } from '../fields.js';
import { refundState } from '../payment.js';
import type { ListedOrderRow } from './sql/listOrders.js';

/** Turns a stored order into the form of lists and exports: every field, with the contract's name. */
export function toListedOrder(row: ListedOrderRow) {
  const { id, orderNumber, reportId, keys, sharesIdWith, personId, email, isTest, reportedBy, createdAt } =
    row;
  return {
    id: encodeId('ord', id),
    orderNumber,
    reportId,
    keys,
    sharesIdWith,
    peopleId: encodeId('ppl', personId),
    email,
    ...refundState(row.amount, row.refunded, row.currency),
    isTest,
    reportedBy,
    createdAt: createdAt.toISOString(),
    ...(Object.fromEntries(fieldNames.map((name) => [name, row[name]])) as Pick<ListedOrderRow, FieldName>),
    amount: Number(row.amount),
  };
}

/**
 * Writes the content of a webhook's body from what its delivery stores. `order.created` stores the order's row, because it
 * is enqueued by the statement that stores the order; every other event stores the content itself.
 */
export function deliveryContent(type: string, data: unknown): unknown {
  if (type !== 'order.created') return data;
  const row = data as ListedOrderRow;
  return { ...toListedOrder({ ...row, createdAt: new Date(row.createdAt) }), refunds: [] };
}
