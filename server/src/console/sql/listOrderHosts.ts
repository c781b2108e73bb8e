import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { isNotSummed } from './isNotSummed.js';

/** The orders that the pages of one host have reported lately. */
export interface OrderHostRow {
  /** Empty for orders that only keys have reported. */
  host: string;
  orders: number;
  lastOrderAt: Date;
}

/** Lists the hosts of a team's live or test orders since a time, the latest order first. See `countOrders`. */
export function listOrderHosts(sql: Sql, teamId: Uuid, { since, isTest }: { since: Date; isTest: boolean }) {
  return sql<OrderHostRow[]>`/* listOrderHosts */
    with piece as (
      select host, orders, last_order_at from order_sum
      where team_id = ${teamId} and quarter >= ${since} and is_test = ${isTest}
      union all
      select coalesce(host, ''), count(*), max(created_at) from placed_order
      where ${isNotSummed(sql, teamId, since)} and is_test = ${isTest}
      group by 1
    )
    select host, sum(orders)::float as orders, max(last_order_at) as "lastOrderAt"
    from piece
    group by host
    order by 3 desc
    limit 100`;
}
