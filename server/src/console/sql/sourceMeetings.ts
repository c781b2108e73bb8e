import type { Sql } from '../../database/connection/connect.js';
import { firstUuid, type Uuid } from '../../values/ids.js';

/** The orders that sources and pages have in common, among the newest that were stored since a source was added. */
export interface SourceMeetingRow {
  sourceId: Uuid;
  /** Orders that a source or a key has reported. */
  bySource: number;
  /** Orders that pages have reported. */
  byPages: number;
  inCommon: number;
  /** Order id of the newest order that no page has reported; null for none. */
  sourceOrderId: string | null;
  /** Order id of the newest order that only pages have reported; null for none. */
  pageOrderId: string | null;
}

/** Orders that are compared. Looking at all of a month's orders would take seconds in a large shop. */
const ordersAtMost = 2_000;

/**
 * Counts for each of a team's sources which orders shop systems and pages have in common, among those that were stored since
 * a time and since the source was added. An order's own time may be long before. Live and test orders never meet.
 */
export function listSourceMeetings(sql: Sql, teamId: Uuid, since: Date) {
  return sql<SourceMeetingRow[]>`/* listSourceMeetings */
    with recent as (
      select id, order_id, is_test, reported_by,
        to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) as stored_at
      from placed_order
      where team_id = ${teamId} and id >= ${firstUuid(since.getTime())}
      order by id desc limit ${ordersAtMost}
    )
    select source.id as "sourceId",
      count(*) filter (where reported_by <> 'browser')::int as "bySource",
      count(*) filter (where reported_by <> 'key')::int as "byPages",
      count(*) filter (where reported_by = 'both')::int as "inCommon",
      (array_agg(order_id order by recent.id desc)
        filter (where order_id is not null and reported_by = 'key'))[1] as "sourceOrderId",
      (array_agg(order_id order by recent.id desc)
        filter (where order_id is not null and reported_by = 'browser'))[1] as "pageOrderId"
    from source
    join recent on stored_at >= source.created_at and recent.is_test = source.is_test
    where source.team_id = ${teamId}
    group by source.id`;
}
