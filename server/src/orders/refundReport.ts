import type { Uuid } from '../values/ids.js';

/** A refund as a backend or a source reports it. One of `orderId` and `paymentId` is given at least. */
export interface RefundReport {
  /** Unique per team and mode: reports with the same one are one refund. */
  refundId: string;
  /** The caller's own id of the order, its `ord_…` or its `ORD-…`. */
  orderId: string | null;
  /** An `Idempotency-Key` that the order is known by. Counts where no order has the `orderId`. */
  paymentId: string | null;
  /** Major units in the order's currency, above 0; a text is exact. Null for all that is left of the order. */
  amount: number | string | null;
  reason: string | null;
  isTest: boolean;
  /** The time of the refund, as ISO 8601 in UTC. */
  createdAt: string;
  /** The source that reports it; undefined for a backend. */
  sourceId?: Uuid;
  /** True refuses an amount that is more than is left of the order, false cuts it to that. */
  isExact: boolean;
}
