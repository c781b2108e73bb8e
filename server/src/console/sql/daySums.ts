import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { insertOriginSums } from './originSums.js';

/** Days in UTC that have sums of their own: from the first one up to before the second. Empty where they are the same. */
export interface DayRange {
  daysFrom: Date;
  daysTo: Date;
}

/** Writes which days have sums of their own. */
export async function updateDayRange(tx: Sql, teamId: Uuid, { daysFrom, daysTo }: DayRange): Promise<void> {
  await tx`/* updateDayRange */
    update order_sum_range set days_from = ${daysFrom}, days_to = ${daysTo} where team_id = ${teamId}`;
}

/** Both ends of the range while there are no days. */
const noDay = new Date('2000-01-01');

/** Removes the sums of all days; their summing begins anew. */
export async function resetDays(tx: Sql, teamId: Uuid): Promise<void> {
  await removeDaySums(tx, teamId);
  await updateDayRange(tx, teamId, { daysFrom: noDay, daysTo: noDay });
}

/** Removes the sums of some days, or of all. */
async function removeDaySums(tx: Sql, teamId: Uuid, days?: readonly Date[]): Promise<void> {
  const meant = tx`
    team_id = ${teamId}
      ${days ? tx`and day in (select value::timestamptz from json_array_elements_text(${JSON.stringify(days)}::text::json))` : tx``}`;
  await tx`/* removeDaySums */ delete from order_day_sum where ${meant}`;
  await tx`/* removeOriginDaySums */ delete from order_origin_day_sum where ${meant}`;
}

/**
 * Adds up some days, from the sums of their quarters of an hour. Each day is grouped by itself, so that PostgreSQL reads its
 * quarters alone, also before it has statistics. It read all quarters for each day, which took 115 s for a year of 100,000 orders.
 */
export async function sumDays(tx: Sql, teamId: Uuid, days: readonly Date[]): Promise<void> {
  await removeDaySums(tx, teamId, days);
  const list = tx`
    select value::timestamptz as day from json_array_elements_text(${JSON.stringify(days)}::text::json)`;
  const ofDay = tx`team_id = ${teamId} and quarter >= day and quarter < day + interval '24 hours'`;
  await tx`/* sumDays */
    insert into order_day_sum (team_id, day, is_test, currency, reported_by, orders, amount)
    select team_id, day, is_test, currency, reported_by, orders, amount
    from (${list}) listed cross join lateral (
      select team_id, is_test, currency, reported_by, sum(orders) as orders, sum(amount) as amount
      from order_sum where ${ofDay}
      group by 1, 2, 3, 4
    ) summed`;
  await insertOriginSums(tx, {
    span: 'day',
    made: tx`
      select team_id, day, is_test, touch, kind, source, medium, campaign, currency, orders, confirmed, amount
      from (${list}) listed cross join lateral (
        select team_id, is_test, touch, kind, source, medium, campaign, currency, sum(orders) as orders,
          sum(confirmed) as confirmed, sum(amount) as amount
        from order_origin_sum where ${ofDay}
        group by 1, 2, 3, 4, 5, 6, 7, 8
      ) summed`,
  });
}
