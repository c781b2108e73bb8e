import type { PaymentStatus } from '@orderbeacon/sdk/contract';

/**
 * Tells how much of an order was refunded.
 * @param amount of the order
 * @param refunded sum of its refunds, which count no further than the amount
 */
export function tellRefunded(
  amount: string,
  refunded: string,
): { paymentStatus: PaymentStatus; refundedAmount: number } {
  const paid = Number(amount);
  const given = Number(refunded);
  const paymentStatus = given === 0 ? 'PAID' : given < paid ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
  return { paymentStatus, refundedAmount: Math.min(paid, given) };
}
