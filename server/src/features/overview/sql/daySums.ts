import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { inTransaction, retryConflicts } from '../../../database/inTransaction.js';
import type { Uuid } from '../../../values/ids.js';
import { ordersByOrigin } from './readOrigins.js';
import { summedAfterMs } from './summedDay.js';

/** Days that are looked for, counted back from today: the longest range, and the period that it is compared with. */
const daysAtMost = 10 * 366;
/** Currencies of a day with sums of their own; the others are added up. A page can make up any currency. */
const currenciesOfDay = 10;
/** Sources of a day with sums of their own, and as many mediums and campaigns. A page can make up any name. */
const namesOfDay = 50;

/** Days whose new orders are looked at for marks that were lost with a server. */
const lateDays = 7;

/** A closed day that is to be summed. */
interface DayToSum {
  day: string;
  /** True if nothing is to be added up or removed: the day has neither orders nor sums. */
  isEmpty: boolean;
}

/**
 * Lists the closed days of a team that are not summed, by the shop's clock, the newest first; none before its first order.
 * @param options.again days that are listed although they are summed, counted back from today; and with them the days of all
 * orders that were stored in the last 7 days, because a server that ended amid its work may have marked none of them
 */
export async function listDaysToSum(sql: Sql, teamId: Uuid, { again = 0 } = {}): Promise<DayToSum[]> {
  const daysAgain = Math.min(again, daysAtMost);
  const stored = sql`
    or start::date in (
      select (created_at at time zone zone)::date from placed_order
      where team_id = ${teamId} and id >= (
        lpad(to_hex(floor(extract(epoch from now() - ${lateDays} * interval '1 day') * 1000)::bigint), 12, '0')
          || '70008000000000000000'
      )::uuid
    )`;
  return sql<DayToSum[]>`/* listDaysToSum */
    with clock as (
      select zone, now() at time zone zone as at,
        ((now() - ${summedAfterMs} * interval '1 ms') at time zone zone)::date as closed_to, (
        select min(created_at) at time zone zone from placed_order where team_id = ${teamId}
      )::date as first
      from team where id = ${teamId}
    ), unsummed as (
      select start::date as day, is_summed, not exists (
        select from placed_order where team_id = ${teamId}
          and created_at >= start at time zone zone and created_at < (start + interval '1 day') at time zone zone
      ) and not exists (
        select from order_day where team_id = ${teamId} and order_day.day = start::date
      ) as is_empty
      from clock cross join lateral generate_series(
        greatest(first, at::date - ${daysAtMost}::int)::timestamp, closed_to - interval '1 day', interval '1 day'
      ) start left join summed_day on team_id = ${teamId} and summed_day.day = start::date
      where first is not null and (
        start >= at::date - ${daysAgain}::int or is_summed is not true ${again > 0 ? stored : sql``}
      )
    )
    select day::text, is_empty and is_summed is null as "isEmpty"
    from unsummed where not (is_empty and is_summed is true)
    order by day desc`;
}

/**
 * Records empty days as summed. An order that was stored since they were listed has marked its day: the mark stays, or comes
 * after this.
 */
export async function addEmptyDays(sql: Sql, teamId: Uuid, days: readonly string[]): Promise<void> {
  const rows = days.map((day) => ({ team_id: teamId, day, is_summed: true }));
  await sql`/* addEmptyDays */ insert into summed_day ${sql(rows)} on conflict do nothing`;
}

/**
 * True for the first call of a day of the shop, among all servers. The row of today says so; else a day has none before it has
 * ended.
 */
export async function beginsDay(sql: Sql, teamId: Uuid): Promise<boolean> {
  // Citus counts the row that it did not insert, too.
  const begun = await sql`/* beginsDay */
    insert into summed_day (team_id, day, is_summed)
    select ${teamId}::uuid, (now() at time zone zone)::date, false
    from (select zone from team where id = ${teamId}) shop
    on conflict do nothing
    returning day`;
  return begun.length > 0;
}

/** A row of `order_day` or `order_origin_day`, with exact texts. */
type SumRow = Record<string, string | boolean>;

/**
 * Sums the orders of a day. Holds no lock while it reads them, so no order waits for it. The day's row says if one was marked, or
 * the day was summed, meanwhile: then it has another version, and nothing is written.
 */
export async function sumDay(sql: Sql, teamId: Uuid, day: string): Promise<void> {
  await sql`/* addSummedDay */
    insert into summed_day (team_id, day, is_summed) values (${teamId}, ${day}, false) on conflict do nothing`;
  const [begun] = await sql<{ version: string; zone: string }[]>`/* beginSumming */
    select summed_day.xmin::text as version, zone
    from summed_day cross join (select zone from team where id = ${teamId}) shop
    where team_id = ${teamId} and day = ${day}`;
  if (!begun) return;
  const { version, zone } = begun;
  const orders = sql`
    select * from placed_order
    where team_id = ${teamId} and created_at >= ${day}::timestamp at time zone ${zone}
      and created_at < (${day}::timestamp + interval '1 day') at time zone ${zone}`;
  const orderDay = await sumOrderDay(sql, orders);
  const originDay = await sumOriginDay(sql, orders);
  await retryConflicts(() =>
    inTransaction(sql, async (tx) => {
      // Another zone has other days. Locked first, as by a change of the zone, and by one server at a time: of a cluster each
      // insert below locks all of a table's part. Orders of the team go on.
      const [team] = await tx<{ zone: string }[]>`/* findZone */
      select zone from team where id = ${teamId} for no key update`;
      if (team?.zone !== zone) return;
      const ended = await tx`/* endSumming */
      update summed_day set is_summed = true
      where team_id = ${teamId} and day = ${day} and xmin::text = ${version}`;
      if (ended.count === 0) return;
      for (const [table, rows] of [
        ['order_day', orderDay],
        ['order_origin_day', originDay],
      ] as const) {
        await tx`/* removeDay */ delete from ${tx(table)} where team_id = ${teamId} and day = ${day}`;
        const named = rows.map((row) => ({ team_id: teamId, day, ...row }));
        await tx`/* addDay */
        insert into ${tx(table)}
        select * from json_populate_recordset(null::${tx(table)}, ${JSON.stringify(named)}::text::json)`;
      }
    }),
  );
}

function sumOrderDay(sql: Sql, orders: Fragment) {
  return sql<SumRow[]>`/* sumOrderDay */
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
    select is_test, reported_by, case when is_known then currency else '' end as currency, sum(orders)::text as orders,
      (case when bool_and(is_known) then sum(amount) else 0 end)::text as amount
    from judged
    group by 1, 2, 3`;
}

function sumOriginDay(sql: Sql, orders: Fragment) {
  return sql<SumRow[]>`/* sumOriginDay */
    with made as (
      select is_test, touch, part, kind, name, currency, count(*) as orders,
        count(*) filter (where reported_by <> 'browser') as confirmed, sum(amount) as amount
      from (${ordersByOrigin(sql, orders)}) o
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
    select is_test, touch, part, case when is_large then kind else 'others' end as kind,
      case when is_large then name else '' end as name, case when is_known then currency else '' end as currency,
      sum(orders)::text as orders, sum(confirmed)::text as confirmed,
      (case when bool_and(is_known) then sum(amount) else 0 end)::text as amount
    from judged
    group by 1, 2, 3, 4, 5, 6`;
}
