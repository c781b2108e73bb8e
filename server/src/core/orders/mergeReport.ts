import { isDeepStrictEqual } from 'node:util';
import { plainDecimal } from '../../values/decimal.js';
import { isMadeUpEmail } from '../../values/email.js';
import type { Uuid } from '../../values/ids.js';
import { withDefaults } from './defaults.js';
import { forgetBuyer } from './forgetBuyer.js';
import { isOtherBuyer, joinMoney, joinOrders } from './joinOrders.js';
import { type FoundOrder, findKnown, hasKey, type NotFound } from './knownOrder.js';
import { type BuyerOfShop, isNameByKey, type JudgedReport, keysOfReport, reporterOf } from './report.js';
import type { StoredOrder } from './storedOrder.js';
import { wordsBySpeaker } from './words.js';

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
  const { before, reported, nobody, isRefused, markers } = forgetBuyer(known.order, asOrder(report), report);
  if (isRefused || isConflict(before, reported, known))
    return { kind: 'conflict', isErased: isRefused || before.isErased };

  // The others first, because one of them may name the buyer whom the order's pages have named, too.
  let order = before.isErased
    ? joinMoney(before, reported)
    : joinOrders(before, [...absorbed, reported].reduce(joinOrders));
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

function isConflict(before: StoredOrder, reported: StoredOrder, { isOfPayment }: FoundOrder): boolean {
  if (before.isErased) return reported.reportedBy !== 'key';
  if (!isOtherBuyer(before, reported)) return false;
  const { key } = wordsBySpeaker(reported);
  if (key === null) return true;
  return before.reportedBy !== 'browser' && !(isOfPayment && reported.reportedBy === 'key');
}

/** True when the report's name may replace the buyer's; the rule of `canReplaceName`. */
function canName({ buyerNamedBy }: StoredOrder, report: JudgedReport): boolean {
  if (report.name === null) return false;
  return buyerNamedBy === null || (buyerNamedBy === 'page' && isNameByKey(report));
}
