import type { Sql } from '../../../database/connection/connect.js';
import { timeOfUuid, type Uuid } from '../../../values/ids.js';
import { hourMs } from '../../../values/time.js';

/** A day is summed this long after its end at the earliest, so that nearly all orders are in it by then. */
export const summedAfterMs = hourMs;
/** A day that has ended for less is not summed for a while, whatever its orders do. */
const restMs = summedAfterMs / 2;

/** True for a new order that may be stored after its day was summed. Its id has the time of its report, by the same clock. */
export function isStoredLate({ id, createdAt }: { id: Uuid; createdAt: string }): boolean {
  return timeOfUuid(id) >= Date.parse(createdAt) + restMs;
}

/**
 * Marks the days of some times, by the shop's clock and that of the database, as not summed: the console reads their orders
 * until they are summed again. Called for each order that is stored late, changed, erased or removed: in the transaction of a
 * change, and after the commit of a new order. A summing that has begun before the mark is dropped. Days that have not ended
 * are left out.
 */
export async function markRecount(sql: Sql, teamId: Uuid, times: readonly (Date | string)[]): Promise<void> {
  const days = await sql<{ day: string }[]>`/* listClosedDays */
    select distinct (value::timestamptz at time zone zone)::date::text as day
    from team cross join json_array_elements_text(${JSON.stringify(times)}::text::json)
    where id = ${teamId}
      and (value::timestamptz at time zone zone)::date < ((now() - ${restMs} * interval '1 ms') at time zone zone)::date
    order by 1`;
  if (days.length === 0) return;
  const rows = days.map(({ day }) => ({ team_id: teamId, day, is_summed: false }));
  // Values of its own, because a cluster sends no others to the one node of the team.
  await sql`/* markRecount */
    insert into summed_day ${sql(rows)} on conflict (team_id, day) do update set is_summed = false`;
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
