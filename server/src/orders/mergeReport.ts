import { differences, isNameByKey, type JudgedReport, type Known, knownOrder } from './knownOrder.js';
import { strengthOf } from './knownPayment.js';
import {
  type OptionalField,
  optionalFields,
  type PageField,
  pageFieldNames,
  type StoredOrder,
} from './storedOrder.js';

/** Writes beside the order that a merge needs, of an order that changes or not. */
interface Aside {
  /** Another order of the same payment, which is to be removed; null for none. */
  absorbed: StoredOrder | null;
  /** The report's new `Idempotency-Key` as the `first` or a `further` one of the order; null for none. */
  newKey: 'first' | 'further' | null;
  /** True when the report names a buyer without a name, or one whose name is a page's and the report's is not. */
  namesBuyer: boolean;
}

/** The outcome of a merge. */
export type Merge =
  | Exclude<Known, { kind: 'known' }>
  /** A page names another buyer, or one who was erased: it is told nothing and changes nothing. */
  | { kind: 'conflict'; isErased: boolean }
  | ({ kind: 'unchanged' | 'changed'; order: StoredOrder } & Aside);

/**
 * Merges a later report into the stored order that it means. Pure; the rules:
 * - The first report counts among pages, and the first one among keys. A later one fills in the fields that it left empty.
 * - A key is believed over pages, because a stranger who guesses the next order number must not be able to freeze a wrong
 *   amount.
 * - When a key names another buyer than the pages did, nothing of the pages' reports stays, because they were about
 *   another person.
 * - A signed page is believed over other pages as a key is, for the buyer and the money. What else it says is a page's: a
 *   later key fills it in, the source too.
 * - In an order that a key has reported, a page can fill only an empty visitor and empty touches, and only for the same
 *   buyer. Touches from an earlier order of the visitor count as empty.
 * - An order keeps each `Idempotency-Key` that it was reported with.
 * - The events of one payment are one order, with the strongest of their ids, what the event with that id said, and the time
 *   of the earliest; see `knownPayment`.
 * - The order of an erased buyer takes its money from the first key that reports it, and nothing else.
 * @param stored every stored order that one of the report's identifiers names; others are ignored
 */
export function mergeReport(stored: StoredOrder[], report: JudgedReport): Merge {
  const known = knownOrder(stored, report);
  if (known.kind !== 'known') return known;
  const before = known.order;
  const hasKey = report.keyHash !== null;
  const isSameBuyer = !before.isErased && before.personId === report.personId;
  const isSigned = report.signedAsTest !== undefined && !before.isErased;
  const isRenamed = report.isOfPayment === true && strengthOf(report.orderId) > strengthOf(before.orderId);
  const takesOver = before.reportedBy === 'browser' ? hasKey || isSigned : hasKey && isRenamed;
  if (!hasKey && !isSameBuyer && !takesOver) return { kind: 'conflict', isErased: before.isErased };

  let order = before;
  if (takesOver && hasKey) order = takeOver(order, report, isSameBuyer);
  if (isSameBuyer) order = fillIn(order, report);
  // The other way round, because what a signed page fills in is a page's.
  if (takesOver && !hasKey) order = takeOver(order, report, isSameBuyer);
  if (isRenamed) order = rename(order, before, report.orderId);
  if (report.isOfPayment && isSameBuyer) order = withEarlier(order, new Date(report.createdAt));
  if (known.absorbed) order = absorb(order, known.absorbed);
  if (hasKey && differences(order, report).length === 0) {
    order = { ...order, orderId: order.orderId ?? report.orderId };
    // The first key keeps no values of its own, so it is one whose report agrees with the order.
    if (known.hasNewKey) order.idempotencyKey ??= report.idempotencyKey;
  }
  const aside: Aside = {
    absorbed: known.absorbed,
    newKey: !known.hasNewKey ? null : order.idempotencyKey === report.idempotencyKey ? 'first' : 'further',
    namesBuyer: isSameBuyer && canName(before, report),
  };
  if (isEqual(order, before) && known.absorbed === null)
    return { kind: 'unchanged', order: before, ...aside };
  return { kind: 'changed', order, ...aside };
}

