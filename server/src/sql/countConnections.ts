import type { Sql } from '../database/connect.js';

/** How many connections are in one state. */
export interface ConnectionCount {
  /** PostgreSQL's own word, such as `active` or `idle in transaction`. */
  state: string;
  connections: number;
}

/** Counts the connections that Orderbeacon processes have to this database, by state. */
export function countConnections(sql: Sql) {
  return sql<ConnectionCount[]>`/* countConnections */
    select coalesce(state, 'unknown') as state, count(*)::int as connections
    from pg_stat_activity
    where datname = current_database() and application_name = 'orderbeacon'
    group by 1
    order by 1`;
}
