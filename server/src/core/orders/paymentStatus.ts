import type { PaymentStatus } from '@orderbeacon/sdk/contract';
import { isSameAmount } from '../../values/currency.js';

/**
 * Describes how much of an order was refunded. An order without money is never refunded.
 * @param amount of the order
 * @param refunded sum of its refunds, which count no further than the amount
 */
export function refundState(
  amount: string,
  refunded: string,
  currency: string,
): { paymentStatus: PaymentStatus; refundedAmount: number } {
  const paid = Number(amount);
  const refundedAmount = Math.min(paid, Number(refunded));
  const isWhole = isSameAmount(refundedAmount, paid, currency);
  const paymentStatus = refundedAmount === 0 ? 'PAID' : isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return { paymentStatus, refundedAmount };
}
