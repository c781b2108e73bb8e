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
  await sql`/* markRecount */
    insert into summed_day (team_id, day, is_summed)
    select distinct ${teamId}::uuid, day, false
    from (
      select ${dayOf(sql, teamId, sql`value::timestamptz`)} as day
      from json_array_elements_text(${JSON.stringify(times)}::text::json)
    ) said
    where day < ${closedTo(sql, teamId)}
    order by 2
    on conflict (team_id, day) do update set is_summed = false`;
}

/** Marks the day of an order that is about to change, and the one that its new time gives it, as `markRecount` does. */
export async function markRecountOf(tx: Sql, teamId: Uuid, id: Uuid, newTime: Date): Promise<void> {
  // Two statements, each of which a cluster does on the node of the team. Sent together they cost one round trip.
  await Promise.all([
    tx`/* markRecountOf */
      insert into summed_day (team_id, day, is_summed)
      select team_id, ${dayOf(tx, teamId, tx`created_at`)}, false from placed_order
      where team_id = ${teamId} and id = ${id} and ${dayOf(tx, teamId, tx`created_at`)} < ${closedTo(tx, teamId)}
      on conflict (team_id, day) do update set is_summed = false`,
    markRecount(tx, teamId, [newTime]),
  ]);
}

/** The shop's day of a time, as an expression. */
const dayOf = (sql: Sql, teamId: Uuid, time: Fragment) =>
  sql`(${time} at time zone (select zone from team where team.id = ${teamId}))::date`;

/** The first day that may not be summed yet, as an expression. */
const closedTo = (sql: Sql, teamId: Uuid) => dayOf(sql, teamId, sql`(now() - ${restMs} * interval '1 ms')`);

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
