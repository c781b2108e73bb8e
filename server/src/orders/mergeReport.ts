import { differences, type JudgedReport, type Known, knownOrder } from './knownOrder.js';
import { type OptionalField, optionalFields, type StoredOrder } from './sql/findOrders.js';

/** What a report means for the orders that are stored already. */
export type Merge =
  | Exclude<Known, { kind: 'known' }>
  /** A page names another buyer, or one who was erased: it learns nothing and changes nothing. */
  | { kind: 'conflict'; isErased: boolean }
  | { kind: 'unchanged'; order: StoredOrder }
  | { kind: 'changed'; order: StoredOrder };

/**
 * Merges a later report into the stored order that it means:
 * - The first report of a kind counts, a later one fills in what it left empty, and a key is believed over pages: a
 *   stranger who guesses the next order number must not be able to freeze a wrong amount.
 * - Where a key names another buyer than the pages did, nothing of theirs stays: it was somebody else's.
 * - Of an order that a key has reported, a page fills nothing but an empty visitor, of the same buyer.
 * - The order of an erased buyer gets money from a key that is the first one, and nothing else.
 * @param stored every stored order that one of the report's identifiers names; others do no harm
 */
export function mergeReport(stored: StoredOrder[], report: JudgedReport): Merge {
  const known = knownOrder(stored, report);
  if (known.kind !== 'known') return known;
  const before = known.order;
  const hasKey = report.keyHash !== null;
  const isSameBuyer = !before.isErased && before.personId === report.personId;
  if (!hasKey && !isSameBuyer) return { kind: 'conflict', isErased: before.isErased };

  let order = before;
  if (hasKey && before.reportedBy === 'browser') order = takeOver(order, report, isSameBuyer);
  if (isSameBuyer) order = fillIn(order, report);
  if (hasKey && differences(order, report).length === 0) {
    order = { ...order, orderId: order.orderId ?? report.orderId };
    // An identical retry is the same order for ever: so a key stays only with an order that says what its report said.
    if (known.mayKeepKey) order.idempotencyKey ??= report.idempotencyKey;
  }
  return isEqual(order, before) ? { kind: 'unchanged', order: before } : { kind: 'changed', order };
}

/** The first report with a key, of an order that pages alone have reported. */
function takeOver(before: StoredOrder, report: JudgedReport, isSameBuyer: boolean): StoredOrder {
  const { currency, source } = report;
  const order: StoredOrder = {
    ...before,
    amount: String(report.amount),
    currency,
    source,
    reportedBy: 'both',
    pageFields: listed(optionalFields.filter((field) => before[field] !== null)),
  };
  if (isSameBuyer || before.isErased) return order;
  const { personId, name, items, visitorId } = report;
  return {
    ...order,
    personId,
    name,
    items,
    visitorId,
    reportId: null,
    pageFields: null,
    reportedBy: 'key',
    createdAt: new Date(report.createdAt),
  };
}

/** What a report of the same buyer adds to the fields that may be empty. */
function fillIn(before: StoredOrder, report: JudgedReport): StoredOrder {
  const hasKey = report.keyHash !== null;
  const hasOnlyPages = before.reportedBy === 'browser';
  const order = { ...before };
  const pageFields = new Set<OptionalField>(before.pageFields);
  for (const field of optionalFields) {
    const isFree = order[field] === null || (hasKey && pageFields.has(field));
    const mayFill = hasKey || hasOnlyPages || field === 'visitorId';
    if (report[field] === null || !isFree || !mayFill) continue;
    Object.assign(order, { [field]: report[field] });
    if (hasKey) pageFields.delete(field);
    else if (!hasOnlyPages) pageFields.add(field);
  }
  order.pageFields = listed(optionalFields.filter((field) => pageFields.has(field)));
  if (order.reportedBy !== (hasKey ? 'key' : 'browser')) order.reportedBy = 'both';
  return order;
}

function listed(fields: OptionalField[]): OptionalField[] | null {
  return fields.length > 0 ? fields : null;
}

function isEqual(one: StoredOrder, other: StoredOrder): boolean {
  return (Object.keys(one) as (keyof StoredOrder)[]).every((field) =>
    field === 'pageFields' ? String(one[field]) === String(other[field]) : one[field] === other[field],
  );
}
