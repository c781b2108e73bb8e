import { isDeepStrictEqual } from 'node:util';
import { plainDecimal } from '../../values/decimal.js';
import { isMadeUpEmail } from '../../values/email.js';
import type { Uuid } from '../../values/ids.js';
import { defaultedFields, hasDefaultOfKey, withDefaults } from './defaults.js';
import { fieldsWith } from './fields.js';
import { forgetBuyer } from './forgetBuyer.js';
import { type FoundOrder, findKnown, hasKey, type NotFound } from './knownOrder.js';
import { type BuyerOfShop, isNameByKey, type JudgedReport, keysOfReport, reporterOf } from './report.js';
import type { StoredOrder, Words } from './storedOrder.js';
import { addWords, spokenOf, strongest, toFields, without } from './words.js';

/** An order with the writes beside it that a merge needs. */
export interface KnownOrder {
  /** The order as it is stored. */
  before: StoredOrder;
  order: StoredOrder;
  /** Other orders of the same payment, which are to be removed. */
  absorbed: StoredOrder[];
  /** The report's ids of a provider and its `Idempotency-Key`, without those that an order has. */
  newKeys: string[];
  /** True when the report names a buyer without a name, or one whose name is a page's and the report's is not. */
  namesBuyer: boolean;
  /** The person without an email who has the order now that its shop system has forgotten the buyer; null where it has not. */
  nobody: BuyerOfShop['nobody'] | null;
  /** Buyers whom the orders have left, and who may have no other order. */
  left: Uuid[];
}

/** The outcome of a merge. */
export type Merge =
  | NotFound
  /** Another buyer, or one who was erased: the report gets no order and changes nothing. */
  | { kind: 'conflict'; isErased: boolean }
  /** Of an unchanged order the time of its last change may be newer, which is to be kept. */
  | ({ kind: 'unchanged' | 'changed'; changedAt: Date | null } & KnownOrder);

/**
 * Merges a later report into the stored order that it means. Pure; the rules:
 * - The first word of each speaker, pages and keys, counts; its later reports fill what it left empty. Of two reports of a
 *   shop system the one with the later time of change counts.
 * - The order is what keys said, and what pages said where keys said nothing.
 * - A key that names another buyer than the pages did drops what the pages said, because they spoke of another person. A
 *   page that names another buyer, or a key that names another one than a key before, is a conflict. All that is said of
 *   one payment is one order.
 * - What a shop system has forgotten of a buyer is forgotten; see `forgetBuyer`.
 * - A page that speaks after a key can only fill the visitor and the touches, and the currency and source that no key has
 *   said, and only for the same buyer.
 * A signed page speaks as a key for the buyer, the money and the `orderId`. A report of a shop system dates the order back to
 * when it was placed.
 * The order of an erased buyer takes its money from the first key that reports it, or a shop system's later change, and nothing
 * else.
 * @param stored every stored order that one of the report's identifiers names; others are ignored
 */
export function mergeReport(stored: StoredOrder[], report: JudgedReport): Merge {
  const known = findKnown(stored, report);
  if (!('order' in known)) return known;
  const { absorbed, owner } = known;
  const { before, said, nobody, isRefused, markers } = forgetBuyer(known.order, asOrder(report), report);
  if (isRefused || isConflict(before, said, known))
    return { kind: 'conflict', isErased: isRefused || before.isErased };

  // The others first, because one of them may name the buyer whom the order's pages have named, too.
  let order = before.isErased ? withMoney(before, said) : join(before, [...absorbed, said].reduce(join));
  if (owner && order.orderId === owner.orderId && order.sharesIdWith === null) {
    const { id, orderNumber } = owner;
    order = { ...order, sharesIdWith: { id, orderNumber } };
  }
  const aside = {
    before: known.order,
    absorbed,
    newKeys: [...keysOfReport(report), ...markers].filter(
      (name) => !stored.some((each) => hasKey(each, name)),
    ),
    namesBuyer:
      nobody === null && !before.isErased && order.personId === report.personId && canName(before, report),
    nobody,
    left: [known.order, ...absorbed].map(({ personId }) => personId).filter((id) => id !== order.personId),
  };
  const { changedAt } = order;
  const isChanged =
    absorbed.length > 0 ||
    !isDeepStrictEqual({ ...order, changedAt: null }, { ...known.order, changedAt: null });
  return {
    kind: isChanged ? 'changed' : 'unchanged',
    order: isChanged ? order : known.order,
    changedAt,
    ...aside,
  };
}

/** The report as the order that it would be alone. */
function asOrder(report: JudgedReport): StoredOrder {
  const { createdAt, changedAt, amount, email } = report;
  const reportedBy = reporterOf(report);
  return {
    ...withDefaults(report, reportedBy === 'key'),
    amount: plainDecimal(amount),
    reportedBy,
    createdAt: new Date(createdAt),
    changedAt: changedAt === null ? null : new Date(changedAt),
    // A page cannot say so: it would be anybody's, and answered with any order that it names.
    hasNoEmail: reportedBy !== 'browser' && isMadeUpEmail(email),
    isErased: false,
    keys: [],
    buyerNamedBy: null,
    refunded: '0',
    sharesIdWith: null,
  };
}

