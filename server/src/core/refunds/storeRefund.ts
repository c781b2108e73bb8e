import type { Sql } from '../../database/connection/connect.js';
import { inTransaction, retryConflicts } from '../../database/inTransaction.js';
import type { InTurn } from '../../database/turns.js';
import { isSameAmount } from '../../values/currency.js';
import { withoutEmail } from '../../values/email.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, type Uuid } from '../../values/ids.js';
import { limits } from '../../values/limits.js';
import { type Listeners, tell } from '../listener.js';
import { lockOrder } from '../orders/sql/knownOrders.js';
import { lockNamedOrder } from '../orders/sql/namedOrder.js';
import { type RefundReport, requireStorable } from './refundReport.js';
import { addRefund, findRefund, measureRefund, type RefundRow } from './sql/refund.js';
import { isListOutdated, markTakenBack, removeTakenBack } from './sql/takenBack.js';
import { countWaitingRefunds, placeWaiting } from './sql/waitingRefund.js';

/** A stored refund. Amounts are exact texts in major units. */
export interface StoredRefund extends RefundRow {
  /** True if this report created it. */
  isNew: boolean;
}

/**
 * Stores a refund exactly once, and resolves after the commit. A refund of an order that is not known yet waits for it:
 * `placedOrderId` is null, and `settleRefunds` gives it its order. It is stored as it was said, and the refunds of an order count
 * together up to its amount, so that reports and refunds may come in any order. The same refund again changes nothing.
 * @throws ApiError `invalid_request` for a value that cannot be stored, for a refund beyond the 500th of its order or the
 * 10,000th that waits, for one in another currency than its order, and where `isExact` for more than is left;
 * `refund_id_reused` where that refundId has another order or amount; `order_not_found` where `isExact` for an `ord_…` or
 * `ORD-…` that no order has; and the database's failures
 */
export type StoreRefund = (teamId: Uuid, refund: RefundReport) => Promise<StoredRefund>;

/**
 * Takes a refund back, because it left the shop system's list or its dispute was won. Resolves after the commit; false where
 * it was taken back before, or where the order was changed after that list. A report of the refund that comes later changes
 * nothing, unless a list of then or later has it.
 * @param listedAt time of the list that it has left, by the shop system's clock; undefined for no list
 */
export type TakeBackRefund = (
  teamId: Uuid,
  refundId: string,
  isTest: boolean,
  listedAt?: string,
) => Promise<boolean>;

/** Makes the function that takes refunds back. */
export function createTakeBackRefund(inTurn: InTurn, listeners: Listeners): TakeBackRefund {
  return async function takeBackRefund(teamId, refundId, isTest, listedAt) {
    return inTurn(teamId, (sql) =>
      retryConflicts(() =>
        inTransaction(sql, async (tx) => {
          const refund = { refundId: withoutEmail(refundId), isTest };
          // What its order's refunds count follows from the money of the order, which a report may be changing.
          const placed = (await findRefund(tx, teamId, refund))?.placedOrderId;
          if (placed) await lockOrder(tx, teamId, placed);
          if (placed && listedAt && (await isListOutdated(tx, teamId, placed, listedAt))) return false;
          const orderId = await markTakenBack(tx, teamId, refund, { listedAt });
          if (orderId) await tell(listeners, 'orderRefunded', tx, teamId, { id: orderId, isTest });
          return orderId !== undefined;
        }),
      ),
    );
  };
}

/** Makes the function that stores refunds. */
export function createStoreRefund(inTurn: InTurn, listeners: Listeners): StoreRefund {
  return async function storeRefund(teamId, refund) {
    const checked = requireStorable(refund);
    const storable = { ...checked, refundId: withoutEmail(checked.refundId) };
    return inTurn(teamId, (sql) =>
      retryConflicts(() => inTransaction(sql, (tx) => store(tx, teamId, storable, listeners))),
    );
  };
}

