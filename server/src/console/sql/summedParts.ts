import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { Span } from '../overview/buckets.js';

/**
 * Divides spans of time into parts whose sums are read: whole days in UTC that have sums of their own, and the quarters of
 * an hour around them. The rows have `bucket` (the span's place in the list), `is_days`, `since` and `until`.
 */
export const summedParts = (sql: Sql, teamId: Uuid, spans: readonly Span[]) => sql`
  with divided as materialized (
    select (place - 1)::int as bucket, since, until,
      greatest(date_bin('1 day', since + interval '23:45', '2000-01-01Z'), days_from) as day_since,
      least(date_bin('1 day', until, '2000-01-01Z'), days_to) as day_until
    from rows from (
      json_to_recordset(${JSON.stringify(spans.map(({ from, to }) => ({ since: from, until: to })))}::text::json)
        as (since timestamptz, until timestamptz)
    ) with ordinality as listed (since, until, place)
    cross join (select days_from, days_to from order_sum_range where team_id = ${teamId}) range
  )
  select bucket, true as is_days, day_since as since, day_until as until from divided where day_since < day_until
  union all
  select bucket, false, since, case when day_since < day_until then day_since else until end from divided
  union all
  select bucket, false, day_until, until from divided where day_since < day_until`;
