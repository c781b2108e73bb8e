import type { Sql } from '../../../database/connection/connect.js';
import { rowsOf } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';
import { limits } from '../../../values/limits.js';
import { refundedOf } from '../../orders/store/sql/placedOrder.js';
import { amountOfRefund, shownTimeOfRefund } from './refund.js';

/** A refund of an order, as lists show it. Amounts are exact texts. */
export interface ListedRefundRow {
  placedOrderId: Uuid;
  refundId: string;
  /** As it was said, else what the others leave of the order. */
  amount: string;
  /** Null for that of the order. */
  currency: string | null;
  reason: string | null;
  createdAt: Date;
  /** The amount of the order. */
  orderAmount: string;
  /** The money of the order that all its refunds have returned. */
  refunded: string;
}

/**
 * Lists the refunds of an order, the oldest first, without those that were taken back. At most 500: an order takes no more,
 * but orders that turn out to be one bring theirs.
 */
export async function listRefunds(
  sql: Sql,
  teamId: Uuid,
  orderId: Uuid,
): Promise<readonly ListedRefundRow[]> {
  const rows = await sql<ListedRefundRow[]>`/* listRefunds */
    select placed_order_id as "placedOrderId", refund_id as "refundId", ${amountOfRefund(sql)} as amount, said_currency as currency, reason,
      ${shownTimeOfRefund(sql)} as "createdAt", o.amount as "orderAmount", ${refundedOf(sql, teamId, sql`o`)} as refunded
    from refund join placed_order o on o.team_id = ${teamId} and o.id = placed_order_id
    where refund.team_id = ${teamId} and placed_order_id = ${orderId} and not is_taken_back
    order by refund.created_at, refund_id
    limit ${limits.refunds}`;
  return rowsOf(orderId, rows, ({ placedOrderId }) => placedOrderId);
}

/** Refunds by their own date, live or test ones. */
export interface RefundRange {
  since: Date;
  until: Date;
  isTest: boolean;
}

/** Refunds of one currency. */
export interface RefundSumRow {
  currency: string;
  refunds: number;
  /** Exact text. */
  amount: string;
}

/**
 * Adds up a team's refunds by currency, which is that of their orders: those made from a time on and before another one.
 * Reads the refunds alone.
 */
export function sumRefunds(sql: Sql, teamId: Uuid, { since, until, isTest }: RefundRange) {
  return sql<RefundSumRow[]>`/* sumRefunds */
    select currency, count(*)::int as refunds, sum(counts)::text as amount
    from refund
    where team_id = ${teamId} and is_test = ${isTest} and created_at >= ${since} and created_at < ${until}
      and counts is not null and not is_taken_back
    group by currency
    order by currency`;
}
