/** `PARTIALLY_REFUNDED` or `REFUNDED` once a refund was reported, of a part or of all of the order's amount. */
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
  refundId: string;
  /** The id of the order, as the request named it. */
  orderId: string;
  /** The order, `ord_…`; null while the refund waits for it. */
  order: string | null;
  /** As it was reported; without an amount, what the others leave of the order, or null while the refund waits. */
  amount: number | null;
  /** Of the order. Null while the refund waits. */
  currency: string | null;
  /** Of the order, with all its refunds. Null while the refund waits. */
  paymentStatus: PaymentStatus | null;
  /** The money of all refunds of the order. Null while the refund waits. */
  refundedAmount: number | null;
  reason: string | null;
  isTest: boolean;
  /** True if this request created the refund. */
  isNew: boolean;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

/** A refund of an order that was read. */
export interface OrderRefund {
  refundId: string;
  /** As it was reported; without an amount, what the others leave of the order. */
  amount: number;
  reason: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}
