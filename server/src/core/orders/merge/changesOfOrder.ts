import { isDeepStrictEqual } from 'node:util';
import { statedBySeveral } from '../defaults.js';
import { fieldNames } from '../fields.js';
import { compareTexts } from './clusters.js';
import type { FoldedRefund } from './foldRefunds.js';
import type { Unfinished } from './giveIds.js';
import type { PlannedOrder } from './plan.js';
import type { LoadedOrder } from './sql/loadNeighbours.js';

/** @returns true for a stored order that gained or lost the ownership of its number. Its row is written, so it holds no statement. */
export const isOwnerChanged = ({ before, sharesIdWith }: Unfinished): boolean =>
  before !== null && before.sharesIdWith !== sharesIdWith;

/** Compares a planned order with the stored one. `isOtherRow`: its row does not hold exactly its statements. */
export function withChanges(order: Unfinished, isOtherRow: boolean): PlannedOrder {
  const { before, folded, sharesIdWith, host } = order;
  const isSame =
    before !== null &&
    before.sharesIdWith === sharesIdWith &&
    before.host === host &&
    !isOtherInPublic(before, order);
  // The row of an order with several statements does not hold one itself.
  const isPlain = before !== null && (!isOtherRow || isSameJson(before.said, statedBySeveral(folded.fields)));
  // A row of `refund` has the currency of its order, by which refunds are added up.
  const isOtherCurrency = folded.refunds.length > 0 && before?.currency !== order.fields.currency;
  const areRefundsChanged =
    isOtherRow &&
    (isOtherCurrency || !isDeepStrictEqual(comparable(before?.refunds ?? []), comparable(folded.refunds)));
  return { ...order, isChanged: isOtherRow && !(isSame && isPlain), areRefundsChanged };
}

/** @returns true if a field that lists and webhooks show has changed */
export function isOtherInPublic(
  before: LoadedOrder,
  { buyer, fields, folded }: Pick<PlannedOrder, 'buyer' | 'fields' | 'folded'>,
): boolean {
  return (
    before.personId !== buyer.personId ||
    before.reportId !== folded.reportId ||
    before.reportedBy !== folded.reportedBy ||
    before.createdAt !== folded.createdAt ||
    fieldNames.some((name) => !isSameJson(before[name], fields[name]))
  );
}

/** @returns true if JSON writes both values alike; undefined counts as null */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(plain(one), plain(other));

const plain = (value: unknown) => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

const comparable = (refunds: readonly FoldedRefund[]) =>
  refunds
    .map(({ object, refundId, amount, counts, currency, reason, createdAt }) => ({
      object,
      refundId,
      amount: amount && Number(amount),
      counts: Number(counts),
      currency,
      reason,
      createdAt,
    }))
    .sort((a, b) => compareTexts(`${a.object} ${a.refundId}`, `${b.object} ${b.refundId}`));
