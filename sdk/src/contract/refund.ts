import type { Timestamp } from './scalars';

/** `PAID` until a refund is reported. `REFUNDED` if all of the amount was refunded. */
export type PaymentStatus = 'PAID' | 'PARTIALLY_REFUNDED' | 'REFUNDED';

/** The body of `POST /svc-api/v1/orders/refunds`. */
export interface RefundRequest {
  /** The API key's team. May be left out. */
  teamId?: string | undefined;
  /** The shop's own id of the order, its `ord_…` or its `ORD-…`. */
  orderId: string;
  /** The shop's own id of the refund. Requests with the same `refundId` are one refund. */
  refundId: string;
  /** Money in major units of the order's currency, above 0. Default: all that is left of the order. */
  amount?: number | undefined;
  /** The reason, for people. */
  reason?: string | undefined;
}

/** The answer to a refund. */
export interface Refund {
  /** The shop’s own id of the refund, as it was sent. */
  refundId: string;
  /** The identifier of the order, as it was sent. */
  orderId: string;
  /** The order, `ord_…`; null while the refund waits for an order that is not known yet. */
  order: string | null;
  /** The refunded money. While the refund waits: as it was sent; null for all of the order. */
  amount: number | null;
  /** Currency of the order; null while the refund waits. */
  currency: string | null;
  /** Payment status of the order; null while the refund waits. */
  paymentStatus: PaymentStatus | null;
  /** The money of all refunds of the order; null while the refund waits. */
  refundedAmount: number | null;
  /** The reason, as it was sent. */
  reason: string | null;
  /** `true` if a test key reported the refund. */
  isTest: boolean;
  /** `true` if this request created the refund. */
  isNew: boolean;
  createdAt: Timestamp;
}

/** A refund as part of a stored order. */
export interface OrderRefund {
  /** The shop’s own id of the refund, as it was reported. */
  refundId: string;
  /** The refunded money. If the report has no amount: what the other refunds leave of the order. */
  amount: number;
  /** Currency of the refund, if it is not that of the order. Such a refund is shown and does not count. */
  currency?: string;
  /** The reason, as it was reported. */
  reason: string | null;
  createdAt: Timestamp;
}
