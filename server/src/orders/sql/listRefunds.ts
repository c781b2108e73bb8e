import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { amountOfRefund } from './refund.js';

/** A refund of an order, as lists show it. Amounts are exact texts. */
export interface ListedRefundRow {
  refundId: string;
  /** The money of it that counts. */
  counted: string;
  /** As it was said; null for all that is left of the order. */
  amount: string | null;
  reason: string | null;
  createdAt: Date;
  /** The amount of the order. */
  orderAmount: string;
  /** The money of the order that all its refunds have returned. */
  refunded: string;
}

/**
 * Lists the refunds of an order, the oldest first, each with the money of it that counts: together no more than the amount
 * of the order. The caller has called `settleRefunds`.
 */
export function listRefunds(sql: Sql, teamId: Uuid, orderId: Uuid) {
  return sql<ListedRefundRow[]>`/* listRefunds */
    select refund_id as "refundId", least(order_amount, before + endless) - least(order_amount, before) as counted, amount,
      reason, created_at as "createdAt", order_amount as "orderAmount",
      least(order_amount, sum(endless) over ()) as refunded
    from (
      select refund_id, refund.amount, reason, refund.created_at, o.amount as order_amount,
        ${amountOfRefund(sql)} as endless, coalesce(sum(${amountOfRefund(sql)}) over (
          order by refund.created_at, refund_id rows between unbounded preceding and 1 preceding
        ), 0) as before
      from refund join placed_order o on o.team_id = ${teamId} and o.id = placed_order_id
      where refund.team_id = ${teamId} and o.id = ${orderId}
    ) refunded
    order by created_at, refund_id`;
}

/** True when a team has a refund, also one that waits for its order. */
export async function hasRefunds(sql: Sql, teamId: Uuid): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`/* hasRefunds */
    select exists (select from refund where team_id = ${teamId})`;
  return row.exists;
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
 * The refunds of an order count up to its amount, the oldest first. Each order is looked up by its id, because a join
 * reads all orders of the team. The caller has called `settleRefunds`.
 */
export function sumRefunds(sql: Sql, teamId: Uuid, { since, until, isTest }: RefundRange) {
  return sql<RefundSumRow[]>`/* sumRefunds */
    select currency, sum(refunds)::int as refunds, sum(least(o.amount, upto) - least(o.amount, before))::text as amount
    from (
      select placed_order_id, count(*) filter (where created_at >= ${since}) as refunds,
        coalesce(sum(${amountOfRefund(sql)}) filter (where created_at < ${since}), 0) as before,
        sum(${amountOfRefund(sql)}) as upto
      from refund
      where team_id = ${teamId} and created_at < ${until} and placed_order_id in (
        select placed_order_id from refund
        where team_id = ${teamId} and is_test = ${isTest} and created_at >= ${since} and created_at < ${until}
      )
      group by placed_order_id
    ) refunded cross join lateral (
      select amount, currency from placed_order where team_id = ${teamId} and id = placed_order_id offset 0
    ) o
    group by currency
    order by currency`;
}
