import { isSameAmount } from '../../values/currency.js';
import { defaultedFields, hasDefaultOfKey, withDefaults } from './defaults.js';
import { fieldsWith } from './fields.js';
import type { StoredOrder, Words } from './storedOrder.js';
import { addWords, strongest, toFields, without, wordsBySpeaker } from './words.js';

/** Adds to an order what another one, or a report, says of the same. Pure. */
export function joinOrders(order: StoredOrder, other: StoredOrder): StoredOrder {
  const [before, added] = [wordsBySpeaker(order), wordsBySpeaker(other)];
  const isLater = isChangedLater(other, order);
  const isByKey = [order, other].some(hasDefaultOfKey);
  const isOther = isOtherBuyer(order, other);
  if (isOther && added.key === null) return order;
  // Pages that spoke of another person. Two buyers of one payment whom keys have named are one, whose email was corrected.
  const isPageOfOther = isOther && !before.key?.personId;
  if (isPageOfOther) before.page = null;
  // A currency belongs to its amount: a report of another amount cannot fill it in.
  const isOfAmount = isSameAmount(Number(other.amount), Number(order.amount), other.currency);
  const fill = (words: Words | null) => (isOfAmount ? words : words && without(words, ['currency']));
  const key = isLater
    ? addWords(added.key, before.key)
    : addWords(before.key, before.key ? fill(added.key) : added.key);
  // A shop system says when the order was placed. Other reports have the time at which they came.
  const isDated = isOther || other.changedAt !== null;
  const isByOther = isPageOfOther && before.key === null;
  // An id of the shop's own never changes.
  const orderId = strongest(before.key?.orderId, added.key?.orderId);
  if (key && orderId !== null) key.orderId = orderId;
  const earlier = [before.key, added.key, added.page].some(hasTouch) ? null : (before.earlier ?? null);
  const spoken = fill(before.key && added.page ? afterKey(added.page, before.key) : added.page);
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

/** A buyer without an email may be anybody. */
export function isOtherBuyer(one: StoredOrder, other: StoredOrder): boolean {
  return one.personId !== other.personId && !one.hasNoEmail && !other.hasNoEmail;
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

/** Gives the order of an erased buyer the money of the first key, or of a later change, what nobody said, and an `orderId`. */
export function joinMoney(before: StoredOrder, reported: StoredOrder): StoredOrder {
  const isFirst = before.reportedBy === 'browser';
  const isTaken = isFirst || isChangedLater(reported, before);
  const [kept, added] = [moneyOf(before), moneyOf(reported)];
  const isOfAmount = isSameAmount(Number(before.amount), Number(reported.amount), reported.currency);
  const money = isTaken
    ? addWords(added, kept)
    : addWords(kept, isOfAmount ? added : without(added, ['currency']));
  const { amount, currency = null, source = null } = money!;
  return withDefaults(
    {
      ...before,
      orderId: strongest(before.orderId, reported.orderId),
      amount: amount!,
      currency,
      source,
      said: null,
      changedAt: isTaken ? reported.changedAt : before.changedAt,
      reportedBy: isFirst ? 'both' : before.reportedBy,
    },
    true,
  );
}

function moneyOf(order: StoredOrder): Words {
  const { page, key } = wordsBySpeaker(order);
  const money = ['amount', ...defaultedFields];
  return Object.fromEntries(Object.entries((key ?? page)!).filter(([name]) => money.includes(name)));
}

/** True for words of a shop system that it changed after those before; others have no time. */
function isChangedLater({ changedAt }: StoredOrder, before: StoredOrder): boolean {
  return changedAt !== null && (before.changedAt === null || changedAt > before.changedAt);
}
