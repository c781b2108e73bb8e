import type { Order } from '@orderbeacon/sdk/contract';
import { ApiError } from '../values/errors.js';
import { encodeId } from '../values/ids.js';
import { refundState } from './paymentStatus.js';
import type { ReportVerdictRow } from './sql/reportOrders.js';
import type { CheckedReport } from './stampReport.js';
import type { StoredOrder } from './storedOrder.js';

/** The order in the answer to the report that made it. */
function answerNew(report: CheckedReport, isTest: boolean): Order {
  return {
    id: encodeId('ord', report.id),
    orderNumber: report.orderNumber,
    amount: report.amount,
    currency: report.currency,
    paymentStatus: 'PAID',
    peopleId: encodeId('ppl', report.personId),
    isTest,
    isNew: true,
    createdAt: report.createdAt,
  };
}

/** The order in the answer to a later report of it. */
export function answerKnown(order: StoredOrder): Order {
  const { paymentStatus, refundedAmount } = refundState(order.amount, order.refunded, order.currency);
  return {
    id: encodeId('ord', order.id),
    orderNumber: order.orderNumber,
    amount: Number(order.amount),
    currency: order.currency,
    paymentStatus,
    ...(refundedAmount > 0 && { refundedAmount }),
    peopleId: encodeId('ppl', order.personId),
    isTest: order.isTest,
    isNew: false,
    createdAt: order.createdAt.toISOString(),
  };
}

/**
 * Turns the verdict of the first statement into the answer: of a new order, or null for a known one.
 * @param verdict undefined for a new live order
 * @throws ApiError the refusal of the key or domain
 */
export function answerStored(report: CheckedReport, verdict: ReportVerdictRow | undefined): Order | null {
  if (!verdict) return answerNew(report, false);
  if (verdict.refusal) throw new ApiError(verdict.refusal);
  return verdict.isNew ? answerNew(report, verdict.isTest) : null;
}
