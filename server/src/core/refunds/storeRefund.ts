import type { Sql } from '../../database/connection/connect.js';
import type { InTurn } from '../../database/turns.js';
import { isSameAmount } from '../../values/currency.js';
import { addDecimals, plainDecimal, subtractDecimals } from '../../values/decimal.js';
import { withoutEmail } from '../../values/email.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, type Uuid } from '../../values/ids.js';
import { limits } from '../../values/limits.js';
import { foldStatements } from '../orders/merge/foldStatements.js';
import { toObject } from '../orders/merge/joinVersions.js';
import type { PlaceStatements } from '../orders/merge/placing.js';
import type { Plan, PlannedOrder } from '../orders/merge/plan.js';
import type { Neighbours } from '../orders/merge/sql/loadNeighbours.js';
import type { Identifier, StatedRefund, Statement } from '../orders/merge/statement.js';
import { orderOf } from '../orders/store/placeReport.js';
import { findNamedOrder } from '../orders/store/sql/namedOrder.js';
import { type RefundReport, requireStorable } from './refundReport.js';
import { sayRefund } from './sayRefund.js';

/** A stored refund. Amounts are exact texts in major units. */
export interface StoredRefund {
  refundId: string;
  isTest: boolean;
  /** The stated amount; if none was stated, the amount that counts. Null for a waiting refund of all that is left. */
  amount: string | null;
  reason: string | null;
  createdAt: Date;
  /** The order; null if the refund waits for it. */
  placedOrderId: Uuid | null;
  currency: string | null;
  orderAmount: string | null;
  /** The refunded sum of the order. */
  refunded: string | null;
  /** Set if this call stored the refund, so that it was not known before. */
  isNew: boolean;
}

/**
 * Stores a backend's refund exactly once, and resolves after the commit. If the order is not known yet, the refund waits for it:
 * `placedOrderId` is null. The same refund again changes nothing.
 * @throws ApiError `invalid_request` for a value that cannot be stored, for more than is left of the order, or for a refund beyond
 *   the 500th of its order or the 10,000th that waits; `refund_id_reused` if that `refundId` has another order or amount;
 *   `order_not_found` if no order has the `ord_…` or `ORD-…`; and the database's errors
 */
export type StoreRefund = (teamId: Uuid, refund: RefundReport) => Promise<StoredRefund>;

/** Removes a backend's refund, and resolves after the commit; false if it does not exist. */
export type RemoveRefund = (teamId: Uuid, refundId: string, isTest: boolean) => Promise<boolean>;

const objectOf = (refundId: string) => `refund:${refundId}`;

export function createRemoveRefund(inTurn: InTurn, place: PlaceStatements): RemoveRefund {
  return async function removeRefund(teamId, refundId, isTest) {
    const object = objectOf(withoutEmail(refundId));
    const isTakenBack = (stated: { object: string }) => stated.object === object;
    return inTurn(teamId, async (sql) => {
      const found = await findRefundedOrder(sql, teamId, object, isTest);
      if (!found) return false;
      return (await place(teamId, isTest, { stated: [], orderIds: [found.id], isTakenBack })).isWritten;
    });
  };
}

async function findRefundedOrder(sql: Sql, teamId: Uuid, object: string, isTest: boolean) {
  const [row] = await sql<{ id: Uuid }[]>`/* findRefundedOrder */
    select placed_order_id as id from statement
    where team_id = ${teamId} and is_test = ${isTest} and object = ${object} and placed_order_id is not null`;
  return row;
}

export function createStoreRefund(inTurn: InTurn, place: PlaceStatements): StoreRefund {
  return async function storeRefund(teamId, sent) {
    const refund = requireStorable(sent);
    return inTurn(teamId, (sql) => store(sql, teamId, refund));
  };

  async function store(sql: Sql, teamId: Uuid, refund: RefundReport): Promise<StoredRefund> {
    const { orderId, isTest, amount } = refund;
    const id = decodeId('ord', orderId);
    const found = await findNamedOrder(sql, teamId, { id, name: orderId, isTest });
    const refundId = withoutEmail(refund.refundId);
    // If the order is known, the refund also gets the order's number.
    const names = namesOf(orderId, found === null);
    const statement = sayRefund(
      { speaker: 'backend', object: objectOf(refundId), names },
      { ...refund, refundId, amount: amount === null ? null : plainDecimal(amount) },
    );
    let isNew = true;
    const { plan } = await place(teamId, isTest, {
      stated: [toObject(statement)],
      refundOf: found ?? undefined,
      orderIds: found === null ? [] : [found],
      check: (planned, neighbours) => {
        isNew = !isKnown(refund, statement, planned, neighbours);
        // There is no such order, or it was discarded concurrently.
        if (isNew && looksGiven(orderId) && !orderOf(planned, statement.object))
          throw new ApiError('order_not_found');
        if (isNew) requireRest(refund, statement.object, planned);
      },
    });
    return { ...describe(refund, statement.object, plan), isTest, isNew };
  }
}

