import type { Sql } from '../../database/connection/connect.js';
import type { ListedOrderRow } from '../../orders/sql/listOrders.js';
import type { Uuid } from '../../values/ids.js';
import { isNotSummed } from './isNotSummed.js';

/** Orders of one bucket, currency and way of reporting. */
export interface OrderCountRow {
  /** The bucket's place in the list. */
  bucket: number;
  currency: string;
  reportedBy: ListedOrderRow['reportedBy'];
  orders: number;
  /** Exact text. */
  amount: string;
}

/** A span of time that orders are counted for; its ends are ends of quarters of an hour. */
export interface Bucket {
  from: Date;
  to: Date;
}

/**
 * Counts a team's live or test orders by bucket: adds up the sums, and the orders that they do not hold. A search in
 * the list of the buckets' starts finds the bucket of a row: a join took ten times as long for a month of quarters.
 * @param options.buckets without gaps, the oldest first
 */
export function countOrders(
  sql: Sql,
  teamId: Uuid,
  { buckets, isTest }: { buckets: readonly Bucket[]; isTest: boolean },
) {
  const since = buckets[0]!.from;
  const starts = JSON.stringify(buckets.map(({ from }) => from));
  return sql<OrderCountRow[]>`/* countOrders */
    with piece as (
      select quarter, currency, reported_by, orders, amount from order_sum
      where team_id = ${teamId} and quarter >= ${since} and is_test = ${isTest}
      union all
      select date_bin('15 minutes', created_at, '2000-01-01Z'), currency, reported_by, count(*), sum(amount)
      from placed_order
      where ${isNotSummed(sql, teamId, since)} and is_test = ${isTest}
      group by 1, 2, 3
    )
    select width_bucket(quarter, (
        select array_agg(value::timestamptz order by value::timestamptz)
        from json_array_elements_text(${starts}::text::json)
      )) - 1 as bucket,
      currency, reported_by as "reportedBy", sum(orders)::float as orders, sum(amount)::text as amount
    from piece
    group by 1, 2, 3
    order by 1, 2, 3`;
}
