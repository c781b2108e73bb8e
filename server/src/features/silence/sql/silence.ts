import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/** The last live order of a team, and the orders of other weeks in the time since then. */
export interface SilenceRow {
  lastOrderAt: Date;
  /** The fewest live orders that one of the four weeks before had in the same hours. */
  fewest: number;
}

/** Orders, live and test, among which the last live one is looked for. */
const ordersRead = 10_000;
/** Orders of a week that are counted at most. More would say nothing more about a silence. */
const ordersOfWeek = 1_000;

/**
 * Finds a team's last live order up to now, and counts those of the same hours in each of the four weeks before: the hours
 * since that order, on the shop's clock, and at most three days of them. Undefined without an order, or where 10,000 test
 * orders came after it.
 * @param since the hours begin no sooner, because nobody looked before; null for no such time
 */
export async function findSilence(
  sql: Sql,
  teamId: Uuid,
  { now, since }: { now: Date; since: Date | null },
): Promise<SilenceRow | undefined> {
  const [row] = await sql<SilenceRow[]>`/* findSilence */
    with last as (
      select created_at from (
        select created_at, is_test from placed_order
        where team_id = ${teamId} and created_at <= ${now}
        order by created_at desc
        limit ${ordersRead}
      ) latest
      where not is_test
      order by created_at desc
      limit 1
    ), silence as (
      select created_at as last_at, greatest(created_at, ${since}) as from_at,
        least(${now}::timestamptz, greatest(created_at, ${since}) + interval '3 days') as to_at,
        (select zone from team where id = ${teamId}) as zone
      from last
    )
    select last_at as "lastOrderAt", (
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

/** Finds the time of a team's first live order after a time; null for none. */
export async function findNextOrderAt(sql: Sql, teamId: Uuid, after: Date): Promise<Date | null> {
  const [row] = await sql<[{ at: Date | null }]>`/* findNextOrderAt */
    select min(created_at) as at from placed_order
    where team_id = ${teamId} and created_at > ${after} and not is_test`;
  return row.at;
}