function isConflict(before: StoredOrder, said: StoredOrder, { isOfPayment }: FoundOrder): boolean {
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
  const isByKey = [order, other].some(hasDefaultOfKey);
  const isOther = isOtherBuyer(order, other);
  if (isOther && said.key === null) return order;
  // Pages that spoke of another person. Two buyers of one payment whom keys have named are one, whose email was corrected.
  const isPageOfOther = isOther && !before.key?.personId;
  if (isPageOfOther) before.page = null;
  // A currency belongs to its amount: a report of another amount cannot fill it in.
  const isSameAmount = Number(other.amount) === Number(order.amount);
  const fill = (words: Words | null) => (isSameAmount ? words : words && without(words, ['currency']));
  const key = isLater
    ? addWords(said.key, before.key)
    : addWords(before.key, before.key ? fill(said.key) : said.key);
  // A shop system says when the order was placed. Other reports have the time at which they came.
  const isDated = isOther || other.changedAt !== null;
  const isByOther = isPageOfOther && before.key === null;
  // An id of the shop's own never changes.
  const orderId = strongest(before.key?.orderId, said.key?.orderId);
  if (key && orderId !== null) key.orderId = orderId;
  const earlier = [before.key, said.key, said.page].some(hasTouch) ? null : (before.earlier ?? null);
  const spoken = fill(before.key && said.page ? afterKey(said.page, before.key) : said.page);
  // From now on the touches of the visitor's earlier order are the page's.
  const page =
    before.page === null && spoken !== null ? addWords(spoken, earlier) : addWords(before.page, spoken);
  return toFields(
    {
      ...order,
      reportId: isPageOfOther ? null : order.reportId,
      personId: order.hasNoEmail ? other.personId : order.personId,
      hasNoEmail: order.hasNoEmail && other.hasNoEmail,
      createdAt:
        isByOther || (isDated && other.createdAt < order.createdAt) ? other.createdAt : order.createdAt,
      changedAt: isLater ? other.changedAt : order.changedAt,
    },
    { page, key, earlier },
    isByKey,
  );
}

/** The words of a page that count although a key has spoken, with the provider's id that has led the page to the order. */
function afterKey(page: Words, key: Words): Words {
  const counts = (name: string) => visitorFields.has(name) || (isDefaulted(name) && !(name in key));
  const words = Object.fromEntries(Object.entries(page).filter(([name]) => counts(name)));
  return key.orderId || !page.orderId ? words : { ...words, orderId: page.orderId };
}

const visitorFields: ReadonlySet<string> = new Set(fieldsWith('isOfVisitor'));
const isDefaulted = (name: string) => (defaultedFields as string[]).includes(name);

function hasTouch(words: Words | null): boolean {
  return Boolean(words?.firstTouch ?? words?.lastTouch);
}

/** True for words of a shop system that it changed after those before; others have no time. */
function isChangedLater({ changedAt }: StoredOrder, before: StoredOrder): boolean {
  return changedAt !== null && (before.changedAt === null || changedAt > before.changedAt);
}

/** Gives the order of an erased buyer the money of the first key, or of a later change, what nobody said, and an `orderId`. */
function withMoney(before: StoredOrder, said: StoredOrder): StoredOrder {
  const isFirst = before.reportedBy === 'browser';
  const isTaken = isFirst || isChangedLater(said, before);
  const [kept, told] = [moneyOf(before), moneyOf(said)];
  const isSameAmount = Number(before.amount) === Number(said.amount);
  const money = isTaken
    ? addWords(told, kept)
    : addWords(kept, isSameAmount ? told : without(told, ['currency']));
  const { amount, currency = null, source = null } = money!;
  return withDefaults(
    {
      ...before,
      orderId: strongest(before.orderId, said.orderId),
      amount: amount!,
      currency,
      source,
      said: null,
      changedAt: isTaken ? said.changedAt : before.changedAt,
      reportedBy: isFirst ? 'both' : before.reportedBy,
    },
    true,
  );
}

function moneyOf(order: StoredOrder): Words {
  const { page, key } = spokenOf(order);
  const money = ['amount', ...defaultedFields];
  return Object.fromEntries(Object.entries((key ?? page)!).filter(([name]) => money.includes(name)));
}

/** True when the report's name may replace the buyer's; the rule of `canReplaceName`. */
function canName({ buyerNamedBy }: StoredOrder, report: JudgedReport): boolean {
  if (report.name === null) return false;
  return buyerNamedBy === null || (buyerNamedBy === 'page' && isNameByKey(report));
}
