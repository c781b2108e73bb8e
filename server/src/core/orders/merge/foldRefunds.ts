import { subtractDecimals } from '../../../values/decimal.js';
import { compareTexts } from './clusters.js';
import { hasReturned, least, refundsOf } from './shareRefunds.js';
import { type Group, isLegacy, type StatedObject, type StatedRefund } from './statement.js';

export interface FoldedRefund extends StatedRefund {
  /** The object that lists the refund, or is the refund. */
  object: string;
  /** Amount by which it reduces the order, exact; `0` if the refund is shown but does not count. */
  counts: string;
}

interface CountedRefund {
  refund: StatedRefund & { object: string };
  speaker: StatedObject['speaker'];
  isCounted: boolean;
}

/**
 * Lists the refunds of an order, the oldest first. Their counted sum never exceeds the order's amount. Refunds with an amount count
 * first, then refunds of the whole rest. A refund in another currency than the order's is shown, but does not count.
 * @param currency the stated one; null if no speaker stated one
 */
export function foldRefunds(
  group: Pick<Group, 'objects' | 'portions'>,
  { amount, currency, giver }: { amount: string; currency: string | null; giver: StatedObject | null },
): FoldedRefund[] {
  const all = [...withoutRepeats(refundsIn(group, giver)), ...restsOf(group.objects)].sort(byTime);
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
 * Lists the refunds that objects list or are. If the shop order that gives the money lists all refunds of its shop, the refunds of
 * its payments are shown but do not count. A refund of that shop order that is no longer in its list is left out.
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
      const { speaker } = object;
      const refund = { ...listedRefund, object: object.object };
      if (list && object === giver) return [{ refund, speaker, isCounted: true }];
      if (list && isLegacy(object)) return [];
      const isBeneath = list !== null && speaker === 'shop' && !listedRefund.isDispute;
      if (object.kind !== 'refund') {
        const isShown =
          !ofObjects.has(listedRefund.refundId) && (object.kind !== 'shopOrder' || object === giver);
        return isShown ? [{ refund, speaker, isCounted: !isBeneath }] : [];
      }
      if (!hasReturned(object)) return [];
      if (isBeneath && object.names.some(({ value }) => value === giver!.object)) {
        const isGone = listed.has(listedRefund.refundId) || listedRefund.createdAt < (list.version ?? '');
        return isGone ? [] : [{ refund, speaker, isCounted: true }];
      }
      const amount = portions.get(object.object) ?? listedRefund.amount;
      return [{ refund: { ...refund, amount }, speaker, isCounted: !isBeneath }];
    }),
  );
}

/** Ids that Stripe gives to refunds. No two refunds have the same. */
const ofStripe = /^(?:re|pyr)_/;

/** Leaves out the refunds of backends that Stripe has told, too, with the same id. */
function withoutRepeats(refunds: readonly CountedRefund[]): CountedRefund[] {
  const told = new Set(
    refunds
      .filter(
        ({ speaker, isCounted, refund }) =>
          speaker !== 'backend' && isCounted && ofStripe.test(refund.refundId),
      )
      .map(({ refund }) => refund.refundId),
  );
  return refunds.filter(({ speaker, refund }) => !(speaker === 'backend' && told.has(refund.refundId)));
}

/** Prefix of the `refundId` of a refund that stands for a shop order that is not paid. No money was returned by it. */
export const unpaidPrefix = 'unpaid_';
/** Reason of a refund that stands for a shop order that was never paid. */
export const endedUnpaid = 'cancelled unpaid';

/** Makes a refund of all that is left for each shop order that was paid and no longer is, or that ended unpaid. */
function restsOf(objects: readonly StatedObject[]): CountedRefund[] {
  return objects
    .filter(
      ({ kind, parts, wasPaid }) =>
        kind === 'shopOrder' && parts.state?.value === (wasPaid ? 'unpaid' : 'ended'),
    )
    .map(({ object, parts, created, speaker }) => ({
      speaker,
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
