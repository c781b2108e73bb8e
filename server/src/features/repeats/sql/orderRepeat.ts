import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';

/** A page's report of a known order. */
export interface Repeat {
  orderId: Uuid;
  visitorId: string | null;
  /** Two bytes that stand for the page's browser, as a number. */
  browser: number;
}

/** Browsers of one order that are counted separately at most. */
const browsersAtMost = 100;

/** Counts a page's report of a known order, unless it has the order's own visitor. */
export async function countRepeat(
  sql: Sql,
  teamId: Uuid,
  { orderId, visitorId, browser }: Repeat,
): Promise<void> {
  await sql`/* countRepeat */
    insert into order_repeat (team_id, placed_order_id, reports, browsers, last_at)
    select team_id, id, 1, array[${browser}::smallint], now() from placed_order
    where team_id = ${teamId} and id = ${orderId} and (visitor_id is null or visitor_id is distinct from ${visitorId})
    on conflict (team_id, placed_order_id) do update set
      reports = order_repeat.reports + 1, last_at = excluded.last_at,
      browsers = case
        when order_repeat.browsers @> excluded.browsers or cardinality(order_repeat.browsers) >= ${browsersAtMost}
        then order_repeat.browsers else order_repeat.browsers || excluded.browsers
      end`;
}

/** An order that other browsers have reported, too. */
export interface RepeatedOrder {
  id: Uuid;
  orderId: string | null;
  orderNumber: string;
  /** Number of reports from other browsers than the order's first one. */
  reports: number;
  /** Number of browsers that reported the order, including the first one if it is known. There may have been more. */
  browsers: number;
  lastAt: Date;
}

/**
 * Selects the orders that more than one browser has reported. `browsers` includes the first browser if it is known, which it is by
 * its visitor.
 */
const repeatedOrders = (sql: Sql, teamId: Uuid) => sql`
  select id, order_id as "orderId", order_number as "orderNumber", reports,
    cardinality(browsers) + (visitor_id is not null)::int as browsers, last_at as "lastAt"
  from order_repeat join placed_order on placed_order.team_id = ${teamId} and id = placed_order_id
  where order_repeat.team_id = ${teamId}`;

/** Finds the number of browsers that reported an order; undefined if only its own browser has. */
export async function findRepeat(sql: Sql, teamId: Uuid, id: Uuid): Promise<RepeatedOrder | undefined> {
  const [row] = await sql<RepeatedOrder[]>`/* findRepeat */
    ${repeatedOrders(sql, teamId)} and placed_order_id = ${id}`;
  return row;
}

/** Number of browsers from which on a page may report a constant order. Two may be a buyer's two devices. */
export const suspiciousBrowsers = 3;

/**
 * Finds an order of a mode that at least `suspiciousBrowsers` browsers have reported, one of them in the last seven days. If there
 * are several such orders, it is the one that was reported last.
 */
export async function findConstantOrder(
  sql: Sql,
  teamId: Uuid,
  isTest: boolean,
): Promise<RepeatedOrder | undefined> {
  const [row] = await sql<RepeatedOrder[]>`/* findConstantOrder */
    ${repeatedOrders(sql, teamId)} and is_test = ${isTest} and cardinality(browsers) >= 2
      and cardinality(browsers) + (visitor_id is not null)::int >= ${suspiciousBrowsers} and last_at > now() - interval '7 days'
    order by last_at desc limit 1`;
  return row;
}

/** Removes the record of the browsers of orders. */
export async function removeRepeats(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx`/* removeRepeats */
    delete from order_repeat where team_id = ${teamId} and placed_order_id = ${anyOf(tx, ids, 'uuid')}`;
}
