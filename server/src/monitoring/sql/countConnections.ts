import type { Sql } from '../../database/connection/connect.js';

/** The number of connections in one state. */
export interface ConnectionCount {
  /** A state of `pg_stat_activity`, such as `active` or `idle in transaction`. */
  state: string;
  connections: number;
}

/** Counts the connections of all Orderbeacon processes to this database, by state. */
export function countConnections(sql: Sql) {
  return sql<ConnectionCount[]>`/* countConnections */
    select coalesce(state, 'unknown') as state, count(*)::int as connections
    from pg_stat_activity
    where datname = current_database() and application_name = 'orderbeacon'
    group by 1
    order by 1`;
}
