import type { OrderRefund, PlacedOrder } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../../database/connection/connect.js';
import { attemptsAtMost } from '../../../database/inTransaction.js';
import { rowsOf } from '../../../database/pairRows.js';
import { ApiError } from '../../../values/errors.js';
import type { Uuid } from '../../../values/ids.js';
import { type ListedRefundRow, listRefunds } from '../../refunds/sql/listRefunds.js';
import { toListedOrder } from './listedOrder.js';
import { type ListedOrderRow, listOrders } from './sql/listOrders.js';

/** Finds an order with the fields that lists show; undefined if it does not exist. */
export async function findListed(sql: Sql, teamId: Uuid, id: Uuid): Promise<ListedOrderRow | undefined> {
  return rowsOf(id, await listOrders(sql, teamId, { id, limit: 1 }), (row) => row.id)[0];
}

/**
 * Adds the refunds to a listed order. The order's amounts are read together with the refunds, so that they agree even if a refund
 * is stored or removed concurrently.
 * @returns undefined if the order was discarded concurrently
 * @throws ApiError `unavailable` if refunds keep changing
 */
export async function addRefunds(
  sql: Sql,
  teamId: Uuid,
  row: ListedOrderRow,
  attempts = attemptsAtMost,
): Promise<PlacedOrder | undefined> {
  const refunds = await listRefunds(sql, teamId, row.id);
  if (Number(row.refunded) > 0 && refunds.length === 0) {
    if (attempts === 1) throw new ApiError('unavailable');
    // Its last refund was removed concurrently, or the order was.
    const now = await findListed(sql, teamId, row.id);
    return now && addRefunds(sql, teamId, now, attempts - 1);
  }
  const { orderAmount: amount = row.amount, refunded = '0' } = refunds[0] ?? {};
  return {
    ...toListedOrder({ ...row, amount, refunded }),
    refunds: refunds.map((refund) => toOrderRefund(refund, row.currency)),
  };
}

function toOrderRefund(
  { refundId, amount, currency, reason, createdAt }: ListedRefundRow,
  ofOrder: string,
): OrderRefund {
  const isOther = currency !== null && currency !== ofOrder;
  return {
    refundId,
    amount: Number(amount),
    ...(isOther && { currency }),
    reason,
    createdAt: createdAt.toISOString(),
  };
}
