import { newUuid } from '../../values/ids.js';
import type { StatedRefund, Statement } from '../orders/merge/statement.js';

/** Creates the statement of a refund by a backend or a file. Such a statement has no time of change. */
export function sayRefund(
  by: Pick<Statement, 'speaker' | 'object' | 'names'>,
  { refundId, amount, reason, createdAt }: Pick<StatedRefund, 'refundId' | 'amount' | 'reason' | 'createdAt'>,
): Statement {
  return {
    ...by,
    kind: 'refund',
    arrived: newUuid(),
    created: createdAt,
    isDated: true,
    version: null,
    state: 'paid',
    says: {},
    refunds: [{ refundId, amount, currency: null, reason, createdAt }],
  };
}
