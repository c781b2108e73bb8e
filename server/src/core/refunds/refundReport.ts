import { isDecimal } from '../../values/decimal.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { describeIssues } from '../../values/issues.js';
import { amountAtMost, limits } from '../../values/limits.js';
import { isStorable, visibleId } from '../../values/text.js';
import { repairText } from '../orders/repair.js';

/** A refund as a backend or a source reports it. One of `orderId` and `paymentId` is given at least. */
export interface RefundReport {
  /** Unique per team and mode: reports with the same one are one refund. */
  refundId: string;
  /** The caller's own id of the order, its `ord_…` or its `ORD-…`. */
  orderId: string | null;
  /** A source's id of the payment, by which the order is known. Counts before the `orderId`; null for a backend. */
  paymentId: string | null;
  /** Major units in the order's currency, above 0; a text is exact. Null for all that is left of the order. */
  amount: number | string | null;
  /** Of the amount, where its order may be in another one, which is refused; absent for the order's. */
  currency?: string | null;
  reason: string | null;
  isTest: boolean;
  /** The time of the refund as it was said, as ISO 8601 in UTC. It may lie ahead of our clock, and is cut to now where it is shown. */
  createdAt: string;
  /** Time of the order's list that has the refund, by the clock of its shop system; undefined where no list has brought it. */
  listedAt?: string | undefined;
  /** The source that reports it; undefined for a backend. */
  sourceId?: Uuid;
  /** True refuses an amount that is more than is left of the order, false cuts it to that. */
  isExact: boolean;
}

const repairReason = repairText(limits.text);

/**
 * Checks the values of a refund, which a shop system may send in any form. The reason is repaired as a text of a page is, because
 * the money counts, whatever is said of it.
 * @throws ApiError `invalid_request`
 */
export function requireStorable(refund: RefundReport): RefundReport {
  const { paymentId, amount, reason } = refund;
  const refundId = visibleId(refund.refundId);
  const orderId = refund.orderId && visibleId(refund.orderId);
  for (const [path, id] of Object.entries({ refundId, orderId, paymentId })) {
    if (id !== null && !isId(id)) throw invalid(path, `must be a text of 1 to ${limits.id} characters`);
  }
  if (orderId === null && paymentId === null) throw invalid('orderId', 'is required');
  if (amount !== null && !isAmount(amount))
    throw invalid('amount', `must be a number above 0, and at most ${amountAtMost}`);
  return {
    ...refund,
    refundId,
    orderId,
    reason: (repairReason(reason, [], () => {}) as string | undefined) ?? null,
  };
}

function isId(text: string): boolean {
  return text !== '' && text.length <= limits.id && isStorable(text);
}

function isAmount(amount: number | string): boolean {
  const isNumber = typeof amount === 'number' || isDecimal(amount);
  return isNumber && Number(amount) > 0 && Number(amount) <= amountAtMost;
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_request', describeIssues({ issues: [{ path: [path], message }] }));
}
