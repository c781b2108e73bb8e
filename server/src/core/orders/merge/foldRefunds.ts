import { subtractDecimals } from '../../../values/decimal.js';
import { compareTexts } from './clusters.js';
import { least } from './shareRefunds.js';
import type { Group, SaidObject, SaidRefund } from './statement.js';

/** A refund of an order. */
export interface FoldedRefund extends SaidRefund {
  /** The object that lists it, or is it. */
  object: string;
  /** Money that it returns of the order, exact; 0 for one that is shown and does not count. */
  counts: string;
}

/**
 * Lists the refunds of an order, the oldest first. Together they count no further than its amount: first those of an amount, then
 * those of all that is left. The whole list of the shop order that gives the money is all of its shop's refunds; see law 6.
 * @param currency as it was said; null if nobody said one
 */
export function foldRefunds(
  { objects, portions }: Pick<Group, 'objects' | 'portions'>,
  { amount, currency, giver }: { amount: string; currency: string | null; giver: SaidObject | null },
): FoldedRefund[] {
  const list = giver?.isWholeList ? (giver.parts.refunds ?? null) : null;
  const listed = ((list?.value ?? []) as readonly SaidRefund[]).map((refund) => ({
    ...refund,
    object: giver!.object,
    isCounted: true,
  }));
  const known = new Set(listed.map(({ refundId }) => refundId));
  const own = objects
    .filter(
      ({ kind, parts }) =>
        kind === 'refund' && parts.state?.value !== 'ended' && parts.state?.value !== 'unpaid',
    )
    .flatMap((object) =>
      ((object.parts.refunds?.value ?? []) as readonly SaidRefund[]).map((refund) => {
        const portion = portions.get(object.object);
        const isOfShop = list !== null && object.speaker === 'shop' && !refund.isDispute;
        const isOfList = isOfShop && isNamedBy(object, giver!);
        return {
          ...refund,
          ...(portion !== undefined && { amount: portion }),
          object: object.object,
          isCounted: !isOfShop || isOfList,
          isGone: isOfList && (known.has(refund.refundId) || refund.createdAt < (list.version ?? '')),
        };
      }),
    )
    .filter(({ isGone }) => !isGone)
    .map(({ isGone: _, ...refund }) => refund);
  const all = [...listed, ...own, ...unpaidOf(objects)].sort(byTime);
  const isOther = (refund: SaidRefund) =>
    refund.currency !== null && currency !== null && refund.currency !== currency;
  let left = amount;
  const counted = new Map<(typeof all)[number], string>();
  for (const refund of [
    ...all.filter((each) => each.amount !== null),
    ...all.filter((each) => each.amount === null),
  ]) {
    const counts = refund.isCounted && !isOther(refund) ? least(left, refund.amount ?? left) : '0';
    left = subtractDecimals(left, counts);
    counted.set(refund, counts);
  }
  return all.map((refund) => {
    const { isCounted: _, ...said } = refund;
    return { ...said, counts: counted.get(refund)! };
  });
}

/** Shop orders that were paid and are not now, and those that ended unpaid, return the whole rest. */
function unpaidOf(objects: readonly SaidObject[]) {
  return objects
    .filter(
      ({ kind, parts }) => kind === 'shopOrder' && parts.state !== undefined && parts.state.value !== 'paid',
    )
    .map(({ object, parts, created }) => ({
      refundId: `unpaid_${object}`,
      amount: null,
      currency: null,
      reason: parts.state!.value === 'ended' ? 'cancelled unpaid' : 'not paid any more',
      createdAt: parts.state!.version ?? created,
      object,
      isCounted: true,
    }));
}

/** True for a return of money that names the shop's order itself, and no payment of it. */
const isNamedBy = ({ names }: SaidObject, { object }: SaidObject) =>
  names.some(({ value }) => value === object);

function byTime(one: SaidRefund & { object: string }, other: SaidRefund & { object: string }): number {
  return (
    compareTexts(one.createdAt, other.createdAt) ||
    compareTexts(one.refundId, other.refundId) ||
    compareTexts(one.object, other.object)
  );
}
