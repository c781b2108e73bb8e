import type { Span } from '../../../console/parts/range.js';
import { type OriginPart, partOf, type TouchChoice } from '../../../console/sql/origin.js';
import type { Fragment, Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { daysOfSpan } from './readFigures.js';

/** Orders and money of one origin. */
export interface OriginRow {
  /**
   * `named`: the landing has a source, referrer, medium or campaign. `direct`: it has none of these. `unknown`: there
   * is no landing. `others`: the sum of all smaller named ones.
   */
  kind: 'named' | 'direct' | 'unknown' | 'others';
  /** Source, medium or campaign in lower case. Empty if the landing has none, and for all kinds but `named`. */
  name: string;
  orders: number;
  /** Money of up to ten currencies as exact decimals, sorted by number of orders. */
  money: { currency: string; amount: string }[];
}

/** Selects the orders whose origins are read. */
interface OriginSelection {
  span: Span;
  isTest: boolean;
  touch: TouchChoice;
  by: OriginPart;
  /** Named origins with a separate row; default: the largest ten. */
  rows?: number;
}

/**
 * Reads the origins of a team's orders. Whole days that are summed are read from their sums, all other time from the
 * orders. `offset` makes PostgreSQL look up each day's orders by time: a join may read all orders of the team.
 */
export function readOrigins(
  sql: Sql,
  teamId: Uuid,
  { span, isTest, touch, by, rows = originsShown }: OriginSelection,
) {
  const live = sql`
    select o.* from part cross join lateral (
      select * from placed_order
      where team_id = ${teamId} and created_at >= since and created_at < until and is_test = ${isTest}
      offset 0
    ) o
    where not is_summed`;
  return sumOrigins(
    sql,
    sql`
      with part as materialized (${daysOfSpan(sql, teamId, span)})
      select kind, name, currency, orders, confirmed, amount from part cross join lateral (
        select kind, name, currency, orders, confirmed, amount from order_origin_day
        where team_id = ${teamId} and day = part.day and is_test = ${isTest} and touch = ${touch} and part = ${by}
      ) summed
      where is_summed
      union all
      ${piecesOfOrders(sql, live, touch, by)}`,
    rows,
  );
}

/** Origins with a separate row unless more are requested, and currencies of one origin. */
export const originsShown = 10;
const currenciesShown = 10;

/**
 * Sums rows of origins: the largest by name, the others together, direct and unknown ones.
 *
 * The largest have the most orders that an API key has confirmed, and then the most orders, because a page can make up
 * any name. They are ranked by windows: joining 60,000 of them took PostgreSQL 4 minutes.
 * @param pieces rows with kind, name, currency, orders, confirmed, amount
 */
function sumOrigins(sql: Sql, pieces: Fragment, rows: number) {
  return sql<OriginRow[]>`/* sumOrigins */
    with piece as (
      select kind, name, currency, sum(orders) as orders, sum(confirmed) as confirmed, sum(amount) as amount
      from (${pieces}) pieces
      group by 1, 2, 3
    ), totalled as (
      select *, sum(confirmed) over origin as all_confirmed, sum(orders) over origin as all_orders
      from piece
      window origin as (partition by kind, name)
    ), ranked as (
      select *, kind = 'named' and dense_rank() over (
        partition by kind order by all_confirmed desc, all_orders desc, name
      ) > ${rows} as is_small
      from totalled
    ), shown as (
      select case when is_small then 'others' else kind end as kind, case when is_small then '' else name end as name,
        currency, sum(orders) as orders, sum(confirmed) as confirmed, sum(amount) as amount
      from ranked
      group by 1, 2, 3
    ), placed as (
      select *, row_number() over (
        partition by kind, name order by confirmed desc, orders desc, currency
      ) as place
      from shown
    )
    select kind, name, sum(orders)::float as orders,
      coalesce(json_agg(json_build_object('currency', currency, 'amount', amount::text) order by place)
        filter (where currency <> '' and place <= ${currenciesShown}), '[]') as money
    from placed
    group by kind, name
    order by kind = 'named' desc, sum(orders) desc, kind, name`;
}

/** Sums rows of `placed_order` by a part of their landing, in the form that `sumOrigins` needs. */
function piecesOfOrders(sql: Sql, orders: Fragment, touch: TouchChoice, by: OriginPart): Fragment {
  return sql`
    select kind, ${sql(by)} as name, currency, count(*) as orders,
      count(*) filter (where reported_by <> 'browser') as confirmed, sum(amount) as amount
    from (${ordersByOrigin(sql, orders)}) o
    where touch = ${touch}
    group by 1, 2, 3`;
}

/** Selects each row of `placed_order` twice, with its first and with its last touch. */
export function ordersByOrigin(sql: Sql, orders: Fragment): Fragment {
  const landing = sql`landing`;
  return sql`
    select *, case when kind = 'named' then medium_sent else '' end as medium,
      case when kind = 'named' then campaign_sent else '' end as campaign
    from (
      select team_id, created_at, is_test, touch, currency, reported_by, amount, source_sent as source, medium_sent, campaign_sent,
        case when landing is null then 'unknown' when source_sent || medium_sent || campaign_sent = '' then 'direct'
          else 'named' end as kind
      from (${orders}) o
        cross join lateral (
          values ('first', first_touch), ('last', coalesce(last_touch, first_touch))
        ) touched (touch, landing)
        cross join lateral (
          select ${partOf(sql, landing, 'source')} as source_sent,
            ${partOf(sql, landing, 'medium')} as medium_sent, ${partOf(sql, landing, 'campaign')} as campaign_sent
        ) sent
    ) origin`;
}
