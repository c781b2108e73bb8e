import type { Issue, Order } from '@orderbeacon/sdk/contract';
import { isSameAmount } from '../../../values/currency.js';
import { addDecimals } from '../../../values/decimal.js';
import { ApiError } from '../../../values/errors.js';
import { encodeId } from '../../../values/ids.js';
import { defaults } from '../defaults.js';
import type { PlannedOrder } from '../merge/plan.js';
import { refundState } from '../payment.js';
import type { PreparedReport } from '../report.js';
import type { ReportVerdictRow } from './sql/reportVerdict.js';

/** Builds the answer to the report that created an order. */
function answerNew(report: PreparedReport, isTest: boolean): Order {
  return {
    id: encodeId('ord', report.id),
    orderNumber: report.orderNumber,
    amount: report.amount,
    currency: report.currency ?? defaults.currency,
    paymentStatus: 'PAID',
    peopleId: encodeId('ppl', report.personId),
    isTest,
    isNew: true,
    createdAt: report.createdAt,
  };
}

/** Builds the answer to a report that went through the second step, see `createPlaceReport`. */
export function answerPlaced(order: PlannedOrder, isTest: boolean, warning: Issue | null = null): Order {
  const { id, orderNumber, before, buyer, fields, folded } = order;
  const refunded = folded.refunds.map(({ counts }) => counts).reduce(addDecimals, '0');
  const { paymentStatus, refundedAmount } = refundState(fields.amount, refunded, fields.currency);
  return {
    id: encodeId('ord', id),
    orderNumber,
    amount: Number(fields.amount),
    currency: fields.currency,
    paymentStatus,
    ...(refundedAmount > 0 && { refundedAmount }),
    peopleId: encodeId('ppl', buyer.personId),
    isTest,
    isNew: before === null,
    createdAt: folded.createdAt,
    ...(warning && { warnings: [warning] }),
  };
}

/**
 * Turns the verdict of the first statement into the answer; null for a known order.
 * @param verdict undefined for a new live order
 * @throws ApiError the refusal of the key or domain
 */
export function answerStored(report: PreparedReport, verdict: ReportVerdictRow | undefined): Order | null {
  if (!verdict) return answerNew(report, false);
  if (verdict.refusal) throw new ApiError(verdict.refusal);
  return verdict.isNew ? answerNew(report, verdict.isTest) : null;
}

/** Builds the warning that another payment has the same `orderId`. */
export function sharedId({ orderNumber }: { orderNumber: string | null }): Issue {
  const other = orderNumber ?? 'that of a discarded order';
  return { path: 'orderId', message: `is the same order id as ${other}, which is another payment` };
}

/**
 * The warning about a missing currency. It and `nothingToFind` are created once, because every report of a shop that leaves these
 * fields out gets them.
 */
const currencyTaken: Issue = {
  path: 'currency',
  message: `is missing; ${defaults.currency} is taken. Name it in each report, such as currency: "EUR"`,
};

const nothingToFind: Issue = {
  path: 'orderId',
  message:
    'is missing, and so is the header Idempotency-Key: sent again, this report is another order. Send one of them',
};

/** The warning about a `changedAt` that does not count: the backend's clock is ahead, or the time is wrong. */
const changeAhead: Issue = {
  path: 'changedAt',
  message:
    'is more than five minutes ahead, and counts as none. Send the time at which your system changed the order',
};

/** Adds the warning `changeAhead` if the report of a backend has a `changedAt` that does not count. */
export function warnOfChange(
  stated: string | undefined,
  { keyHash, changedAt }: PreparedReport,
  warnings: Issue[],
): void {
  if (keyHash !== null && stated !== undefined && changedAt === null) warnings.push(changeAhead);
}

/**
 * Warns of missing fields that the sender may need later. One is the currency, if the order has the default. The other is, with an
 * API key, any identifier by which a retry finds the order.
 */
export function warnOfMissing(report: PreparedReport, order: Order, warnings: Issue[]): void {
  const { currency, keyHash, orderId, idempotencyKey } = report;
  if (currency === null && order.currency === defaults.currency) warnings.push(currencyTaken);
  if (keyHash !== null && orderId === null && idempotencyKey === null) warnings.push(nothingToFind);
}

/** Error code of a report that is kept because it differs from the known order. It is no refusal: the order is answered. */
export const orderDiffers = 'order_differs';

/**
 * Compares the money of a report with that of its known order. A report without a currency means the order's.
 * @returns undefined if they are equal, otherwise an issue with both amounts
 */
export function findDifference(
  { orderNumber, ...order }: Pick<Order, 'orderNumber' | 'amount' | 'currency'>,
  report: { amount: number; currency: string | null },
): Issue | undefined {
  const isEqual = isSameAmount(order.amount, report.amount, order.currency);
  if (isEqual && (report.currency === null || order.currency === report.currency)) return undefined;
  const [stated, stored] = [report, order].map(({ amount, currency }) => [amount, currency].join(' ').trim());
  const message = `is ${stated} here, and ${stored} in the stored order ${orderNumber}`;
  return { path: isEqual ? 'currency' : 'amount', message };
}
