import { Gauge, type Registry } from 'prom-client';
import type { Sql } from '../database/connection/connect.js';
import { late } from '../values/withTimeout.js';
import { shareQuery } from './shareQuery.js';

/** Time that a read waits for the database. A scrape of Prometheus has 10 s. */
const waitMs = 1_000;

/**
 * Adds gauges that show if the database answers, and its connections by state. A read asks the database, for at most a second.
 * Concurrent reads share one query.
 */
export function addDatabaseGauges(sql: Sql, registry: Registry): void {
  const refresh = shareQuery(ask, waitMs);
  const collect = async () => {
    if ((await refresh()) === late) up.set(0);
  };
  const up = new Gauge({
    registers: [registry],
    name: 'orderbeacon_database_up',
    help: '1 when the database answered this very read within a second, else 0.',
    collect,
  });
  const connections = new Gauge({
    registers: [registry],
    name: 'orderbeacon_database_connections',
    help: 'Connections of all Orderbeacon processes to this database, by state.',
    labelNames: ['state'],
    collect,
  });

  async function ask(): Promise<void> {
    const rows = await countConnections(sql).catch(() => null);
    up.set(rows === null ? 0 : 1);
    connections.reset();
    for (const row of rows ?? []) connections.set({ state: row.state }, row.connections);
  }
}

/** Counts the connections of all Orderbeacon processes to this database, by their state in `pg_stat_activity`. */
function countConnections(sql: Sql) {
  return sql<{ state: string; connections: number }[]>`/* countConnections */
    select coalesce(state, 'unknown') as state, count(*)::int as connections
    from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name')
    group by 1
    order by 1`;
}