async function store(
  tx: Sql,
  teamId: Uuid,
  report: RefundReport,
  listeners: Listeners,
): Promise<StoredRefund> {
  const id = report.orderId === null ? null : decodeId('ord', report.orderId);
  const orderId = await lockNamedOrder(tx, teamId, { ...report, id, orderNumber: report.orderId });
  if (orderId !== null) await placeWaiting(tx, teamId, orderId, listeners);
  const { listedAt } = report;
  // After the lock: a concurrent report of the same refund, and a later list, are committed by then.
  const isOutdated =
    listedAt !== undefined && orderId !== null && (await isListOutdated(tx, teamId, orderId, listedAt));
  if (listedAt && !isOutdated) await removeTakenBack(tx, teamId, report, listedAt);
  const known = await findRefund(tx, teamId, report);
  if (known) {
    requireSame(known, report, orderId);
    return { ...known, isNew: false };
  }
  if (isOutdated) {
    // The later list does not have it.
    await markTakenBack(tx, teamId, report, { listedAt, orderId });
    return { ...(await findRefund(tx, teamId, report))!, isNew: false };
  }
  if (orderId === null) {
    if (report.isExact && looksGiven(report.orderId)) throw new ApiError('order_not_found');
    const waiting = await countWaitingRefunds(tx, teamId, report.isTest, limits.waitingRefunds);
    if (waiting >= limits.waitingRefunds)
      throw invalid('orderId', `names no stored order, and ${waiting} refunds wait for theirs already`);
    await addRefund(tx, teamId, report, null);
  } else {
    const amount = report.amount === null ? null : String(report.amount);
    const { rest, refunds, currency, isErased } = await measureRefund(tx, teamId, orderId);
    if (refunds >= limits.refunds)
      throw invalid(
        'orderId',
        `names an order that has ${limits.refunds} refunds, which is the most; add up smaller ones and send their sum`,
      );
    if (report.currency && report.currency !== currency)
      throw invalid('currency', `is ${report.currency}, and the order is in ${currency}`);
    if (report.isExact && isOver(amount, rest, currency)) throw tooMuch(amount, rest, currency);
    await addRefund(tx, teamId, isErased ? { ...report, reason: null } : report, orderId);
    await tell(listeners, 'orderRefunded', tx, teamId, { id: orderId, isTest: report.isTest });
  }
  return { ...(await findRefund(tx, teamId, report))!, isNew: true };
}

/**
 * True for what looks like an `ord_…` or `ORD-…`, also a mistyped one. Nobody knows one before its order is stored, so a backend
 * that sends it has made a mistake. `ORD-` and digits alone is a shop's own id: ours has a letter.
 */
function looksGiven(orderId: string | null): boolean {
  return /^(ord_[0-9a-z]{25,27}|ord-(?=\d*[a-z])[0-9a-z]{9,14})$/i.test(orderId ?? '');
}

/** @throws ApiError `refund_id_reused` */
function requireSame(known: RefundRow, { orderId, paymentId, amount }: RefundReport, placed: Uuid | null) {
  if (known.isTakenBack) return;
  const isSameOrder =
    known.placedOrderId !== null && placed !== null
      ? known.placedOrderId === placed
      : known.orderId === orderId && known.paymentId === paymentId;
  const isSame =
    amount === null || known.saidAmount === null
      ? amount === known.saidAmount
      : isSameAmount(Number(amount), Number(known.saidAmount), known.currency ?? '');
  if (!isSameOrder || !isSame) throw new ApiError('refund_id_reused');
}

/** True for more than the rest, or where nothing is left for a refund without an amount. */
function isOver(amount: string | null, rest: string, currency: string): boolean {
  const left = Number(rest);
  if (amount === null) return left === 0;
  return Number(amount) > left && !(left > 0 && isSameAmount(Number(amount), left, currency));
}

/** Names the field of the request that is wrong: one without an amount has no other than the order. */
function tooMuch(amount: string | null, rest: string, currency: string): ApiError {
  if (amount === null) return invalid('orderId', 'names an order of which nothing is left to refund');
  if (Number(rest) === 0) return invalid('amount', 'is more than is left of the order, which is nothing');
  return invalid('amount', `must be at most ${Number(rest)} ${currency}, which is left of the order`);
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_request', {
    message: `Invalid: ${path}. It ${message}. Nothing was stored.`,
    issues: [{ path, message }],
  });
}
