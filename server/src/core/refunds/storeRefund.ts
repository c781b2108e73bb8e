import type { Sql } from '../../database/connection/connect.js';
import type { InTurn } from '../../database/turns.js';
import { isSameAmount } from '../../values/currency.js';
import { addDecimals, subtractDecimals } from '../../values/decimal.js';
import { withoutEmail } from '../../values/email.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, type Uuid } from '../../values/ids.js';
import { limits } from '../../values/limits.js';
import { foldStatements } from '../orders/merge/foldStatements.js';
import { toObject } from '../orders/merge/joinVersions.js';
import type { PlaceStatements } from '../orders/merge/placing.js';
import type { Plan, PlannedOrder } from '../orders/merge/planOrders.js';
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
  /** As it was said, else what the others leave of the order; null for a waiting refund of all that is left. */
  amount: string | null;
  reason: string | null;
  createdAt: Date;
  /** The order; null while the refund waits for it. */
  placedOrderId: Uuid | null;
  currency: string | null;
  orderAmount: string | null;
  /** The money of the order that was refunded. */
  refunded: string | null;
  /** True if this report created it. */
  isNew: boolean;
}

/**
 * Stores a backend's refund exactly once, and resolves after the commit. A refund of an order that is not known yet waits for it:
 * `placedOrderId` is null. The same refund again changes nothing.
 * @throws ApiError `invalid_request` for a value that cannot be stored, for a refund beyond the 500th of its order or the
 * 10,000th that waits, and for more than is left; `refund_id_reused` where that refundId has another order or amount;
 * `order_not_found` for an `ord_…` or `ORD-…` that no order has; and the database's failures
 */
export type StoreRefund = (teamId: Uuid, refund: RefundReport) => Promise<StoredRefund>;

/** Takes a backend's refund back, and resolves after the commit; false if there is none. */
export type RemoveRefund = (teamId: Uuid, refundId: string, isTest: boolean) => Promise<boolean>;

const objectOf = (refundId: string) => `refund:${refundId}`;

/** Makes the function that takes refunds back. */
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

/** Makes the function that stores refunds. */
export function createStoreRefund(inTurn: InTurn, place: PlaceStatements): StoreRefund {
  return async function storeRefund(teamId, sent) {
    const refund = requireStorable(sent);
    return inTurn(teamId, (sql) => store(sql, teamId, refund));
  };

  async function store(sql: Sql, teamId: Uuid, refund: RefundReport): Promise<StoredRefund> {
    const { orderId, isTest } = refund;
    const id = decodeId('ord', orderId);
    const found = await findNamedOrder(sql, teamId, { id, name: orderId, isTest });
    const refundId = withoutEmail(refund.refundId);
    // A refund of an order that is known gets the order's own number, too.
    const names = namesOf(orderId, found === null);
    const statement = sayRefund(
      { speaker: 'backend', object: objectOf(refundId), names },
      { ...refund, refundId },
    );
    let isNew = true;
    const { plan } = await place(teamId, isTest, {
      stated: [toObject(statement)],
      refundOf: found ?? undefined,
      orderIds: found === null ? [] : [found],
      check: (planned, neighbours) => {
        isNew = !isKnown(refund, statement, planned, neighbours);
        // None, or it was discarded meanwhile.
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
 * True for a refund that is stored already.
 * @throws ApiError `refund_id_reused` for another order or amount
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
  // The number can mean another order since.
  const isSameOrder = isStated(orderId) || (plan.asked !== undefined && isOfAsked);
  if (!isSameAmountStated || !isSameOrder) throw new ApiError('refund_id_reused');
  return true;
}

/** @throws ApiError `invalid_request` for more than the rest of the order, or beyond its 500th refund */
function requireRest({ amount }: RefundReport, object: string, plan: Plan): void {
  const order = orderOf(plan, object);
  if (!order) return;
  const { refunds } = order.folded;
  if (refunds.length > limits.refunds)
    throw invalid(
      'orderId',
      `names an order that has ${limits.refunds} refunds, which is the most; add up smaller ones and send their sum`,
    );
  const { amount: paid, currency } = order.fields;
  // As it was before: a refund of all that is left would make room.
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
 * True for what looks like an `ord_…` or `ORD-…`, also a mistyped one. Nobody knows one before its order is stored, so a backend
 * that sends it has made a mistake. `ORD-` and digits alone is a shop's own id: ours has a letter.
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
