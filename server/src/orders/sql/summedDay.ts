import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { hourMs } from '../../values/timeUnits.js';

/** A day is summed this long after its end at the earliest, so that nearly all orders are in it by then. */
export const summedAfterMs = hourMs;
/** The clocks of servers differ by less. */
const clocksApartMs = summedAfterMs / 2;

/**
 * Marks the days of some times, by the shop's clock, as not summed: the console reads their orders until they are summed
 * again. Called for each order that is stored late, changed, erased or removed: in the transaction of a change, and after the
 * commit of a new order. A concurrent summing of the day waits for the mark, or the mark for the summing. Times of the last
 * half hour cost nothing, because their days are not summed yet.
 */
export async function markRecount(sql: Sql, teamId: Uuid, times: readonly Date[]): Promise<void> {
  const newestMs = Date.now() - clocksApartMs;
  const closed = times.filter((time) => time.getTime() < newestMs);
  if (closed.length === 0) return;
  await sql`/* markRecount */
    insert into summed_day (team_id, day, is_summed)
    select distinct ${teamId}::uuid, (value::timestamptz at time zone (select zone from team where id = ${teamId}))::date, false
    from json_array_elements_text(${JSON.stringify(closed)}::text::json)
    order by 2
    on conflict (team_id, day) do update set is_summed = false`;
}

/**
 * Marks the day of an order that is about to change, as `markRecount` does: a report may give it another time. Costs a look-up
 * by the order's id where the order is of the last half hour.
 */
export async function markRecountOf(tx: Sql, teamId: Uuid, id: Uuid): Promise<void> {
  await tx`/* markRecountOf */
    insert into summed_day (team_id, day, is_summed)
    select team_id, (created_at at time zone (select zone from team where team.id = ${teamId}))::date, false
    from placed_order
    where team_id = ${teamId} and id = ${id} and created_at < now() - ${clocksApartMs} * interval '1 ms'
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
