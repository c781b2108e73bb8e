import type { Sql } from '../../database/connection/connect.js';
import type { ListedOrderRow } from '../../orders/sql/listOrders.js';
import type { Uuid } from '../../values/ids.js';
import type { CountedRange } from './findCountedRange.js';

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
 * Counts a team's live or test orders by bucket. Quarters that are kept counted are added up, the stale ones
 * among them and all after them are counted from the orders themselves. A search in the list of the buckets'
 * starts finds the bucket of a row: a join took ten times as long for a month of quarters.
 * @param options.buckets without gaps, the oldest first
 */
export function countOrders(
  sql: Sql,
  teamId: Uuid,
  { buckets, isTest, counted }: { buckets: readonly Bucket[]; isTest: boolean; counted: CountedRange },
) {
  const first = buckets[0]!.from;
  const starts = JSON.stringify(buckets.map(({ from }) => from));
  const latest = (...times: Date[]) => new Date(Math.max(...times.map((time) => time.getTime())));
  return sql<OrderCountRow[]>`/* countOrders */
    with stale as materialized (
      select value::timestamptz as quarter
      from json_array_elements_text(${JSON.stringify(counted.stale)}::text::json)
    ), piece as (
      select quarter, currency, reported_by, orders, amount
      from order_count
      where team_id = ${teamId} and quarter >= ${latest(first, counted.from)} and quarter < ${counted.to}
        and is_test = ${isTest} and quarter not in (select quarter from stale)
      union all
      select date_bin('15 minutes', created_at, '2000-01-01Z'), currency, reported_by, count(*), sum(amount)
      from placed_order
      where team_id = ${teamId} and created_at >= ${latest(first, counted.to)} and is_test = ${isTest}
      group by 1, 2, 3
      union all
      select stale.quarter, o.currency, o.reported_by, count(*), sum(o.amount)
      from stale cross join lateral (
        select currency, reported_by, amount from placed_order
        where team_id = ${teamId} and created_at >= stale.quarter
          and created_at < stale.quarter + interval '15 minutes' and is_test = ${isTest}
      ) o
      where stale.quarter >= ${first}
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
