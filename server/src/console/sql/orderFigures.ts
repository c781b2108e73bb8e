import type { Sql } from '../../database/connection/connect.js';
import type { ReportedBy } from '../../orders/storedOrder.js';
import type { Uuid } from '../../values/ids.js';
import type { Span } from '../overview/buckets.js';
import { summedParts } from './summedParts.js';

/**
 * Orders of a bucket, of a way of reporting, of both, of a currency, of all other currencies together, or, where all three
 * are null, of the range.
 */
export interface OrderFigureRow {
  /** The bucket's place in the list. */
  bucket: number | null;
  reportedBy: ReportedBy | null;
  /** Empty for all currencies past the shown ones. */
  currency: string | null;
  /** Number of currencies of the row. */
  currencies: number;
  orders: number;
  /** Money as exact text: of a row with a currency in that currency, of any other row in the chosen one. */
  amount: string;
}

/**
 * Adds up a team's live or test orders, from the sums and from the orders that the sums do not hold. A page can make up
 * any currency, so ten of them have a row of their own: those with the most orders that a key reported, then those with
 * the most orders. Their rows come with the most orders first.
 * @param options.buckets without gaps, the oldest first
 * @param options.currency the currency of the rows that have none of their own; empty for none
 */
export function readOrderFigures(
  sql: Sql,
  teamId: Uuid,
  { buckets, isTest, currency }: { buckets: readonly Span[]; isTest: boolean; currency: string },
) {
  const span = { from: buckets[0]!.from, to: buckets.at(-1)!.to };
  const starts = JSON.stringify(buckets.map(({ from }) => from));
  return sql<OrderFigureRow[]>`/* readOrderFigures */
    with placed as (
      select bucket, currency, reported_by, orders, amount
      from (${summedParts(sql, teamId, buckets)}) part cross join lateral (
        select currency, reported_by, sum(orders) as orders, sum(amount) as amount from order_day_sum
        where team_id = ${teamId} and is_days and day >= since and day < until and is_test = ${isTest}
        group by 1, 2
        union all
        select currency, reported_by, sum(orders), sum(amount) from order_sum
        where team_id = ${teamId} and not is_days and quarter >= since and quarter < until and is_test = ${isTest}
        group by 1, 2
      ) summed
      union all
      select width_bucket(quarter, (
        select array_agg(value::timestamptz order by value::timestamptz)
        from json_array_elements_text(${starts}::text::json)
      )) - 1, currency, reported_by, orders, amount
      from (
        select date_bin('15 minutes', created_at, '2000-01-01Z') as quarter, currency, reported_by, count(*) as orders,
          sum(amount) as amount
        from placed_order
        where ${isNotSummed(sql, teamId, span)} and is_test = ${isTest}
        group by 1, 2, 3
      ) not_summed
    ), by_currency as (
      select currency, sum(orders) as orders, sum(amount) as amount, row_number() over (
        order by coalesce(sum(orders) filter (where reported_by <> 'browser'), 0) desc, sum(orders) desc, currency
      ) <= ${currenciesShown} as is_shown
      from placed
      group by currency
    )
    select bucket, reported_by as "reportedBy", null as currency, 0 as currencies,
      coalesce(sum(orders), 0)::float as orders,
      coalesce(sum(amount) filter (where currency = ${currency}), 0)::text as amount
    from placed
    group by grouping sets ((bucket, reported_by), (bucket), (reported_by), ())
    union all
    select null, null, case when is_shown then currency else '' end, count(*)::int, sum(orders)::float,
      (case when bool_and(is_shown) then sum(amount) else 0 end)::text
    from by_currency
    group by 3
    order by orders desc, currency`;
}

/** Currencies with a sum of their own. */
const currenciesShown = 10;

/** The orders that the pages of one host have reported lately. */
export interface OrderHostRow {
  /** Empty for orders that only keys have reported. */
  host: string;
  orders: number;
  /** Of the time that is listed, to the quarter of an hour. */
  firstOrderAt: Date;
  lastOrderAt: Date;
}

/**
 * Lists up to 100 hosts of a team's live or test orders since a time, the latest order first. Hosts that are allowed by
 * name come before subdomains, which a page can make up below a wildcard.
 */
export function listOrderHosts(sql: Sql, teamId: Uuid, { since, isTest }: { since: Date; isTest: boolean }) {
  return sql<OrderHostRow[]>`/* listOrderHosts */
    with piece as (
      select host, orders, quarter as first_order_at, last_order_at from order_sum
      where team_id = ${teamId} and quarter >= ${since} and is_test = ${isTest}
      union all
      select coalesce(host, ''), count(*), min(created_at), max(created_at) from placed_order
      where ${isNotSummed(sql, teamId, { from: since })} and is_test = ${isTest}
      group by 1
    )
    select host, sum(orders)::float as orders, max(last_order_at) as "lastOrderAt", min(first_order_at) as "firstOrderAt"
    from piece
    group by host
    order by exists (
      select from domain where team_id = ${teamId} and entry in (host, regexp_replace(host, '^www[.]', ''))
    ) desc, 3 desc
    limit 100`;
}

/**
 * The condition for a team's orders of a span that its sums do not hold: those with later ids, and those that were
 * moved, whose ids do not say when they were made. It stands in one statement with the sums, so that no order is counted
 * by both. The upper bounds make PostgreSQL expect few rows and read the indexes by id and by `merged_at`. The span is no
 * comparison, because PostgreSQL would take the index by `created_at` for two of them, and read a year of orders.
 */
export const isNotSummed = (sql: Sql, teamId: Uuid, { from, to }: Pick<Span, 'from'> & Partial<Span>) => sql`
  team_id = ${teamId} and created_at <@ tstzrange(${from}::timestamptz, ${to ?? null}::timestamptz) and (
    id >= (select to_id from order_sum_range where team_id = ${teamId})
      and id < 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    or moved_from is not null and merged_at >= ${from} and merged_at < 'infinity'
  )`;
