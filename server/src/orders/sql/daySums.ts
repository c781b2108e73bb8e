import type { Fragment, Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { ordersByOrigin } from './orderOrigins.js';
import { summedAfterMs } from './summedDay.js';

/** Days that are looked for, counted back from today: the longest range, and the period that it is compared with. */
const daysAtMost = 10 * 366;
/** Currencies of a day with sums of their own; the others are added up. A page can make up any currency. */
export const currenciesOfDay = 10;
/** Sources of a day with sums of their own, and as many mediums and campaigns. A page can make up any name. */
export const namesOfDay = 50;

/**
 * Lists the closed days of a team that are not summed, by the shop's clock, the newest first.
 * @param options.again days that are listed although they are summed, counted back from today
 */
export async function listDaysToSum(sql: Sql, teamId: Uuid, { again = 0 } = {}): Promise<string[]> {
  const daysAgain = Math.min(again, daysAtMost);
  const rows = await sql<{ day: string }[]>`/* listDaysToSum */
    with clock as (
      select now() at time zone zone as at, ((now() - ${summedAfterMs} * interval '1 ms') at time zone zone)::date as closed_to, (
        select min(created_at) at time zone zone from placed_order where team_id = ${teamId}
      )::date as first
      from team where id = ${teamId}
    )
    select start::date::text as day
    from clock cross join lateral generate_series(
      greatest(first, at::date - ${daysAtMost}::int)::timestamp, closed_to - interval '1 day', interval '1 day'
    ) start
    where start >= at::date - ${daysAgain}::int or not exists (
      select from summed_day where team_id = ${teamId} and day = start::date and is_summed
    )
    order by start desc`;
  return rows.map(({ day }) => day);
}

/** Sums the orders of a day, inside a transaction. Changes to an order of the day wait until it ends. */
export async function sumDay(tx: Sql, teamId: Uuid, day: string): Promise<void> {
  // The zone stays while the day is summed.
  const [team] = await tx<{ zone: string }[]>`/* findZone */
    select zone from team where id = ${teamId} for share`;
  if (!team) return;
  await tx`/* addSummedDay */
    insert into summed_day (team_id, day, is_summed) values (${teamId}, ${day}, true)
    on conflict (team_id, day) do update set is_summed = true`;
  for (const table of ['order_day', 'order_origin_day'] as const)
    await tx`/* removeDay */ delete from ${tx(table)} where team_id = ${teamId} and day = ${day}`;
  const orders = tx`
    select * from placed_order
    where team_id = ${teamId} and created_at >= ${day}::timestamp at time zone ${team.zone}
      and created_at < (${day}::timestamp + interval '1 day') at time zone ${team.zone}`;
  await addOrderDay(tx, teamId, day, orders);
  await addOriginDay(tx, teamId, day, orders);
}

async function addOrderDay(tx: Sql, teamId: Uuid, day: string, orders: Fragment): Promise<void> {
  await tx`/* addOrderDay */
    insert into order_day (team_id, day, is_test, reported_by, currency, orders, amount)
    with made as (
      select is_test, reported_by, currency, count(*) as orders,
        count(*) filter (where reported_by <> 'browser') as confirmed, sum(amount) as amount
      from (${orders}) o
      group by 1, 2, 3
    ), totalled as (
      select *, sum(confirmed) over of_currency as all_confirmed, sum(orders) over of_currency as all_orders
      from made
      window of_currency as (partition by is_test, currency)
    ), judged as (
      select *, dense_rank() over (
        partition by is_test order by all_confirmed desc, all_orders desc, currency
      ) <= ${currenciesOfDay} as is_known
      from totalled
    )
    select ${teamId}::uuid, ${day}::date, is_test, reported_by, case when is_known then currency else '' end, sum(orders),
      case when bool_and(is_known) then sum(amount) else 0 end
    from judged
    group by 1, 2, 3, 4, 5`;
}

async function addOriginDay(tx: Sql, teamId: Uuid, day: string, orders: Fragment): Promise<void> {
  await tx`/* addOriginDay */
    insert into order_origin_day (team_id, day, is_test, touch, part, kind, name, currency, orders, confirmed, amount)
    with made as (
      select is_test, touch, part, kind, name, currency, count(*) as orders,
        count(*) filter (where reported_by <> 'browser') as confirmed, sum(amount) as amount
      from (${ordersByOrigin(tx, orders)}) o
        cross join lateral (
          values ('source', source), ('medium', medium), ('campaign', campaign)
        ) parted (part, name)
      group by 1, 2, 3, 4, 5, 6
    ), totalled as (
      select *, sum(confirmed) over of_currency as currency_confirmed, sum(orders) over of_currency as currency_orders,
        sum(confirmed) over of_name as name_confirmed, sum(orders) over of_name as name_orders
      from made
      window of_currency as (partition by is_test, touch, part, currency),
        of_name as (partition by is_test, touch, part, kind, name)
    ), judged as (
      select *, dense_rank() over (
        partition by is_test, touch, part order by currency_confirmed desc, currency_orders desc, currency
      ) <= ${currenciesOfDay} as is_known, kind <> 'named' or dense_rank() over (
        partition by is_test, touch, part, kind order by name_confirmed desc, name_orders desc, name
      ) <= ${namesOfDay} as is_large
      from totalled
    )
    select ${teamId}::uuid, ${day}::date, is_test, touch, part, case when is_large then kind else 'others' end,
      case when is_large then name else '' end, case when is_known then currency else '' end, sum(orders), sum(confirmed),
      case when bool_and(is_known) then sum(amount) else 0 end
    from judged
    group by 1, 2, 3, 4, 5, 6, 7, 8`;
}

/**
 * Divides a span of time into the days of the shop. The rows have `day`, `since` and `until`, its part in the span, and
 * `is_summed`: true for a whole day that is read from its sums.
 */
export const daysOfSpan = (sql: Sql, teamId: Uuid, { from, to }: { from: Date; to: Date }) => sql`
  select day, greatest(starts_at, ${from}::timestamptz) as since, least(ends_at, ${to}::timestamptz) as until,
    starts_at >= ${from} and ends_at <= ${to} and exists (
      select from summed_day where team_id = ${teamId} and summed_day.day = divided.day and is_summed
    ) as is_summed
  from (
    select start::date as day, start at time zone zone as starts_at, (start + interval '1 day') at time zone zone as ends_at
    from (select zone from team where id = ${teamId}) shop cross join lateral generate_series(
      date_trunc('day', ${from}::timestamptz at time zone zone), ${to}::timestamptz at time zone zone, interval '1 day'
    ) start
  ) divided
  where starts_at < ${to}`;
