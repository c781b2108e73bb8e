import type { StoredOrder } from '../sql/findOrder.js';
import type { CheckedReport } from '../sql/reportOrders.js';

/** What a report means for the order that is stored already. */
export type Merge =
  /** A browser names another buyer: it learns nothing and changes nothing. */
  | { kind: 'conflict' }
  /** The reportId led to an order of another orderId: these are two orders. */
  | { kind: 'other_order' }
  | { kind: 'unchanged'; order: StoredOrder }
  | { kind: 'changed'; order: StoredOrder };

/**
 * Merges a later report into a stored order.
 *
 * The first report wins, and what it left empty is filled in from a later one for the same buyer. A key
 * report is believed over what only browsers said: a stranger who guesses the next order number must not
 * be able to freeze a wrong amount. A browser report fills nothing but the visitor of an order that a key
 * has reported.
 * @param isTest whether the report came by a test key or from a test domain
 */
export function mergeReport(stored: StoredOrder, report: CheckedReport, isTest: boolean): Merge {
  if (stored.orderId !== null && report.orderId !== null && stored.orderId !== report.orderId) {
    return { kind: 'other_order' };
  }
  const byKey = report.keyHash !== null;
  const isSameBuyer = stored.personId === report.personId;
  const isTakenOver = byKey && stored.reportedBy === 'browser';
  if (!isSameBuyer && !byKey) return { kind: 'conflict' };
  if (!isSameBuyer && !isTakenOver) return { kind: 'unchanged', order: stored };

  const order: StoredOrder = {
    ...stored,
    orderId: stored.orderId ?? report.orderId,
    visitorId: stored.visitorId ?? report.visitorId,
    reportedBy: stored.reportedBy === (byKey ? 'key' : 'browser') ? stored.reportedBy : 'both',
  };
  if (isTakenOver) {
    order.personId = report.personId;
    order.amount = String(report.amount);
    order.currency = report.currency;
    order.source = report.source;
    order.isTest = isTest;
    // What the key left out may stay only where the same buyer is known to have said it.
    order.name = report.name ?? (isSameBuyer ? stored.name : null);
    order.items = report.items ?? (isSameBuyer ? stored.items : null);
  } else if (byKey || stored.reportedBy === 'browser') {
    order.name = stored.name ?? report.name;
    order.items = stored.items ?? report.items;
  }
  const fields = Object.keys(order) as (keyof StoredOrder)[];
  const isChanged = fields.some((field) => order[field] !== stored[field]);
  return { kind: isChanged ? 'changed' : 'unchanged', order };
}
