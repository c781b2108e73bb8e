import { ApiError } from '../../values/errors.js';
import { describeIssues } from '../../values/issues.js';
import { amountAtMost, limits } from '../../values/limits.js';
import { isStorable, visibleId } from '../../values/text.js';
import { repairText } from '../orders/receive/repair.js';

/** A refund as a backend reports it. */
export interface RefundReport {
  /** Unique per team and mode: reports with the same `refundId` are one refund. */
  refundId: string;
  /** The caller's own id of the order, its `ord_…` or its `ORD-…`. */
  orderId: string;
  /** Major units in the order's currency, above 0. Null for all that is left of the order. */
  amount: number | null;
  reason: string | null;
  isTest: boolean;
  /** ISO 8601 in UTC. */
  createdAt: string;
}

const repairReason = repairText(limits.text);

/**
 * Checks the values of a refund, which may come from a shop system in any form. An invalid reason is repaired as a page's text is,
 * because it must not stop the refund.
 * @throws ApiError `invalid_request`
 */
export function requireStorable(refund: RefundReport): RefundReport {
  const { amount, reason } = refund;
  const refundId = visibleId(refund.refundId);
  const orderId = visibleId(refund.orderId);
  for (const [path, id] of Object.entries({ refundId, orderId }))
    if (!isId(id)) throw invalid(path, `must be a text of 1 to ${limits.id} characters`);
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

function isAmount(amount: number): boolean {
  return amount > 0 && amount <= amountAtMost;
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_request', describeIssues({ issues: [{ path: [path], message }] }));
}
