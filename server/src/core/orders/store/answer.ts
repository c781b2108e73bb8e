import type { Issue, Order } from '@orderbeacon/sdk/contract';
import { isSameAmount } from '../../../values/currency.js';
import { addDecimals } from '../../../values/decimal.js';
import { ApiError } from '../../../values/errors.js';
import { encodeId } from '../../../values/ids.js';
import { defaults } from '../defaults.js';
import type { PlannedOrder } from '../merge/planOrders.js';
import { refundState } from '../payment.js';
import type { PreparedReport } from '../report.js';
import type { ReportVerdictRow } from './sql/reportVerdict.js';

/** The order in the answer to the report that made it. */
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

/** The order in the answer to a report of it that was placed among others. */
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
 * Turns the verdict of the first statement into the answer: of a new order, or null for a known one.
 * @param verdict undefined for a new live order
 * @throws ApiError the refusal of the key or domain
 */
export function answerStored(report: PreparedReport, verdict: ReportVerdictRow | undefined): Order | null {
  if (!verdict) return answerNew(report, false);
  if (verdict.refusal) throw new ApiError(verdict.refusal);
  return verdict.isNew ? answerNew(report, verdict.isTest) : null;
}

/** Says that an order has the `orderId` of another payment. */
export function sharedId({ orderNumber }: { orderNumber: string | null }): Issue {
  const other = orderNumber ?? 'that of a discarded order';
  return { path: 'orderId', message: `is the same order id as ${other}, which is another payment` };
}

/** Both are made once, because every report of a shop that leaves these out has them. */
const currencyTaken: Issue = {
  path: 'currency',
  message: `is missing; ${defaults.currency} is taken. Name it in each report, such as currency: "EUR"`,
};

const nothingToFind: Issue = {
  path: 'orderId',
  message:
    'is missing, and so is the header Idempotency-Key: sent again, this report is another order. Send one of them',
};

/** The clock of a backend is ahead, or the time is none of a change. */
const changeAhead: Issue = {
  path: 'changedAt',
  message:
    'is more than five minutes ahead, and counts as none. Send the time at which your system changed the order',
};

/** Warns of a time of change that does not count. */
export function warnOfChange(
  stated: string | undefined,
  { keyHash, changedAt }: PreparedReport,
  warnings: Issue[],
): void {
  if (keyHash !== null && stated !== undefined && changedAt === null) warnings.push(changeAhead);
}

/**
 * Warns of what a report left out and its sender may miss later: the currency, where the order has the default, and of a
 * report with a key all by which a retry finds its order. A known order of another currency has it from another report.
 */
export function warnOfMissing(report: PreparedReport, order: Order, warnings: Issue[]): void {
  const { currency, keyHash, orderId, idempotencyKey } = report;
  if (currency === null && order.currency === defaults.currency) warnings.push(currencyTaken);
  if (keyHash !== null && orderId === null && idempotencyKey === null) warnings.push(nothingToFind);
}

/** The reason for which a report is kept that differs from the known order. It is no error: the answer is the order. */
export const orderDiffers = 'order_differs';

/**
 * Compares the money of a report with the order that it is known by. Names both amounts; undefined when they are equal. A
 * report without a currency means the order's.
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
