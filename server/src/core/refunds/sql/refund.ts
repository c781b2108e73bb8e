import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { refundedOf } from '../../orders/sql/placedOrder.js';
import type { RefundReport } from '../refundReport.js';

/** State of an order that a refund is of. */
export interface RefundableRow {
  /** Money that is not refunded yet, as exact text. */
  rest: string;
  /** Number of its refunds. */
  refunds: number;
  currency: string;
  /** True once the buyer was erased. */
  isErased: boolean;
}

/** Measures what is left of an order. A statement after `lockNamedOrder`, so that it sees the refunds that the lock has waited for. */
export async function measureRefund(tx: Sql, teamId: Uuid, orderId: Uuid): Promise<RefundableRow> {
  const [row] = await tx<[RefundableRow]>`/* measureRefund */
    select (amount - ${refundedOf(tx, teamId)})::text as rest, currency,
      (select count(*)::int from refund where team_id = ${teamId} and placed_order_id = ${orderId}) as refunds,
      coalesce((
        select email is null from person where person.team_id = ${teamId} and person.id = person_id
      ), false) as "isErased"
    from placed_order
    where team_id = ${teamId} and id = ${orderId}`;
  return row;
}

/** The money of a row of `refund`, as an expression: as it was said, else what it counts. Null for all of an order that it waits for. */
export const amountOfRefund = (sql: Sql) => sql`coalesce(refund.amount, refund.counts)`;

/** The time of a row of `refund` that is shown, as an expression: as it was said, unless a clock ahead of ours has said it. */
export const shownTimeOfRefund = (sql: Sql) => sql`least(refund.created_at, now())`;

/**
 * Says again what each refund of an order counts, wherever its money is shown or added up. The refunds count together at most
 * the amount of the order: first those of an amount, the oldest first, then those without one, the oldest of which counts all
 * that is left. So what each counts does not depend on what came first: refunds, or reports of the order. Called inside the
 * transaction that has changed them or the money of the order.
 */
export async function countRefunds(tx: Sql, teamId: Uuid, orderId: Uuid): Promise<void> {
  await tx`/* countRefunds */
    update refund set counts = counted.counts, currency = counted.currency
    from (
      select is_test, refund_id, currency, least(amount, upto) - least(amount, upto - own) as counts
      from (
        select refund.is_test, refund_id, o.currency, o.amount, coalesce(refund.amount, o.amount) as own,
          sum(coalesce(refund.amount, o.amount)) over (order by refund.amount is null, refund.created_at, refund_id) as upto
        from refund join placed_order o on o.team_id = ${teamId} and o.id = ${orderId}
        where refund.team_id = ${teamId} and placed_order_id = ${orderId}
      ) summed
    ) counted
    where refund.team_id = ${teamId} and refund.is_test = counted.is_test and refund.refund_id = counted.refund_id
      and (refund.counts, refund.currency) is distinct from (counted.counts, counted.currency)`;
}

/** A stored refund with the order that it is of. Amounts are exact texts. */
export interface RefundRow {
  refundId: string;
  isTest: boolean;
  orderId: string | null;
  paymentId: string | null;
  /** As it was said; null for all that is left of the order. */
  saidAmount: string | null;
  /** As it was said, else what the others leave of the order; null for a waiting refund of all that is left. */
  amount: string | null;
  reason: string | null;
  isTakenBack: boolean;
  createdAt: Date;
  /** The order; null while the refund waits for it. */
  placedOrderId: Uuid | null;
  currency: string | null;
  orderAmount: string | null;
  /** The money of the order that was refunded. */
  refunded: string | null;
}

/** Finds a refund; undefined for none. */
export async function findRefund(
  sql: Sql,
  teamId: Uuid,
  { refundId, isTest }: Pick<RefundReport, 'refundId' | 'isTest'>,
): Promise<RefundRow | undefined> {
  const [row] = await sql<RefundRow[]>`/* findRefund */
    select refund_id as "refundId", refund.is_test as "isTest", refund.order_id as "orderId",
      payment_id as "paymentId", refund.amount as "saidAmount", ${amountOfRefund(sql)} as amount, reason,
      is_taken_back as "isTakenBack", ${shownTimeOfRefund(sql)} as "createdAt",
      o.id as "placedOrderId", o.currency, o.amount as "orderAmount",
      ${refundedOf(sql, teamId, sql`o`)} as refunded
    from refund
    left join placed_order o on o.team_id = ${teamId} and o.id = placed_order_id
    where refund.team_id = ${teamId} and refund.is_test = ${isTest} and refund_id = ${refundId}`;
  return row;
}

/**
 * Stores a refund that is new. Rejects with 23505 when there is one of that id.
 * @param placedOrderId its order; null for a refund that waits
 */
export async function addRefund(
  tx: Sql,
  teamId: Uuid,
  { refundId, orderId, paymentId, amount, reason, isTest, createdAt, sourceId }: RefundReport,
  placedOrderId: Uuid | null,
): Promise<void> {
  await tx`/* addRefund */
    insert into refund (
      team_id, is_test, refund_id, order_id, payment_id, placed_order_id, amount, reason, created_at, source_id
    )
    values (
      ${teamId}, ${isTest}, ${refundId}, ${orderId}, ${paymentId}, ${placedOrderId}, ${amount}, ${reason},
      ${createdAt}, ${sourceId ?? null}
    )`;
  if (placedOrderId !== null) await countRefunds(tx, teamId, placedOrderId);
}

/** Removes the reasons of refunds, which may name the buyer, from orders whose buyer is being erased. */
export async function eraseReasons(tx: Sql, teamId: Uuid, orderIds: Uuid[]): Promise<void> {
  await tx`/* eraseReasons */
    update refund set reason = null where team_id = ${teamId} and placed_order_id in ${tx(orderIds)}`;
}

/** Gives the refunds of an order to another one, whose report counts them anew, inside the transaction that merges the two. */
export async function moveRefunds(tx: Sql, teamId: Uuid, from: Uuid, to: Uuid): Promise<void> {
  await tx`/* moveRefunds */
    update refund set placed_order_id = ${to} where team_id = ${teamId} and placed_order_id = ${from}`;
}
