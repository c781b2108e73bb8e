import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/**
 * The condition for a team's orders since a time that its sums do not hold: those with later ids, and those that were
 * moved, whose ids do not say when they were made. In one statement with the sums, so that no order is in both. With
 * upper bounds PostgreSQL expects few rows, and reads the indexes.
 */
export const isNotSummed = (sql: Sql, teamId: Uuid, since: Date) => sql`
  team_id = ${teamId} and created_at >= ${since} and (
    id >= (select to_id from order_sum_range where team_id = ${teamId})
      and id < 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    or moved_from is not null and merged_at >= ${since} and merged_at < 'infinity'
  )`;
