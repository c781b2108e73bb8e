import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Orders, live and test, among which the last live one is looked for. */
const ordersRead = 10_000;

/** Finds the time of a team's last live order up to a time. Null for none, or where 10,000 test orders came after it. */
export async function findLastOrderAt(sql: Sql, teamId: Uuid, until: Date): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }[]>`/* findLastOrderAt */
    select created_at as "createdAt" from (
      select created_at, is_test from placed_order
      where team_id = ${teamId} and created_at <= ${until}
      order by created_at desc
      limit ${ordersRead}
    ) latest
    where not is_test
    order by created_at desc
    limit 1`;
  return row?.createdAt ?? null;
}

/** Finds the time of a team's first live order after a time. Null for none among the next 10,000 orders. */
export async function findNextOrderAt(sql: Sql, teamId: Uuid, after: Date): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }[]>`/* findNextOrderAt */
    select created_at as "createdAt" from (
      select created_at, is_test from placed_order
      where team_id = ${teamId} and created_at > ${after}
      order by created_at
      limit ${ordersRead}
    ) following
    where not is_test
    order by created_at
    limit 1`;
  return row?.createdAt ?? null;
}

/** Orders of an hour, live and test, that are counted at most. More would say nothing more about a silence. */
const ordersOfHour = 200;

/** Counts a team's live orders in each hour from a time on, among the first 200 of the hour. */
export async function countHours(
  sql: Sql,
  teamId: Uuid,
  { from, hours }: { from: Date; hours: number },
): Promise<number[]> {
  const rows = await sql<{ orders: number }[]>`/* countHours */
    select orders
    from generate_series(0, ${hours}::int - 1) hour cross join lateral (
      select count(*) filter (where not is_test)::int as orders from (
        select is_test from placed_order
        where team_id = ${teamId}
          and created_at >= to_timestamp(${from.getTime() / 1000}::float8 + hour * 3600)
          and created_at < to_timestamp(${from.getTime() / 1000}::float8 + hour * 3600 + 3600)
        limit ${ordersOfHour}
      ) of_hour
    ) counted
    order by hour`;
  return rows.map(({ orders }) => orders);
}
