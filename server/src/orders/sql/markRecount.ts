import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Those of `order_count`, which begin with the epoch as well. */
const quarterMs = 15 * 60_000;

/**
 * Marks the quarters of an hour in which an order is stored or changed late, so that they are counted anew. In the
 * transaction of the change, and before it commits. An existing mark is written again and not left alone: so
 * whoever removes it waits for this transaction, and counts what it has changed.
 */
export async function markRecount(sql: Sql, teamId: Uuid, times: readonly Date[]): Promise<void> {
  const quarters = [...new Set(times.map((time) => Math.floor(time.getTime() / quarterMs)))].sort(
    (a, b) => a - b,
  );
  const rows = quarters.map((quarter) => ({ team_id: teamId, quarter: new Date(quarter * quarterMs) }));
  await sql`/* markRecount */
    insert into order_count_stale ${sql(rows)}
    on conflict (team_id, quarter) do update set quarter = excluded.quarter`;
}
