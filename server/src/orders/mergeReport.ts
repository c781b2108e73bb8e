import { isDeepStrictEqual } from 'node:util';
import { isSameAmount } from '../values/currency.js';
import { plainDecimal } from '../values/decimal.js';
import { isMadeUpEmail } from '../values/madeUpEmail.js';
import { fieldsWith } from './fields.js';
import { type CheckedReport, isProviderId } from './stampReport.js';
import type { OrderKey, StoredOrder, Words } from './storedOrder.js';
import { addWords, spokenOf, strongest, toFields } from './words.js';

/** A report after the database has looked up its key or domain, which say whether it is a test. */
export interface JudgedReport extends CheckedReport {
  isTest: boolean;
}

/** True for a report whose name a live key gave. */
export function isNameByKey({ name, keyHash, isTest }: JudgedReport): boolean {
  return name !== null && keyHash !== null && !isTest;
}

/** The fields that an `Idempotency-Key` stands for: a request with another value is another request. */
const keyedFields = ['orderId', 'email', 'amount', 'currency'] as const;

/** One of `keyedFields`. */
export type KeyedField = (typeof keyedFields)[number];

/** An order with the writes beside it that a merge needs. */
export interface KnownOrder {
  order: StoredOrder;
  /** Other orders of the same payment, which are to be removed. */
  absorbed: StoredOrder[];
  /** The report's ids of a provider and its `Idempotency-Key`, without those that an order has. */
  newKeys: string[];
  /** True when the report names a buyer without a name, or one whose name is a page's and the report's is not. */
  namesBuyer: boolean;
}

/** The outcome of a merge. */
export type Merge =
  | { kind: 'unknown' }
  /** The `Idempotency-Key` was used with another order; `fields` are the ones that differ. */
  | { kind: 'reused'; fields: KeyedField[] }
  /** Another buyer, or one who was erased: the report is told nothing and changes nothing. */
  | { kind: 'conflict'; isErased: boolean }
  /** Another payment with the `orderId` of a known order is an order of its own. */
  | { kind: 'another'; of: StoredOrder }
  | ({ kind: 'unchanged' | 'changed' } & KnownOrder);

/**
 * Merges a later report into the stored order that it means. Pure; the rules:
 * - The first word of each speaker, pages and keys, counts; its later reports fill what it left empty. Of two reports of a
 *   shop system the one with the later time of change counts.
 * - The order is what keys said, and what pages said where keys said nothing.
 * - A key that names another buyer than the pages did drops what the pages said, because they spoke of another person. A
 *   page that names another buyer, or a key that names another one than a key before, is a conflict. All that is said of
 *   one payment is one order.
 * - A page that speaks after a key can only fill the visitor and the touches, and only for the same buyer.
 * A signed page speaks as a key for the buyer, the money and the `orderId`. A report of a shop system dates the order back to when it was placed.
 * The order of an erased buyer takes its money from the first key that reports it, and nothing else.
 * @param stored every stored order that one of the report's identifiers names; others are ignored
 */
export function mergeReport(stored: StoredOrder[], report: JudgedReport): Merge {
  const known = findKnown(stored, report);
  if (!('order' in known)) return known;
  const { order: before, absorbed, owner } = known;
  const said = asOrder(report);
  if (isConflict(before, said, known)) return { kind: 'conflict', isErased: before.isErased };

  // The others first, because one of them may name the buyer whom the order's pages have named, too.
  let order = before.isErased ? withMoney(before, said) : join(before, [...absorbed, said].reduce(join));
  if (owner && order.orderId === owner.orderId && order.sharesIdWith === null) {
    const { id, orderNumber } = owner;
    order = { ...order, sharesIdWith: { id, orderNumber } };
  }
  const names = report.idempotencyKey === null ? report.keys : [...report.keys, report.idempotencyKey];
  const aside = {
    absorbed,
    newKeys: [...new Set(names)].filter((name) => !stored.some((each) => hasKey(each, name))),
    namesBuyer: !before.isErased && order.personId === report.personId && canName(before, report),
  };
  const isChanged = absorbed.length > 0 || !isDeepStrictEqual(order, before);
  return { kind: isChanged ? 'changed' : 'unchanged', order: isChanged ? order : before, ...aside };
}

