import { encodeId } from '../values/ids.js';
import { refundState } from './paymentStatus.js';
import type { ListedOrderRow } from './sql/listOrders.js';

/** Turns a stored order into the form of lists and exports: every field, with the contract's name. */
export function toListedOrder(row: ListedOrderRow) {
  return {
    id: encodeId('ord', row.id),
    orderNumber: row.orderNumber,
    orderId: row.orderId,
    reportId: row.reportId,
    idempotencyKey: row.idempotencyKey,
    peopleId: encodeId('ppl', row.personId),
    email: row.email,
    name: row.name,
    amount: Number(row.amount),
    currency: row.currency,
    ...refundState(row.amount, row.refunded, row.currency),
    source: row.source,
    items: row.items,
    visitorId: row.visitorId,
    firstTouch: row.firstTouch,
    lastTouch: row.lastTouch,
    extra: row.extra,
    isTest: row.isTest,
    reportedBy: row.reportedBy,
    createdAt: row.createdAt.toISOString(),
  };
}
