import type { Sql } from '../../../database/connection/connect.js';
import { timeOfUuid, type Uuid } from '../../../values/ids.js';
import { hourMs } from '../../../values/time.js';

/** Time after the end of a day before it is summed, so that nearly all of its orders are stored. */
export const summedAfterMs = hourMs;
/** Time after the end of a day in which its new orders need no mark. The day is first summed at `summedAfterMs`, which is later. */
const restMs = summedAfterMs / 2;

/**
 * @returns true for a new order that may be stored after its day was summed. Its id contains the time of its report, by
 * the same clock.
 */
export function isStoredLate({ id, createdAt }: { id: Uuid; createdAt: string }): boolean {
  return timeOfUuid(id) >= Date.parse(createdAt) + restMs;
}

/**
 * Marks the days of some times as not summed. The console reads their orders until they are summed again.
 *
 * Days are those of the shop's zone and the database's clock. Days that have just ended, or not yet, are left out. Call
 * it for each order that is stored late, changed, erased or removed: in the transaction of a change, and after the
 * commit of a new order. A sum that was begun before the mark is dropped.
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
  // Plain values, because a cluster sends only such a statement to the team's single node.
  await sql`/* markRecount */
    insert into summed_day ${sql(rows)} on conflict (team_id, day) do update set is_summed = false`;
}

/** Removes the sums by origin of some days. They contain data of an erased buyer's landings. */
export async function removeOriginDays(tx: Sql, teamId: Uuid, times: readonly Date[]): Promise<void> {
  await tx`/* removeOriginDays */
    delete from order_origin_day
    where team_id = ${teamId} and day in (
      select (value::timestamptz at time zone (select zone from team where id = ${teamId}))::date
      from json_array_elements_text(${JSON.stringify(times)}::text::json)
    )`;
}

/** Removes the record of a team's summed days, in the transaction that changes its time zone. */
export async function forgetSummedDays(tx: Sql, teamId: Uuid): Promise<void> {
  await tx`/* forgetSummedDays */ delete from summed_day where team_id = ${teamId}`;
}
