import type { Sql } from '../../../../database/connection/connect.js';
import { retryConflicts } from '../../../../database/inTransaction.js';
import { anyOf } from '../../../../database/parameters.js';
import type { Uuid } from '../../../../values/ids.js';

/**
 * Records that stored orders were found instead of reported: their shop was asked, or a person stored them. They do not end the
 * silence of a source. An order that was merged concurrently is skipped by the retry.
 */
export async function recordFound(sql: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await retryConflicts(
    () => sql`/* recordFound */
    insert into found_order (team_id, placed_order_id)
    select team_id, id from placed_order where team_id = ${teamId} and id = ${anyOf(sql, ids, 'uuid')}
    on conflict do nothing`,
  );
}
