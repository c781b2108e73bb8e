import type { Sql } from '../../../../database/connection/connect.js';
import { retryConflicts } from '../../../../database/inTransaction.js';
import { anyOf } from '../../../../database/parameters.js';
import type { Uuid } from '../../../../values/ids.js';

/**
 * Records stored orders that did not come by themselves: their shop was asked, or a person has stored them. They end no silence. One
 * that became a part of another order meanwhile is left out, by the next attempt.
 */
export async function recordFound(sql: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await retryConflicts(
    () => sql`/* recordFound */
    insert into found_order (team_id, placed_order_id)
    select team_id, id from placed_order where team_id = ${teamId} and id = ${anyOf(sql, ids, 'uuid')}
    on conflict do nothing`,
  );
}
