import type { Fragment, Sql } from '../../database/connection/connect.js';
import { firstUuid, type Uuid } from '../../values/ids.js';
import { type DayRange, resetDays } from './daySums.js';
import { addOriginSums, removeOriginSums, removeOriginSumsOf } from './originSums.js';

/** Range of the orders in a team's sums: ids from `fromId` on, and before `toId`. */
export interface SumRange {
  fromId: Uuid;
  toId: Uuid;
}

/** Finds which orders are summed; undefined before the first time. */
export async function findSumRange(sql: Sql, teamId: Uuid): Promise<SumRange | undefined> {
  const rows = await sql<SumRange[]>`/* findSumRange */
    select from_id as "fromId", to_id as "toId" from order_sum_range where team_id = ${teamId}`;
  return rows[0];
}

/** Id that summing begins at when there are no sums yet. It lies long ago, so that summing begins anew. */
const startId = firstUuid(0);

/**
 * Makes the caller's transaction the only one that sums this team's orders, and reads which are summed, and the time of
 * the database.
 */
export async function lockSums(tx: Sql, teamId: Uuid): Promise<SumRange & DayRange & { now: Date }> {
  await tx`/* addSumRange */
    insert into order_sum_range (team_id, from_id, to_id, checked_at)
    values (${teamId}, ${startId}, ${startId}, now())
    on conflict (team_id) do nothing`;
  const [range] = await tx<[SumRange & DayRange & { now: Date }]>`/* lockSumRange */
    select from_id as "fromId", to_id as "toId", days_from as "daysFrom", days_to as "daysTo", now()
    from order_sum_range where team_id = ${teamId} for update`;
  return range;
}

/** Removes a team's sums; summing begins anew at an id. */
export async function resetSums(tx: Sql, teamId: Uuid, startId: Uuid): Promise<void> {
  await tx`/* removeSums */ delete from order_sum where team_id = ${teamId}`;
  await removeOriginSums(tx, teamId);
  await updateSumRange(tx, teamId, { fromId: startId, toId: startId });
  await resetDays(tx, teamId);
}

/** Writes which orders are summed. */
export async function updateSumRange(tx: Sql, teamId: Uuid, { fromId, toId }: SumRange): Promise<void> {
  await tx`/* updateSumRange */
    update order_sum_range set from_id = ${fromId}, to_id = ${toId} where team_id = ${teamId}`;
}

/** Adds the orders with ids from the one up to before the other to the sums. Moved ones are never summed. */
export async function addSums(tx: Sql, teamId: Uuid, { fromId, toId }: SumRange): Promise<void> {
  const orders = tx`
    select * from placed_order
    where team_id = ${teamId} and id >= ${fromId} and id < ${toId} and moved_from is null`;
  await addSumsOf(tx, orders);
}

async function addSumsOf(tx: Sql, orders: Fragment): Promise<void> {
  await tx`/* addSums */
    insert into order_sum
      (team_id, quarter, is_test, currency, reported_by, host, orders, amount, last_order_at)
    select team_id, date_bin('15 minutes', created_at, '2000-01-01Z'), is_test, currency, reported_by,
      coalesce(host, ''), count(*), sum(amount), max(created_at)
    from (${orders}) o
    group by 1, 2, 3, 4, 5, 6
    on conflict (team_id, quarter, is_test, currency, reported_by, host) do update set
      orders = order_sum.orders + excluded.orders, amount = order_sum.amount + excluded.amount,
      last_order_at = greatest(order_sum.last_order_at, excluded.last_order_at)`;
  await addOriginSums(tx, orders);
}

/** Quarters of an hour whose sums may be wrong, and how many orders have changed in them. */
export interface Changes {
  quarters: Date[];
  orders: number;
}

/**
 * Takes the changes of summed orders since the last call, up to a number of orders. A change carries the time of its
 * statement, and commits within 2 minutes: so those of the last 2 minutes before a call are taken by the next one too,
 * which does no harm. Also takes the marks of `markRecount`.
 */
export async function takeChanges(
  tx: Sql,
  teamId: Uuid,
  { fromId, toId }: SumRange,
  atMost: number,
): Promise<Changes> {
  const marks = await tx<{ quarter: Date }[]>`/* takeMarks */
    delete from order_sum_stale where team_id = ${teamId} returning quarter`;
  // With an upper bound PostgreSQL expects few rows, and reads the indexes.
  const isSummedAndNew = tx`
    team_id = ${teamId} and id >= ${fromId} and id < ${toId} and merged_at < 'infinity' and merged_at >= (
      select checked_at - interval '2 minutes' from order_sum_range where team_id = ${teamId}
    )`;
  const changed = await tx<{ quarter: Date; orders: number }[]>`/* findChanges */
    select date_bin('15 minutes', summed_at, '2000-01-01Z') as quarter, count(*)::int as orders
    from (
      select created_at as summed_at from placed_order
      where merged_at - created_at > interval '5 minutes' and ${isSummedAndNew}
      union all
      select moved_from from placed_order where moved_from is not null and ${isSummedAndNew}
      limit ${atMost}
    ) change
    group by 1`;
  await tx`/* noteCheck */ update order_sum_range set checked_at = now() where team_id = ${teamId}`;
  const times = [...marks, ...changed].map(({ quarter }) => quarter.getTime());
  return {
    quarters: [...new Set(times)].map((time) => new Date(time)),
    orders: changed.reduce((sum, { orders }) => sum + orders, 0),
  };
}

/** Sums the orders of some quarters of an hour anew. */
export async function resum(
  tx: Sql,
  teamId: Uuid,
  { fromId, toId }: SumRange,
  quarters: Date[],
): Promise<void> {
  const list = tx`
    select value::timestamptz as quarter from json_array_elements_text(${JSON.stringify(quarters)}::text::json)`;
  const orders = tx`
    select o.* from (${list}) changed cross join lateral (
      select * from placed_order
      where team_id = ${teamId} and created_at >= quarter and created_at < quarter + interval '15 minutes'
        and id >= ${fromId} and id < ${toId} and moved_from is null
    ) o`;
  await tx`/* removeSumsOf */ delete from order_sum where team_id = ${teamId} and quarter in (${list})`;
  await removeOriginSumsOf(tx, teamId, list);
  await addSumsOf(tx, orders);
}

/** Finds the days with sums of their own in which some orders were made, which have just been summed. */
export async function findDaysOf(
  tx: Sql,
  teamId: Uuid,
  { fromId, toId }: SumRange,
  { daysFrom, daysTo }: DayRange,
): Promise<Date[]> {
  const rows = await tx<{ day: Date }[]>`/* findDaysOf */
    select distinct date_bin('1 day', created_at, '2000-01-01Z') as day from placed_order
    where team_id = ${teamId} and id >= ${fromId} and id < ${toId}
      and created_at >= ${daysFrom} and created_at < ${daysTo}`;
  return rows.map(({ day }) => day);
}
