import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/**
 * Marks the quarters of an hour in which an order is stored or changed late, so that they are counted anew. In the
 * transaction of the change, and before it commits. An existing mark is written again and not left alone: so
 * whoever removes it waits for this transaction, and counts what it has changed.
 */
export async function markRecount(sql: Sql, teamId: Uuid, times: readonly Date[]): Promise<void> {
  await sql`/* markRecount */
    insert into order_count_stale (team_id, quarter)
    select distinct ${teamId}::uuid, date_bin('15 minutes', value::timestamptz, '2000-01-01Z') as quarter
    from json_array_elements_text(${JSON.stringify(times)}::text::json)
    order by quarter
    on conflict (team_id, quarter) do update set quarter = excluded.quarter`;
}
