import type { Sql } from '../../../database/connection/connect.js';
import { firstUuid, type Uuid } from '../../../values/ids.js';

/** A team's last live order that was reported, not found, and the orders of the weeks before in the same hours. */
export interface SilenceRow {
  /** Time at which that order arrived. */
  lastOrderAt: Date;
  /** Number of later live orders that were found: their shop was asked for them, or a person stored them from a file. */
  found: number;
  /** The fewest live orders that one of the four weeks before had in the hours of the silence. */
  fewest: number;
}

/** Orders of both modes among which the last live one is searched. */
const ordersRead = 10_000;
/** Orders of a week that are counted at most. More would not change the result. */
const ordersOfWeek = 1_000;

/** Selects the time at which an order came, from its id. */
const arrivedAt = (sql: Sql) =>
  sql`to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/** Condition for a live order that was reported. It was not found by asking its shop, nor stored from a file. */
const cameByItself = (sql: Sql, teamId: Uuid) => sql`not is_test and not exists (
    select from found_order where team_id = ${teamId} and placed_order_id = placed_order.id
  )`;

/**
 * Finds the last live order of a team that was reported, whatever its date. Counts the orders in the same hours of each of the four
 * weeks before.
 *
 * These are the hours since that order, on the shop's clock, and at most three days. Undefined if no such order is among the newest
 * 10,000 orders of both modes.
 * @param since earliest begin of the hours, because no server watched before; null if the checks never paused
 */
export async function findSilence(
  sql: Sql,
  teamId: Uuid,
  { now, since }: { now: Date; since: Date | null },
): Promise<SilenceRow | undefined> {
  const [row] = await sql<SilenceRow[]>`/* findSilence */
    with last as (
      select id, ${arrivedAt(sql)} as at from (
        select id, is_test from placed_order
        where team_id = ${teamId} and id < ${firstUuid(now.getTime() + 1)}
        order by id desc
        limit ${ordersRead}
      ) placed_order
      where ${cameByItself(sql, teamId)}
      order by id desc
      limit 1
    ), silence as (
      select id as last_id, at as last_at, greatest(at, ${since}) as from_at,
        least(${now}::timestamptz, greatest(at, ${since}) + interval '3 days') as to_at,
        (select zone from team where id = ${teamId}) as zone
      from last
    )
    select last_at as "lastOrderAt", (
      select count(*)::int from found_order join placed_order on placed_order.team_id = ${teamId} and id = placed_order_id
      where found_order.team_id = ${teamId} and placed_order_id > last_id and not is_test
    ) as found, (
      select min(orders)::int from generate_series(1, 4) week cross join lateral (
        select count(*) as orders from (
          select from placed_order
          where team_id = ${teamId} and not is_test
            and created_at > (from_at at time zone zone - week * interval '7 days') at time zone zone
            and created_at <= (to_at at time zone zone - week * interval '7 days') at time zone zone
          limit ${ordersOfWeek}
        ) of_week
      ) counted
    ) as fewest
    from silence`;
  return row;
}

/** Finds the time at which a team's next live order after a time came by itself; null if no such order came. */
export async function findNextOrderAt(sql: Sql, teamId: Uuid, after: Date): Promise<Date | null> {
  const [row] = await sql<{ at: Date }[]>`/* findNextOrderAt */
    select ${arrivedAt(sql)} as at from placed_order
    where team_id = ${teamId} and id >= ${firstUuid(after.getTime() + 1)} and ${cameByItself(sql, teamId)}
    order by id limit 1`;
  return row?.at ?? null;
}
