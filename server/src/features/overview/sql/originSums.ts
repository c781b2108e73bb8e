import type { Span } from '../../../console/parts/range.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { daysOfSpan } from './daySums.js';
import { type OriginPart, piecesOfOrders, sumOrigins, type TouchChoice } from './orderOrigins.js';

/** Selection of the orders whose origins are read. */
export interface OriginSelection {
  span: Span;
  isTest: boolean;
  touch: TouchChoice;
  by: OriginPart;
}

/**
 * Reads the origins of a team's orders: of whole days that are summed from their sums, of all other time from the orders. The
 * offset has each such day's orders looked up by time: a join may read all orders of the team.
 */
export function readOrigins(sql: Sql, teamId: Uuid, { span, isTest, touch, by }: OriginSelection) {
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
  );
}
