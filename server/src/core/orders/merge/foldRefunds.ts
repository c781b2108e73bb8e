import { subtractDecimals } from '../../../values/decimal.js';
import { compareTexts } from './clusters.js';
import { hasReturned, least, refundsOf } from './shareRefunds.js';
import { type Group, isLegacy, type StatedObject, type StatedRefund } from './statement.js';

/** A refund of an order. */
export interface FoldedRefund extends StatedRefund {
  /** The object that lists it, or is it. */
  object: string;
  /** Money that it returns of the order, exact; 0 for one that is shown and does not count. */
  counts: string;
}

interface CountedRefund {
  refund: StatedRefund & { object: string };
  isCounted: boolean;
}

/**
 * Lists the refunds of an order, the oldest first. Together they count no further than its amount: first those of an amount, then
 * those of all that is left. One of another currency than the order's is shown and does not count.
 * @param currency as it was said; null if nobody said one
 */
export function foldRefunds(
  group: Pick<Group, 'objects' | 'portions'>,
  { amount, currency, giver }: { amount: string; currency: string | null; giver: StatedObject | null },
): FoldedRefund[] {
  const all = [...refundsIn(group, giver), ...restsOf(group.objects)].sort(byTime);
  let left = amount;
  const counted = new Map<CountedRefund, string>();
  for (const isOfAmount of [true, false])
    for (const each of all.filter(({ refund }) => (refund.amount !== null) === isOfAmount)) {
      const { refund } = each;
      const isOfCurrency = [null, currency].includes(refund.currency) || currency === null;
      const counts = each.isCounted && isOfCurrency ? least(left, refund.amount ?? left) : '0';
      left = subtractDecimals(left, counts);
      counted.set(each, counts);
    }
  return all.map((each) => ({ ...each.refund, counts: counted.get(each)! }));
}

/**
 * Lists the refunds that objects list or are. If the shop order that gives the money lists all refunds of its shop, those of payments
 * beneath it are shown and do not count, and its own that the list does not have any more are gone.
 */
function refundsIn(
  { objects, portions }: Pick<Group, 'objects' | 'portions'>,
  giver: StatedObject | null,
): CountedRefund[] {
  const list = (giver?.isWholeList && giver.parts.refunds) || null;
  const idsOf = (of: readonly StatedObject[]) =>
    new Set(of.flatMap(refundsOf).map(({ refundId }) => refundId));
  const listed = idsOf(list ? [giver!] : []);
  const ofObjects = idsOf(objects.filter(({ kind, speaker }) => kind === 'refund' && speaker === 'shop'));
  return objects.flatMap((object) =>
    refundsOf(object).flatMap((listedRefund): CountedRefund[] => {
      const refund = { ...listedRefund, object: object.object };
      if (list && object === giver) return [{ refund, isCounted: true }];
      if (list && isLegacy(object)) return [];
      const isBeneath = list !== null && object.speaker === 'shop' && !listedRefund.isDispute;
      if (object.kind !== 'refund') {
        const isShown =
          !ofObjects.has(listedRefund.refundId) && (object.kind !== 'shopOrder' || object === giver);
        return isShown ? [{ refund, isCounted: !isBeneath }] : [];
      }
      if (!hasReturned(object)) return [];
      if (isBeneath && object.names.some(({ value }) => value === giver!.object)) {
        const isGone = listed.has(listedRefund.refundId) || listedRefund.createdAt < (list.version ?? '');
        return isGone ? [] : [{ refund, isCounted: true }];
      }
      const amount = portions.get(object.object) ?? listedRefund.amount;
      return [{ refund: { ...refund, amount }, isCounted: !isBeneath }];
    }),
  );
}

/** Beginning of the id of what a shop's order returns because it is not paid: no refund of money. */
export const unpaidPrefix = 'unpaid_';
/** Reason of that if the shop's order was never paid. */
export const endedUnpaid = 'cancelled unpaid';

/** Shop orders that were paid and are not now, and those that ended unpaid, return the whole rest. */
function restsOf(objects: readonly StatedObject[]): CountedRefund[] {
  return objects
    .filter(
      ({ kind, parts, wasPaid }) =>
        kind === 'shopOrder' && parts.state?.value === (wasPaid ? 'unpaid' : 'ended'),
    )
    .map(({ object, parts, created }) => ({
      refund: {
        refundId: `${unpaidPrefix}${object}`,
        amount: null,
        currency: null,
        reason: parts.state!.value === 'ended' ? endedUnpaid : 'not paid any more',
        createdAt: parts.state!.version ?? created,
        object,
      },
      isCounted: true,
    }));
}

function byTime({ refund: one }: CountedRefund, { refund: other }: CountedRefund): number {
  return (
    compareTexts(one.createdAt, other.createdAt) ||
    compareTexts(one.refundId, other.refundId) ||
    compareTexts(one.object, other.object)
  );
}
