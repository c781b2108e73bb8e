import type { StoredOrder } from './sql/findOrders.js';
import type { CheckedReport } from './sql/reportOrders.js';

/** A report of which the database has said whether it is a test: by a test key or from a test domain. */
export interface JudgedReport extends CheckedReport {
  isTest: boolean;
}

/** What an `Idempotency-Key` stands for: with another of these it is not the same request. */
export const keyedFields = ['orderId', 'email', 'amount', 'currency'] as const;

/** One of `keyedFields`. */
export type KeyedField = (typeof keyedFields)[number];

/** The stored order that a report means, if there is one. */
export type Known =
  | { kind: 'unknown' }
  /** The `Idempotency-Key` was used with another order; `fields` are those that differ. */
  | { kind: 'reused'; fields: KeyedField[] }
  /** `mayKeepKey` is false where another order has the report's `Idempotency-Key`. */
  | { kind: 'known'; order: StoredOrder; mayKeepKey: boolean };

/**
 * Says which of the stored orders a report means. Live and test never meet. The `orderId` decides; else a page's
 * order is the one of its `reportId`, and a backend's the one of its `Idempotency-Key`.
 */
export function knownOrder(stored: StoredOrder[], report: JudgedReport): Known {
  const hasKey = report.keyHash !== null;
  const find = (name: 'orderId' | 'reportId' | 'idempotencyKey') =>
    report[name] === null
      ? undefined
      : stored.find((order) => order.isTest === report.isTest && order[name] === report[name]);
  const byKey = hasKey ? find('idempotencyKey') : undefined;
  const fields = byKey ? differences(byKey, report) : [];
  if (fields.length > 0) return { kind: 'reused', fields };

  const byReportId = hasKey || report.orderId !== null ? undefined : find('reportId');
  const order = find('orderId') ?? byKey ?? byReportId;
  if (!order) return { kind: 'unknown' };
  return { kind: 'known', order, mayKeepKey: hasKey && (byKey === undefined || byKey === order) };
}

/**
 * In what a report with a key says something else than an order. An `orderId` that one of the two lacks is no
 * difference, and of an erased buyer nobody knows the email any more.
 */
export function differences(order: StoredOrder, report: JudgedReport): KeyedField[] {
  const differs: Record<KeyedField, boolean> = {
    orderId: order.orderId !== null && report.orderId !== null && order.orderId !== report.orderId,
    email: !order.isErased && order.personId !== report.personId,
    amount: Number(order.amount) !== report.amount,
    currency: order.currency !== report.currency,
  };
  return keyedFields.filter((field) => differs[field]);
}
