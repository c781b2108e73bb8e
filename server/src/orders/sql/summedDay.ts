import type { Fragment, Sql } from '../../database/connection/connect.js';
import { firstUuid, type Uuid } from '../../values/ids.js';
import { hourMs } from '../../values/timeUnits.js';

/** A day is summed this long after its end at the earliest, so that nearly all orders are in it by then. */
export const summedAfterMs = hourMs;
/** A day that has ended for less is not summed for a while, whatever its orders do. */
const restMs = summedAfterMs / 2;

/** True for a new order that may be stored after its day was summed. Its id has the time of its report, by the same clock. */
export function isStoredLate({ id, createdAt }: { id: Uuid; createdAt: string }): boolean {
  return id >= firstUuid(Date.parse(createdAt) + restMs);
}

/**
 * Marks the days of some times, by the shop's clock and that of the database, as not summed: the console reads their orders
 * until they are summed again. Called for each order that is stored late, changed, erased or removed: in the transaction of a
 * change, and after the commit of a new order. A summing that has begun before the mark is dropped. Days that have not ended
 * are left out.
 */
export async function markRecount(sql: Sql, teamId: Uuid, times: readonly (Date | string)[]): Promise<void> {
  const said = JSON.stringify(times);
  await markDays(
    sql,
    teamId,
    sql`select value::timestamptz as at from json_array_elements_text(${said}::text::json)`,
  );
}

/** Marks the day of an order that is about to change, and the one that its new time gives it, as `markRecount` does. */
export async function markRecountOf(tx: Sql, teamId: Uuid, id: Uuid, newTime: Date): Promise<void> {
  await markDays(
    tx,
    teamId,
    tx`select changed.at from placed_order cross join lateral (values (created_at), (${newTime}::timestamptz)) changed (at)
      where team_id = ${teamId} and id = ${id}`,
  );
}

async function markDays(sql: Sql, teamId: Uuid, times: Fragment): Promise<void> {
  await sql`/* markDays */
    insert into summed_day (team_id, day, is_summed)
    select distinct ${teamId}::uuid, day, false
    from (
      select (at at time zone (select zone from team where id = ${teamId}))::date as day from (${times}) said
    ) marked
    where day < ((now() - ${restMs} * interval '1 ms') at time zone (select zone from team where id = ${teamId}))::date
    order by 2
    on conflict (team_id, day) do update set is_summed = false`;
}

/** Removes the sums by origin of the days of some times, which hold what the landings of an erased buyer said. */
export async function removeOriginDays(tx: Sql, teamId: Uuid, times: readonly Date[]): Promise<void> {
  await tx`/* removeOriginDays */
    delete from order_origin_day
    where team_id = ${teamId} and day in (
      select (value::timestamptz at time zone (select zone from team where id = ${teamId}))::date
      from json_array_elements_text(${JSON.stringify(times)}::text::json)
    )`;
}

/** Forgets which days of a team were summed, in the transaction that gives it another time zone. */
export async function forgetSummedDays(tx: Sql, teamId: Uuid): Promise<void> {
  await tx`/* forgetSummedDays */ delete from summed_day where team_id = ${teamId}`;
}