function namesOf(orderId: string, isWaiting: boolean): Identifier[] {
  const ofProvider: Identifier = { kind: 'provider', value: orderId };
  if (looksGiven(orderId)) return [ofProvider];
  const number: Identifier = { kind: 'number', value: orderId };
  return isWaiting ? [number, ofProvider] : [number];
}

/**
 * @returns true if the refund is stored already
 * @throws ApiError `refund_id_reused` if it has another order or amount
 */
function isKnown(
  { orderId, amount }: RefundReport,
  { object }: Statement,
  plan: Plan,
  { statements }: Neighbours,
): boolean {
  const before = statements.find(({ stated }) => stated.object === object);
  if (!before) return false;
  const [stated] = before.stated.parts.refunds!.value as StatedRefund[];
  const order = orderOf(plan, object);
  const isSameAmountStated =
    amount === null || stated!.amount === null
      ? amount === stated!.amount
      : isSameAmount(Number(amount), Number(stated!.amount), order?.fields.currency ?? '');
  const isStated = (name: string | null | undefined) =>
    before.stated.names.some(({ value }) => value === name);
  const isOfAsked = before.orderId === null ? isStated(order?.fields.orderId) : before.orderId === plan.asked;
  // The number may belong to another order by now.
  const isSameOrder = isStated(orderId) || (plan.asked !== undefined && isOfAsked);
  if (!isSameAmountStated || !isSameOrder) throw new ApiError('refund_id_reused');
  return true;
}

/**
 * Checks that a refund is at most what is left of its order, and that the order has no more than 500 refunds with it.
 * @throws ApiError `invalid_request` if not
 */
function requireRest({ amount }: RefundReport, object: string, plan: Plan): void {
  const order = orderOf(plan, object);
  if (!order) return;
  const { refunds } = order.folded;
  // The payment's own event has told it with the same id.
  if (!refunds.some((each) => each.object === object)) return;
  if (refunds.length > limits.refunds)
    throw invalid(
      'orderId',
      `names an order that has ${limits.refunds} refunds, which is the most; add up smaller ones and send their sum`,
    );
  const { amount: paid, currency } = order.fields;
  // Computed without this refund: a refund of all that is left would leave nothing.
  const objects = order.group.objects.filter((each) => each.object !== object);
  const others = sumOf(foldStatements({ ...order.group, objects }).refunds);
  const rest = subtractDecimals(paid, others);
  if (amount === null && !(Number(rest) > 0))
    throw invalid('orderId', 'names an order of which nothing is left to refund');
  const isOver = amount !== null && Number(amount) > Number(rest);
  if (!isOver || (Number(rest) > 0 && isSameAmount(Number(amount), Number(rest), currency))) return;
  if (!(Number(rest) > 0)) throw invalid('amount', 'is more than is left of the order, which is nothing');
  throw invalid('amount', `must be at most ${Number(rest)} ${currency}, which is left of the order`);
}

const sumOf = (refunds: PlannedOrder['folded']['refunds']): string =>
  refunds.map(({ counts }) => counts).reduce(addDecimals, '0');

function describe({ refundId, reason, createdAt, amount }: RefundReport, object: string, plan: Plan) {
  const order = orderOf(plan, object);
  const stored = order?.folded.refunds.find((each) => each.object === object);
  return {
    refundId,
    amount: stored?.amount ?? stored?.counts ?? (amount === null ? null : String(amount)),
    reason: stored ? stored.reason : reason,
    createdAt: new Date(stored?.createdAt ?? createdAt),
    placedOrderId: order?.id ?? null,
    currency: order?.fields.currency ?? null,
    orderAmount: order?.fields.amount ?? null,
    refunded: order ? sumOf(order.folded.refunds) : null,
  };
}

/**
 * @returns true for a text that looks like an `ord_…` or `ORD-…`, even a mistyped one. Nobody knows these before the order is
 *   stored, so a backend that sends an unknown one has made a mistake. `ORD-` with digits only is a shop's own id, because ours
 *   have a letter.
 */
function looksGiven(orderId: string): boolean {
  return /^(ord_[0-9a-z]{25,27}|ord-(?=\d*[a-z])[0-9a-z]{9,14})$/i.test(orderId);
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_request', {
    message: `Invalid: ${path}. It ${message}. Nothing was stored.`,
    issues: [{ path, message }],
  });
}