/** True when the report's name may replace the buyer's; the rule of `canReplaceName`. */
function canName({ buyerNamedBy }: StoredOrder, report: JudgedReport): boolean {
  if (report.name === null) return false;
  return buyerNamedBy === null || (buyerNamedBy === 'page' && isNameByKey(report));
}

/** Applies the first report with a key, or of a signed page, to an order that only other pages have reported. */
function takeOver(before: StoredOrder, report: JudgedReport, isSameBuyer: boolean): StoredOrder {
  const hasKey = report.keyHash !== null;
  const order: StoredOrder = {
    ...before,
    amount: String(report.amount),
    currency: report.currency,
    source: hasKey ? report.source : before.source,
    reportedBy: 'both',
    pageFields: listed(
      pageFieldNames.filter((field) => before[field] !== null && !(hasKey && field === 'source')),
    ),
  };
  if (isSameBuyer || before.isErased) return order;
  const { personId, name, items, visitorId, touches, extra, source } = report;
  return {
    ...order,
    personId,
    name,
    items,
    visitorId,
    touches,
    extra,
    source,
    reportId: null,
    pageFields: report.pageFields ?? null,
    reportedBy: hasKey ? 'key' : 'both',
    createdAt: new Date(report.createdAt),
  };
}

/** Fills the optional fields from a report of the same buyer. */
function fillIn(before: StoredOrder, report: JudgedReport): StoredOrder {
  const hasKey = report.keyHash !== null;
  const hasOnlyPages = before.reportedBy === 'browser';
  const order = { ...before };
  const pageFields = new Set<PageField>(before.pageFields);
  for (const field of optionalFields) {
    const isOfVisitor = field === 'touches' && before.reportedBy === 'key';
    const isFree = order[field] === null || ((hasKey || isOfVisitor) && pageFields.has(field));
    const mayFill = hasKey || hasOnlyPages || field === 'visitorId' || field === 'touches';
    if (report[field] === null || !isFree || !mayFill) continue;
    Object.assign(order, { [field]: report[field] });
    if (hasKey) pageFields.delete(field);
    else if (!hasOnlyPages) pageFields.add(field);
  }
  if (hasKey && pageFields.delete('source')) order.source = report.source;
  order.pageFields = listed(pageFieldNames.filter((field) => pageFields.has(field)));
  if (order.reportedBy !== (hasKey ? 'key' : 'browser')) order.reportedBy = 'both';
  return order;
}

/** Gives an order the stronger id of its payment. What the weaker event of the payment said was a key's, too. */
function rename(order: StoredOrder, before: StoredOrder, orderId: string | null): StoredOrder {
  if (!before.isErased && order.personId !== before.personId) return { ...order, orderId };
  const isOfPage = (field: OptionalField) =>
    order.pageFields?.includes(field) && before.pageFields?.includes(field);
  const pageFields = listed(optionalFields.filter(isOfPage));
  return { ...order, orderId, pageFields, reportedBy: before.reportedBy };
}

/** Adds to an order what only another order of the same payment and buyer says. */
function absorb(before: StoredOrder, other: StoredOrder): StoredOrder {
  const order = { ...before, idempotencyKey: before.idempotencyKey ?? other.idempotencyKey };
  if (before.isErased || before.personId !== other.personId) return order;
  const pageFields = new Set<PageField>(before.pageFields);
  for (const field of optionalFields) {
    if (before[field] !== null || other[field] === null) continue;
    Object.assign(order, { [field]: other[field] });
    if (other.reportedBy === 'browser' || other.pageFields?.includes(field)) pageFields.add(field);
  }
  order.pageFields = listed(pageFieldNames.filter((field) => pageFields.has(field)));
  if (order.reportedBy !== other.reportedBy) order.reportedBy = 'both';
  return withEarlier(order, other.createdAt);
}

function withEarlier(order: StoredOrder, time: Date): StoredOrder {
  return time < order.createdAt ? { ...order, createdAt: time } : order;
}

function listed(fields: PageField[]): PageField[] | null {
  return fields.length > 0 ? fields : null;
}

function isEqual(one: StoredOrder, other: StoredOrder): boolean {
  return (Object.keys(one) as (keyof StoredOrder)[]).every((field) =>
    field === 'pageFields' ? String(one[field]) === String(other[field]) : one[field] === other[field],
  );
}
