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