interface Found {
  order: StoredOrder;
  absorbed: StoredOrder[];
  /** The order of another payment that has the report's `orderId`. */
  owner: StoredOrder | undefined;
  isOfPayment: boolean;
}

/**
 * Finds the stored order that a report means. Live and test never meet. A provider's ids decide, then the `orderId`.
 * Without them it is the `reportId` of a page, or the `Idempotency-Key` of a backend. Orders without an id of the shop's own
 * that a provider's ids name, too, are the same order.
 */
function findKnown(stored: StoredOrder[], report: JudgedReport): Found | Exclude<Merge, KnownOrder> {
  const ofMode = stored
    .filter(({ isTest }) => isTest === report.isTest)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const { orderId, reportId, idempotencyKey } = report;
  const byKey = idempotencyKey === null ? undefined : ofMode.find((each) => hasKey(each, idempotencyKey));
  const key = byKey?.keys.find((each) => each.key === idempotencyKey);
  const fields = byKey && key ? differences(byKey, key, report) : [];
  if (fields.length > 0) return { kind: 'reused', fields };

  const named = ofMode.filter((each) => report.keys.some((id) => hasKey(each, id)));
  const byOrderId =
    orderId === null
      ? undefined
      : ofMode.find((each) => each.orderId === orderId && each.sharesIdWith === null);
  const isAnother =
    byOrderId !== undefined && !named.includes(byOrderId) && isOtherPayment(byOrderId, report);
  if (isAnother && named.length === 0) return { kind: 'another', of: byOrderId };
  const owner = isAnother ? byOrderId : undefined;
  const byOwnId = isAnother ? undefined : byOrderId;
  const byReportId = reportId === null ? undefined : ofMode.find((each) => each.reportId === reportId);
  const ofPayment = named.find((each) => each.orderId === orderId && isOwn(each)) ?? named.find(isOwn);
  const order = ofPayment ?? byOwnId ?? named[0] ?? byKey ?? byReportId;
  if (!order) return { kind: 'unknown' };
  const absorbed = named.filter((each) => each !== order && !isOwn(each));
  return { order, absorbed, owner, isOfPayment: named.length > 0 };
}

/** True for an order with an id of the shop's own. */
function isOwn({ orderId }: StoredOrder): boolean {
  return orderId !== null && !isProviderId(orderId);
}

function hasKey({ keys }: StoredOrder, name: string): boolean {
  return keys.some(({ key }) => key === name);
}

/** True when order and report have ids of the same kind, such as two `pi_…`, that differ. */
function isOtherPayment({ keys }: StoredOrder, report: JudgedReport): boolean {
  const kinds = new Set(keys.filter(({ amount }) => amount === null).map(({ key }) => kindOf(key)));
  return report.keys.some((key) => kinds.has(kindOf(key)));
}

function kindOf(key: string): string {
  return key.slice(0, key.indexOf('_') + 1);
}

/**
 * Lists the fields in which a report differs from the one that brought its `Idempotency-Key`. An `orderId` that one of the two
 * lacks is no difference. Neither is the email of an erased buyer, because nobody knows it any more.
 */
function differences(order: StoredOrder, key: OrderKey, report: JudgedReport): KeyedField[] {
  if (key.amount === null) return [];
  const { orderId } = report;
  const differs: Record<KeyedField, boolean> = {
    orderId:
      order.orderId !== null && orderId !== null && order.orderId !== orderId && !hasKey(order, orderId),
    email: !order.isErased && !order.hasNoEmail && order.personId !== report.personId,
    amount: !isSameAmount(Number(key.amount), report.amount, key.currency!),
    currency: key.currency !== report.currency,
  };
  return keyedFields.filter((field) => differs[field]);
}

/** The report as the order that it would be alone. */
function asOrder(report: JudgedReport): StoredOrder {
  const { keyHash, signedAsTest, said = null, createdAt, changedAt, amount, email } = report;
  return {
    ...report,
    amount: plainDecimal(amount),
    said,
    reportedBy: keyHash !== null ? 'key' : signedAsTest === undefined ? 'browser' : 'both',
    createdAt: new Date(createdAt),
    changedAt: changedAt === null ? null : new Date(changedAt),
    hasNoEmail: isMadeUpEmail(email),
    isErased: false,
    keys: [],
    buyerNamedBy: null,
    refunded: '0',
    sharesIdWith: null,
  };
}

