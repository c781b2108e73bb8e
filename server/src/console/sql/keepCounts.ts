import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/**
 * Makes the caller's transaction the only one that counts this team's orders, and reads what is counted.
 * @param start where counting begins when nothing is counted yet
 */
export async function lockCounts(sql: Sql, teamId: Uuid, start: Date): Promise<{ from: Date; to: Date }> {
  await sql`/* lockCounts */
    insert into order_count_range (team_id, from_at, to_at) values (${teamId}, ${start}, ${start})
    on conflict (team_id) do nothing`;
  const [range] = await sql<[{ from: Date; to: Date }]>`/* lockCounts */
    select from_at as "from", to_at as "to" from order_count_range where team_id = ${teamId} for update`;
  return range;
}

/**
 * Counts a span of whole quarters anew. The marks of `markRecount` are removed by a statement before the one that
 * counts: a change that commits between the two is counted and keeps its mark, so none is ever missed. Run it
 * only in a transaction that holds `lockCounts`.
 */
export async function keepCounts(sql: Sql, teamId: Uuid, { from, to }: { from: Date; to: Date }) {
  await sql`/* keepCounts */
    delete from order_count_stale where team_id = ${teamId} and quarter >= ${from} and quarter < ${to}`;
  await sql`/* keepCounts */
    delete from order_count where team_id = ${teamId} and quarter >= ${from} and quarter < ${to}`;
  await sql`/* keepCounts */
    insert into order_count
      (team_id, quarter, is_test, currency, reported_by, host, orders, amount, last_order_at)
    select team_id, date_bin('15 minutes', created_at, '2000-01-01Z'), is_test, currency, reported_by,
      coalesce(host, ''), count(*), sum(amount), max(created_at)
    from placed_order
    where team_id = ${teamId} and created_at >= ${from} and created_at < ${to}
    group by 1, 2, 3, 4, 5, 6`;
}

/** Writes what is counted now. */
export async function updateCountedRange(sql: Sql, teamId: Uuid, { from, to }: { from: Date; to: Date }) {
  await sql`/* updateCountedRange */
    update order_count_range set from_at = ${from}, to_at = ${to} where team_id = ${teamId}`;
}
