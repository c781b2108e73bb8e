import { isSameAmount } from '../values/currency.js';
import { knownPayment } from './knownPayment.js';
import type { CheckedReport } from './stampReport.js';
import type { StoredOrder } from './storedOrder.js';

/** A report after the database has looked up its key or domain, which say whether it is a test. */
export interface JudgedReport extends CheckedReport {
  isTest: boolean;
}

/** True for a report whose name a live key gave. */
export function isNameByKey({ name, keyHash, isTest }: JudgedReport): boolean {
  return name !== null && keyHash !== null && !isTest;
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
  /**
   * `hasNewKey` is true when the report has an `Idempotency-Key` that no order is known by. `absorbed` is another order of
   * the same payment; see `knownPayment`.
   */
  | { kind: 'known'; order: StoredOrder; absorbed: StoredOrder | null; hasNewKey: boolean };

/**
 * Finds the stored order that a report means. Live and test never meet. The `orderId` decides. Without one it is the
 * `reportId` of a page, or the `Idempotency-Key` of a backend.
 */
export function knownOrder(stored: StoredOrder[], report: JudgedReport): Known {
  const hasKey = report.keyHash !== null;
  const ofMode = stored.filter(({ isTest }) => isTest === report.isTest);
  const find = (name: 'orderId' | 'reportId' | 'idempotencyKey') =>
    report[name] === null ? undefined : ofMode.find((order) => order[name] === report[name]);
  const byFirstKey = hasKey ? find('idempotencyKey') : undefined;
  const byKey = byFirstKey ?? ofMode.find(({ furtherKey }) => furtherKey !== null);
  if (report.isOfPayment) {
    const known = knownPayment(find('orderId'), byKey);
    return known ? { kind: 'known', ...known, hasNewKey: byKey === undefined } : { kind: 'unknown' };
  }
  const fields = byKey ? differences(byFirstKey ?? asKeySaid(byKey), report) : [];
  if (fields.length > 0) return { kind: 'reused', fields };

  const byReportId = hasKey || report.orderId !== null ? undefined : find('reportId');
  const order = find('orderId') ?? byKey ?? byReportId;
  if (!order) return { kind: 'unknown' };
  const hasNewKey = hasKey && report.idempotencyKey !== null && byKey === undefined;
  return { kind: 'known', order, absorbed: null, hasNewKey };
}

/** The order as the report of its further key described it. */
function asKeySaid(order: StoredOrder): StoredOrder {
  const { personId, amount, currency } = order.furtherKey!;
  return { ...order, personId: personId ?? order.personId, amount, currency };
}

/**
 * Lists the fields in which a report with a key differs from an order. An `orderId` that one of the two lacks is no
 * difference. Neither is the email of an erased buyer, because nobody knows it any more.
 */
export function differences(order: StoredOrder, report: JudgedReport): KeyedField[] {
  const differs: Record<KeyedField, boolean> = {
    orderId: order.orderId !== null && report.orderId !== null && order.orderId !== report.orderId,
    email: !order.isErased && order.personId !== report.personId,
    amount: !isSameAmount(Number(order.amount), report.amount, order.currency),
    currency: order.currency !== report.currency,
  };
  return keyedFields.filter((field) => differs[field]);
}