function isConflict(before: StoredOrder, said: StoredOrder, { isOfPayment }: Found): boolean {
  if (before.isErased) return said.reportedBy !== 'key';
  if (!isOtherBuyer(before, said)) return false;
  const { key } = spokenOf(said);
  if (key === null) return true;
  return before.reportedBy !== 'browser' && !(isOfPayment && said.reportedBy === 'key');
}

/** A buyer without an email may be anybody. */
function isOtherBuyer(one: StoredOrder, other: StoredOrder): boolean {
  return one.personId !== other.personId && !one.hasNoEmail && !other.hasNoEmail;
}

/** Adds to an order what another one, or a report, says of the same. */
function join(order: StoredOrder, other: StoredOrder): StoredOrder {
  const [before, said] = [spokenOf(order), spokenOf(other)];
  const isLater = isChangedLater(other, order);
  if (isOtherBuyer(order, other)) {
    if (said.key === null) return order;
    // Two buyers of one payment: it is as old as its oldest report.
    const createdAt =
      before.key !== null && order.createdAt < other.createdAt ? order.createdAt : other.createdAt;
    if (before.key !== null && !isLater)
      return other.createdAt < order.createdAt ? { ...order, createdAt: other.createdAt } : order;
    const { changedAt, personId } = other;
    return toFields({ ...order, reportId: null, personId, createdAt, changedAt }, said);
  }
  const key = isLater ? addWords(said.key, before.key) : addWords(before.key, said.key);
  // A shop system says when the order was placed. Other reports have the time at which they came.
  const isDated = other.changedAt !== null;
  // An id of the shop's own never changes.
  const orderId = strongest(before.key?.orderId, said.key?.orderId);
  if (key && orderId !== null) key.orderId = orderId;
  const earlier = [before.key, said.key, said.page].some(hasTouch) ? null : (before.earlier ?? null);
  const spoken = before.key && said.page ? afterKey(said.page, before.key) : said.page;
  // From now on the touches of the visitor's earlier order are the page's.
  const page =
    before.page === null && spoken !== null ? addWords(spoken, earlier) : addWords(before.page, spoken);
  return toFields(
    {
      ...order,
      personId: order.hasNoEmail ? other.personId : order.personId,
      hasNoEmail: order.hasNoEmail && other.hasNoEmail,
      createdAt: isDated && other.createdAt < order.createdAt ? other.createdAt : order.createdAt,
      changedAt: isLater ? other.changedAt : order.changedAt,
    },
    { page, key, earlier },
  );
}

/** The words of a page that count although a key has spoken, with the provider's id that has led the page to the order. */
function afterKey(page: Words, { orderId }: Words): Words {
  const words = Object.fromEntries(Object.entries(page).filter(([name]) => visitorFields.has(name)));
  return orderId || !page.orderId ? words : { ...words, orderId: page.orderId };
}

const visitorFields: ReadonlySet<string> = new Set(fieldsWith('isOfVisitor'));

function hasTouch(words: Words | null): boolean {
  return Boolean(words?.firstTouch ?? words?.lastTouch);
}

/** True for words of a shop system that it changed after those before; others have no time. */
function isChangedLater({ changedAt }: StoredOrder, before: StoredOrder): boolean {
  return changedAt !== null && (before.changedAt === null || changedAt > before.changedAt);
}

/** Gives the order of an erased buyer the money of the first key, and an `orderId`. */
function withMoney(before: StoredOrder, { amount, currency, source, ...said }: StoredOrder): StoredOrder {
  const order = { ...before, orderId: strongest(before.orderId, said.orderId) };
  return before.reportedBy === 'browser' ? { ...order, amount, currency, source, reportedBy: 'both' } : order;
}

/** True when the report's name may replace the buyer's; the rule of `canReplaceName`. */
function canName({ buyerNamedBy }: StoredOrder, report: JudgedReport): boolean {
  if (report.name === null) return false;
  return buyerNamedBy === null || (buyerNamedBy === 'page' && isNameByKey(report));
}
