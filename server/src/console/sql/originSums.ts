import type { Fragment, Sql } from '../../database/connection/connect.js';
import {
  type OriginPart,
  ordersByOrigin,
  piecesOfOrders,
  sumOrigins,
  type TouchChoice,
} from '../../orders/sql/orderOrigins.js';
import type { Uuid } from '../../values/ids.js';
import { isNotSummed } from './orderFigures.js';

/** Rows of a quarter of an hour that have their own names. A page can make up any name and any currency. */
const namesOfQuarter = 30;
/** Currencies of a quarter of an hour in which the others are added up. */
const currenciesOfQuarter = 10;

/** Removes a team's sums by origin. */
export async function removeOriginSums(tx: Sql, teamId: Uuid): Promise<void> {
  await tx`/* removeOriginSums */ delete from order_origin_sum where team_id = ${teamId}`;
}

/** Removes the sums by origin of some quarters of an hour. */
export async function removeOriginSumsOf(tx: Sql, teamId: Uuid, quarters: Fragment): Promise<void> {
  await tx`/* removeOriginSumsOf */
    delete from order_origin_sum where team_id = ${teamId} and quarter in (${quarters})`;
}

/**
 * Adds rows of `placed_order` to the sums by origin. In each quarter of an hour the 30 largest rows keep
 * their names; the others are added up.
 */
export async function addOriginSums(tx: Sql, teamId: Uuid, orders: Fragment): Promise<void> {
  await tx`/* addOriginSums */
    insert into order_origin_sum (team_id, quarter, is_test, touch, kind, source, medium, campaign, currency, orders, confirmed, amount)
    with made as (
      select date_bin('15 minutes', created_at, '2000-01-01Z') as quarter, is_test, touch, kind, source, medium, campaign,
        currency, count(*) as orders, count(*) filter (where reported_by <> 'browser') as confirmed, sum(amount) as amount
      from (${ordersByOrigin(tx, orders)}) o
      group by 1, 2, 3, 4, 5, 6, 7, 8
    ), totalled as (
      select *, sum(confirmed) over currency as all_confirmed, sum(orders) over currency as all_orders
      from made
      window currency as (partition by quarter, is_test, touch, currency)
    ), judged as (
      select *, dense_rank() over (
        partition by quarter, is_test, touch order by all_confirmed desc, all_orders desc, currency
      ) <= ${currenciesOfQuarter} as is_known, row_number() over (
        partition by quarter, is_test, touch order by confirmed desc, orders desc, kind, source, medium, campaign, currency
      ) <= ${namesOfQuarter} as is_large
      from totalled
    )
    select ${teamId}::uuid, quarter, is_test, touch, case when is_large or kind <> 'named' then kind else 'others' end,
      case when is_large then source else '' end, case when is_large then medium else '' end,
      case when is_large then campaign else '' end, case when is_large or is_known then currency else '' end,
      sum(orders), sum(confirmed), case when bool_and(is_large or is_known) then sum(amount) else 0 end
    from judged
    group by 2, 3, 4, 5, 6, 7, 8, 9
    on conflict (team_id, quarter, is_test, touch, kind, source, medium, campaign, currency) do update set
      orders = order_origin_sum.orders + excluded.orders, confirmed = order_origin_sum.confirmed + excluded.confirmed,
      amount = order_origin_sum.amount + excluded.amount`;
}

/** Selection of the orders whose origins are read. */
export interface OriginSelection {
  since: Date;
  isTest: boolean;
  touch: TouchChoice;
  by: OriginPart;
}

/** Reads the origins of a team's orders, from the sums and from the orders that the sums do not hold. */
export function readOrigins(sql: Sql, teamId: Uuid, { since, isTest, touch, by }: OriginSelection) {
  const notSummed = sql`
    select * from placed_order where ${isNotSummed(sql, teamId, since)} and is_test = ${isTest}`;
  return sumOrigins(
    sql,
    sql`
      select kind, source, medium, campaign, currency, orders, confirmed, amount from order_origin_sum
      where team_id = ${teamId} and quarter >= ${since} and is_test = ${isTest} and touch = ${touch}
      union all
      ${piecesOfOrders(sql, notSummed, touch)}`,
    by,
  );
}
