import { Gauge, type Registry } from 'prom-client';
import { isCluster } from '../database/cluster/distributedTables.js';
import { askWorkers } from '../database/cluster/workers.js';
import type { Sql } from '../database/connection/connect.js';
import { shareQuery } from './shareQuery.js';

/** Time that a read waits for the database, and then for its workers, which have a second to answer it. */
const waitMs = 1_000;
const waitForWorkersMs = 2_000;

/**
 * Shows which workers of a cluster answer. Without a cluster there is no series.
 * @returns a function that asks the database, for at most a second, and then its workers, for two; concurrent calls share
 *   one query
 */
export function createNodeGauge(sql: Sql, registry: Registry, prefix: string): () => Promise<void> {
  const up = new Gauge({
    registers: [registry],
    name: `${prefix}database_node_up`,
    help: '1 when this worker of the cluster answered within a second, else 0.',
    labelNames: ['node'],
  });

  async function ask(): Promise<void> {
    const workers = await askWorkers(sql).catch(() => null);
    // The database did not answer: the last known states are shown, and `database_up` is 0.
    if (workers === null) return;
    up.reset();
    for (const { node, isUp } of workers) up.set({ node }, isUp ? 1 : 0);
  }

  const findCluster = shareQuery(() => isCluster(sql).catch(() => false), waitMs);
  const refresh = shareQuery(ask, waitForWorkersMs);
  return async () => {
    if ((await findCluster()) === true) await refresh();
  };
}
