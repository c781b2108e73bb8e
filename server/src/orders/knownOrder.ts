import type { CheckedReport } from './stampReport.js';
import type { StoredOrder } from './storedOrder.js';

/** A report after the database has looked up its key or domain, which say whether it is a test. */
export interface JudgedReport extends CheckedReport {
  isTest: boolean;
}

/** The fields that an `Idempotency-Key` stands for: a request with another value is another request. */
export const keyedFields = ['orderId', 'email', 'amount', 'currency'] as const;

/** One of `keyedFields`. */
export type KeyedField = (typeof keyedFields)[number];

/** The stored order that a report means, if there is one. */
export type Known =
  | { kind: 'unknown' }
  /** The `Idempotency-Key` was used with another order; `fields` are the ones that differ. */
  | { kind: 'reused'; fields: KeyedField[] }
  /** `mayKeepKey` is false where another order has the report's `Idempotency-Key`. */
  | { kind: 'known'; order: StoredOrder; mayKeepKey: boolean };

/**
 * Finds the stored order that a report means. Live and test never meet. The `orderId` decides. Without one it is the
 * `reportId` of a page, or the `Idempotency-Key` of a backend.
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
 * Lists the fields in which a report with a key differs from an order. An `orderId` that one of the two lacks is no
 * difference. Neither is the email of an erased buyer, because nobody knows it any more.
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
