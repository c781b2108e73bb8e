import { newUuid } from '../../values/ids.js';
import type { StatedRefund, Statement } from '../orders/merge/statement.js';

/** Says a refund that no shop system tells of: a backend's, or a file's. Nobody dates a change of it. */
export function sayRefund(
  by: Pick<Statement, 'speaker' | 'object' | 'names'>,
  {
    refundId,
    amount,
    reason,
    createdAt,
  }: Pick<StatedRefund, 'refundId' | 'reason' | 'createdAt'> & { amount: number | string | null },
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
    refunds: [
      { refundId, amount: amount === null ? null : String(amount), currency: null, reason, createdAt },
    ],
  };
}
