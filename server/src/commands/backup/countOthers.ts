import type { Sql } from '../../database/connection/connect.js';

/** Counts the connections of other Orderbeacon processes to this database, as far as this user may see them. */
export async function countOthers(sql: Sql): Promise<number> {
  const [row] = await sql<[{ connections: number }]>`/* countOthers */
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and application_name = 'orderbeacon' and pid <> pg_backend_pid()`;
  return row.connections;
}
