import type { Sql } from '../../../database/connection/connect.js';
import { firstUuid, type Uuid } from '../../../values/ids.js';

/** Counts of the orders that a source and pages have in common, among the newest since the source was added. */
export interface SourceMeetingRow {
  sourceId: Uuid;
  /** Orders that a source or an API key has reported. */
  bySource: number;
  /** Orders that pages have reported. */
  byPages: number;
  inCommon: number;
  /**
   * Set if a source has reported one order and a page another one, with the same buyer, amount and currency. A single order that
   * its source reports days later is no sign that the ids differ.
   */
  hasTwins: boolean;
  /**
   * Order ids of the newest two orders that are such twins: `sourceOrderId` is the source's, `pageOrderId` is the page's. Null
   * without twins.
   */
  sourceOrderId: string | null;
  pageOrderId: string | null;
}

/** Orders that are compared. All orders of a month would take seconds in a large shop. */
const ordersAtMost = 2_000;

/**
 * Counts, for each source of a team, the orders that shop systems and pages have in common. It reads the
 * team's newest 2,000 orders since a time, and counts those that were stored since the source was added. The order's
 * own time does not matter, because it may be long before. Live and test orders are never compared.
 */
export function listSourceMeetings(sql: Sql, teamId: Uuid, since: Date) {
  return sql<SourceMeetingRow[]>`/* listSourceMeetings */
    with recent as (
      select id, order_id, is_test, reported_by, person_id, amount, currency,
        to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) as stored_at
      from placed_order
      where team_id = ${teamId} and id >= ${firstUuid(since.getTime())}
      order by id desc limit ${ordersAtMost}
    )
    select source.id as "sourceId",
      count(*) filter (where reported_by <> 'browser')::int as "bySource",
      count(*) filter (where reported_by <> 'key')::int as "byPages",
      count(*) filter (where reported_by = 'both')::int as "inCommon",
      twins.id is not null as "hasTwins", twins.source_order as "sourceOrderId", twins.page_order as "pageOrderId"
    from source
    join recent on stored_at >= source.created_at and recent.is_test = source.is_test
    left join lateral (
      select told.id, told.order_id as source_order, reported.order_id as page_order
      from recent told join recent reported using (person_id, amount, currency, is_test)
      where told.reported_by = 'key' and reported.reported_by = 'browser' and is_test = source.is_test
        and least(told.stored_at, reported.stored_at) >= source.created_at
      order by told.id desc limit 1
    ) twins on true
    where source.team_id = ${teamId}
    group by source.id, twins.id, twins.source_order, twins.page_order`;
}
