import type { Span } from '../../../console/parts/range.js';
import { hasNoCurrency } from '../../../console/sql/orderSelection.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { hourMs } from '../../../values/time.js';

/**
 * A sum of a range's orders. The fields `bucket`, `isConfirmed` and `currency` state which orders it sums. A field that is null
 * selects nothing: if all three are null, the row sums the whole range.
 */
export interface OrderFigureRow {
  /** Index of the bucket in the list; null for a sum over all buckets. */
  bucket: number | null;
  /** Set for orders that a backend reported, false for those that only a page reported; null for both. */
  isConfirmed: boolean | null;
  /** The currency; empty for all currencies that are not shown, null for every currency. */
  currency: string | null;
  /** Number of currencies of the row. */
  currencies: number;
  orders: number;
  /** Money as an exact decimal. It is in the row's currency, or else in the shown one. */
  amount: string;
  /** Number of orders in the currency of `amount`. */
  inCurrency: number;
}

/** The shortest possible bucket of whole days, also when clocks change. */
const shortestDayMs = 12 * hourMs;

/** Currencies with a separate sum. */
const currenciesShown = 10;

/**
 * Sums a team's live or test orders. Whole days that are summed are read from their sums, all other time from the
 * orders.
 *
 * Ten currencies have a separate row, because a page can make up any: the given one, those with the most orders that an
 * API key reported, then those with the most orders. Their rows are sorted by number of orders. The limit keeps only
 * ten while it reads: sorting 48,000 currencies took half of the time.
 * @param options.buckets without gaps, the oldest first
 * @param options.currency the currency of rows without a currency; null for the one with the most orders
 */
export function readOrderFigures(
  sql: Sql,
  teamId: Uuid,
  { buckets, isTest, currency }: { buckets: readonly Span[]; isTest: boolean; currency: string | null },
) {
  const span = { from: buckets[0]!.from, to: buckets.at(-1)!.to };
  // The sum of a day does not contain its hours.
  const hasHours = buckets.some(({ from, to }) => to.getTime() - from.getTime() < shortestDayMs);
  const starts = JSON.stringify(buckets.map(({ from }) => from));
  return sql<OrderFigureRow[]>`/* readOrderFigures */
    with part as materialized (${daysOfSpan(sql, teamId, span, !hasHours)}), counted as (
      select since as at, currency, reported_by, orders, amount
      from part cross join lateral (
        select currency, reported_by, orders, amount from order_day
        where team_id = ${teamId} and day = part.day and is_test = ${isTest}
      ) summed
      where is_summed
      union all
      select quarter, currency, reported_by, orders, amount
      from part cross join lateral (
        select date_bin('15 minutes', created_at, '2000-01-01Z') as quarter, currency, reported_by, count(*) as orders,
          sum(amount) as amount
        from placed_order
        where team_id = ${teamId} and created_at >= since and created_at < until and is_test = ${isTest}
        group by 1, 2, 3
      ) live
      where not is_summed
    ), placed as (
      select width_bucket(at, (
        select array_agg(value::timestamptz order by value::timestamptz)
        from json_array_elements_text(${starts}::text::json)
      )) - 1 as bucket, currency, reported_by, orders, amount
      from counted
    ), by_currency as (
      select currency, sum(orders) as orders, coalesce(sum(orders) filter (where reported_by <> 'browser'), 0) as confirmed,
        sum(amount) as amount
      from placed
      group by currency
    ), largest as (
      select currency, orders from by_currency
      where currency <> ''
      order by currency is distinct from ${currency}, confirmed desc, orders desc, currency
      limit ${currenciesShown}
    ), ranked as (
      select *, currency = any (array(select currency from largest)) as is_large from by_currency
    ), shown as (
      select coalesce(${currency}, (select currency from largest order by orders desc, currency limit 1)) as currency
    )
    select bucket, reported_by <> 'browser' as "isConfirmed", null as currency, 0 as currencies,
      coalesce(sum(orders), 0)::float as orders,
      coalesce(sum(amount) filter (where placed.currency = shown.currency), 0)::text as amount,
      coalesce(sum(orders) filter (where placed.currency = shown.currency), 0)::float as "inCurrency"
    from shown left join placed on true
    group by grouping sets ((bucket, reported_by <> 'browser'), (bucket), (reported_by <> 'browser'), ())
    union all
    select null, null, case when is_large then currency else '' end, count(*)::int, sum(orders)::float,
      (case when bool_and(is_large) then sum(amount) else 0 end)::text, 0
    from ranked
    group by 3
    order by orders desc, currency`;
}

/**
 * Divides a span of time into the shop's days. The rows have `day`, `since` and `until`, which are the day's part of
 * the span, and `is_summed`, which is true for a whole day that is read from its sums.
 * @param isBySums false to read the orders of all days
 */
export const daysOfSpan = (
  sql: Sql,
  teamId: Uuid,
  { from, to }: { from: Date; to: Date },
  isBySums = true,
) => sql`
  select day, greatest(starts_at, ${from}::timestamptz) as since, least(ends_at, ${to}::timestamptz) as until,
    ${isBySums} and starts_at >= ${from} and ends_at <= ${to} and exists (
      select from summed_day where team_id = ${teamId} and summed_day.day = divided.day and is_summed
    ) as is_summed
  from (
    select start::date as day, start at time zone zone as starts_at, (start + interval '1 day') at time zone zone as ends_at
    from (select zone from team where id = ${teamId}) shop cross join lateral generate_series(
      date_trunc('day', ${from}::timestamptz at time zone zone), ${to}::timestamptz at time zone zone, interval '1 day'
    ) start
  ) divided
  where starts_at < ${to}`;

/** Orders that are searched for missing ids and currencies. */
const idsLookAtMost = 1_000;

/**
 * Counts orders without a shop's id, and without a currency, among a team's newest 1,000 orders. Counts only those of
 * one mode.
 */
export async function countIncomplete(
  sql: Sql,
  teamId: Uuid,
  isTest: boolean,
): Promise<{ withoutId: number; withoutCurrency: number }> {
  const [row] = await sql<[{ withoutId: number; withoutCurrency: number }]>`/* countIncomplete */
    select (count(*) filter (where order_id is null))::int as "withoutId",
      (count(*) filter (where ${hasNoCurrency(sql)}))::int as "withoutCurrency"
    from (
      select order_id, said, is_test from placed_order
      where team_id = ${teamId} order by created_at desc, id desc limit ${idsLookAtMost}
    ) o
    where is_test = ${isTest}`;
  return row;
}
