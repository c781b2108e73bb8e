import type { Timestamp } from './scalars';

/** `PAID` until a refund is reported. `REFUNDED` when all of the amount was refunded. */
export type PaymentStatus = 'PAID' | 'PARTIALLY_REFUNDED' | 'REFUNDED';

/** The body of `POST /svc-api/v1/orders/refunds`. */
export interface RefundRequest {
  /** The key's team, as in an order report. May be left out. */
  teamId?: string | undefined;
  /** The shop's own id of the order, its `ord_…` or its `ORD-…`. */
  orderId: string;
  /** The shop's own id of the refund. Requests with the same `refundId` are one refund. */
  refundId: string;
  /** Major units in the order's currency, above 0. Default: all that is left of the order. */
  amount?: number | undefined;
  /** The reason, for people. */
  reason?: string | undefined;
}

/** The answer to a refund. */
export interface Refund {
  /** As it was sent. */
  refundId: string;
  /** As it was sent. */
  orderId: string;
  /** The order, `ord_…`; null while the refund waits for an order that is not known yet. */
  order: string | null;
  /** The money that was refunded. While the refund waits: as it was sent, null for all of the order. */
  amount: number | null;
  /** That of the order; null while the refund waits. */
  currency: string | null;
  /** Of the order; null while the refund waits. */
  paymentStatus: PaymentStatus | null;
  /** The money of all refunds of the order; null while the refund waits. */
  refundedAmount: number | null;
  /** As it was sent. */
  reason: string | null;
  /** True for a test key. */
  isTest: boolean;
  /** True when this request created the refund. */
  isNew: boolean;
  createdAt: Timestamp;
}

/** A refund of an order that was read. */
export interface OrderRefund {
  /** As it was reported. */
  refundId: string;
  /** As it was reported; without an amount, what the others leave of the order. */
  amount: number;
  /** Only of a refund in another currency than its order’s, which is shown and does not count. */
  currency?: string;
  /** Why it was refunded. */
  reason: string | null;
  createdAt: Timestamp;
}
