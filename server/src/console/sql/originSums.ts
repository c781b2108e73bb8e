import type { Fragment, Sql } from '../../database/connection/connect.js';
import {
  type OriginPart,
  ordersByOrigin,
  piecesOfOrders,
  sumOrigins,
  type TouchChoice,
} from '../../orders/sql/orderOrigins.js';
import type { Uuid } from '../../values/ids.js';
import type { Span } from '../overview/buckets.js';
import { isNotSummed } from './orderFigures.js';
import { summedParts } from './summedParts.js';

/** Currencies of a quarter of an hour, or of a day, in which the others are added up. A page can make up any currency. */
const currenciesOfSpan = 10;

/** Removes a team's sums by origin. */
export async function removeOriginSums(tx: Sql, teamId: Uuid): Promise<void> {
  await tx`/* removeOriginSums */ delete from order_origin_sum where team_id = ${teamId}`;
}

/** Removes the sums by origin of some quarters of an hour. */
export async function removeOriginSumsOf(tx: Sql, teamId: Uuid, quarters: Fragment): Promise<void> {
  await tx`/* removeOriginSumsOf */
    delete from order_origin_sum where team_id = ${teamId} and quarter in (${quarters})`;
}

/** Adds rows of `placed_order` to the sums by origin of their quarters of an hour. */
export async function addOriginSums(tx: Sql, orders: Fragment): Promise<void> {
  await insertOriginSums(tx, {
    span: 'quarter',
    made: tx`
      select team_id, date_bin('15 minutes', created_at, '2000-01-01Z') as quarter, is_test, touch, kind, source, medium, campaign,
        currency, count(*) as orders, count(*) filter (where reported_by <> 'browser') as confirmed, sum(amount) as amount
      from (${ordersByOrigin(tx, orders)}) o
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  });
}

/** Tables of sums by origin, and the number of rows of a span that keep their names. A page can make up any name. */
const originTables = {
  quarter: { table: 'order_origin_sum', namesAtMost: 30 },
  day: { table: 'order_origin_day_sum', namesAtMost: 50 },
} as const;

/** Adds sums by origin to the table of their span. In each span the largest rows keep their names; the others are added up. */
export async function insertOriginSums(
  tx: Sql,
  { span, made }: { span: keyof typeof originTables; made: Fragment },
): Promise<void> {
  const { table, namesAtMost } = originTables[span];
  const [into, time] = [tx(table), tx(span)];
  await tx`/* insertOriginSums */
    insert into ${into} (team_id, ${time}, is_test, touch, kind, source, medium, campaign, currency, orders, confirmed, amount)
    with made as (${made}), totalled as (
      select *, sum(confirmed) over currency as all_confirmed, sum(orders) over currency as all_orders
      from made
      window currency as (partition by team_id, ${time}, is_test, touch, currency)
    ), judged as (
      select *, dense_rank() over (
        partition by team_id, ${time}, is_test, touch order by all_confirmed desc, all_orders desc, currency
      ) <= ${currenciesOfSpan} as is_known, row_number() over (
        partition by team_id, ${time}, is_test, touch order by confirmed desc, orders desc, kind, source, medium, campaign, currency
      ) <= ${namesAtMost} as is_large
      from totalled
    )
    select team_id, ${time}, is_test, touch, case when is_large or kind <> 'named' then kind else 'others' end,
      case when is_large then source else '' end, case when is_large then medium else '' end,
      case when is_large then campaign else '' end, case when is_large or is_known then currency else '' end,
      sum(orders), sum(confirmed), case when bool_and(is_large or is_known) then sum(amount) else 0 end
    from judged
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    on conflict (team_id, ${time}, is_test, touch, kind, source, medium, campaign, currency) do update set
      orders = ${into}.orders + excluded.orders, confirmed = ${into}.confirmed + excluded.confirmed,
      amount = ${into}.amount + excluded.amount`;
}

/** Selection of the orders whose origins are read. */
export interface OriginSelection {
  span: Span;
  isTest: boolean;
  touch: TouchChoice;
  by: OriginPart;
}

/** Reads the origins of a team's orders, from the sums and from the orders that the sums do not hold. */
export function readOrigins(sql: Sql, teamId: Uuid, { span, isTest, touch, by }: OriginSelection) {
  const notSummed = sql`
    select * from placed_order where ${isNotSummed(sql, teamId, span)} and is_test = ${isTest}`;
  const columns = sql`kind, source, medium, campaign, currency, orders, confirmed, amount`;
  const ofPart = sql`is_test = ${isTest} and touch = ${touch}`;
  return sumOrigins(
    sql,
    sql`
      select ${columns} from (${summedParts(sql, teamId, [span])}) part cross join lateral (
        select ${columns} from order_origin_day_sum
        where team_id = ${teamId} and is_days and day >= since and day < until and ${ofPart}
        union all
        select ${columns} from order_origin_sum
        where team_id = ${teamId} and not is_days and quarter >= since and quarter < until and ${ofPart}
      ) summed
      union all
      ${piecesOfOrders(sql, notSummed, touch)}`,
    by,
  );
}
