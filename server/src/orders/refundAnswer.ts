import type { Refund } from '@orderbeacon/sdk/contract';
import { encodeId } from '../values/ids.js';
import { refundState } from './paymentStatus.js';
import type { StoredRefund } from './storeRefund.js';

/**
 * The answer to a refund.
 * @param orderId the order as the request named it
 */
export function answerRefund(refund: StoredRefund, orderId: string): Refund {
  const { refundId, placedOrderId, amount, orderAmount, refunded, reason, isTest, isNew } = refund;
  return {
    refundId,
    orderId,
    order: placedOrderId && encodeId('ord', placedOrderId),
    amount: amount === null ? null : Number(amount),
    currency: refund.currency,
    ...(orderAmount === null || refunded === null
      ? { paymentStatus: null, refundedAmount: null }
      : refundState(orderAmount, refunded, refund.currency!)),
    reason,
    isTest,
    isNew,
    createdAt: refund.createdAt.toISOString(),
  };
}
