import { isDecimal } from '../values/decimal.js';
import { ApiError } from '../values/errors.js';
import { describeIssues } from '../values/issues.js';
import { amountAtMost, limits } from '../values/limits.js';
import { isStorable } from '../values/text.js';
import type { RefundReport } from './refundReport.js';
import { repairText } from './repairFields.js';

const repairReason = repairText(limits.text);

/**
 * Checks the values of a refund, which a shop system may send in any form. The reason is repaired as a text
 * of a page is, because the money counts, whatever is said of it.
 * @throws ApiError `invalid_request`
 */
export function requireStorable(refund: RefundReport): RefundReport {
  const { refundId, orderId, paymentId, amount, reason } = refund;
  for (const [path, id] of Object.entries({ refundId, orderId, paymentId })) {
    if (id !== null && !isId(id)) throw invalid(path, `must be a text of 1 to ${limits.id} characters`);
  }
  if (orderId === null && paymentId === null) throw invalid('orderId', 'is required');
  if (amount !== null && !isAmount(amount))
    throw invalid('amount', `must be a number above 0, and at most ${amountAtMost}`);
  return { ...refund, reason: (repairReason(reason, [], () => {}) as string | undefined) ?? null };
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
