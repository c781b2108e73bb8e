import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** What is counted of a team's orders. */
export interface CountedRange {
  /** The first counted quarter of an hour. */
  from: Date;
  /** The first quarter that is not counted any more. */
  to: Date;
  /** Quarters between the two in which an order was stored or changed since, as ISO times. */
  stale: string[];
}

/** Reads what is counted; undefined before the first count. */
export async function findCountedRange(sql: Sql, teamId: Uuid): Promise<CountedRange | undefined> {
  const rows = await sql<CountedRange[]>`/* findCountedRange */
    select from_at as "from", to_at as "to", coalesce((
        select json_agg(quarter) from order_count_stale
        where team_id = ${teamId} and quarter >= from_at and quarter < to_at
      ), '[]'::json) as stale
    from order_count_range where team_id = ${teamId}`;
  return rows[0];
}
