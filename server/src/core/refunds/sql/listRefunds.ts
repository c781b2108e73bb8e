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
  /** The stated amount; if none was stated, the amount that counts. */
  amount: string;
  /** Currency of the refund; null for the order's currency. */
  currency: string | null;
  reason: string | null;
  createdAt: Date;
  orderAmount: string;
  /** Sum of all refunds of the order that count. */
  refunded: string;
}

/**
 * Lists the refunds of an order, the oldest first, without those that were taken back. At most 500 are listed. An order accepts no
 * more, but merged orders may have more together.
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

/** A range of refunds by their own time, live or test. */
export interface RefundRange {
  since: Date;
  until: Date;
  isTest: boolean;
}

/** The refunds of one currency. */
export interface RefundSumRow {
  currency: string;
  refunds: number;
  /** Exact text. */
  amount: string;
}

/**
 * Sums up a team's refunds in a range of time, by the currency of their orders. `since` is included, `until` is not. Reads only the
 * refunds.
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
