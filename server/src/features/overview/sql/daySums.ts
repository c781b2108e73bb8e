import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { inTransaction, retryConflicts } from '../../../database/inTransaction.js';
import type { Uuid } from '../../../values/ids.js';
import { ordersByOrigin } from './readOrigins.js';
import { summedAfterMs } from './summedDay.js';

/** Days back from today that are searched: the longest range, and the period with which it is compared. */
const daysAtMost = 10 * 366;
/** Currencies of a day with separate sums. The others are summed together, because a page can make up any currency. */
const currenciesOfDay = 10;
/** Sources of a day with separate sums, and as many mediums and campaigns. A page can make up any name. */
const namesOfDay = 50;

/** Days whose new orders are searched for marks that were lost with a server. */
const lateDays = 7;

/** An ended day that is to be summed. */
interface DayToSum {
  day: string;
  /** Set if the day has neither orders nor sums, so that it only has to be recorded. */
  isEmpty: boolean;
}

/**
 * Lists the ended days of a team that are not summed, by the shop's clock, newest first. Leaves out days before its
 * first order.
 * @param options.again number of days back from today that are listed even if they are summed. If it is set, the days
 * of all orders stored in the last 7 days are also listed, because a server that died may not have marked them.
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
 * Records empty days as summed. If an order was stored since they were listed, it marks its day. That mark stays, or is
 * written after this.
 */
export async function addEmptyDays(sql: Sql, teamId: Uuid, days: readonly string[]): Promise<void> {
  const rows = days.map((day) => ({ team_id: teamId, day, is_summed: true }));
  await sql`/* addEmptyDays */ insert into summed_day ${sql(rows)} on conflict do nothing`;
}

/**
 * Begins a day of the shop. Only the first call on a day, among all servers, returns true. It inserts the row of today;
 * other days have no row before they have ended.
 */
export async function beginsDay(sql: Sql, teamId: Uuid): Promise<boolean> {
  const [shop] = await sql<[{ zone: string }?]>`/* readZone */ select zone from team where id = ${teamId}`;
  if (!shop) return false;
  // Two statements: Citus would run one that reads the zone and inserts the row on the coordinator.
  const begun = await sql`/* beginsDay */
    insert into summed_day (team_id, day, is_summed)
    values (${teamId}, (now() at time zone ${shop.zone})::date, false)
    on conflict do nothing
    returning day`;
  return begun.length > 0;
}

/** A row of `order_day` or `order_origin_day`, with exact decimals. */
type SumRow = Record<string, string | boolean>;

/**
 * Sums the orders of a day. It holds no lock while it reads them, so no order waits for it. If an order was marked
 * meanwhile, or another server has summed the day, the day's row has another version, and nothing is written.
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
      // In another zone, the day has other orders. The team is locked first, as by a change of the zone, and by one
      // server at a time: in a cluster, each insert below locks its whole part of a table. Orders of the team are still
      // stored.
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
