import { Gauge, type Registry } from 'prom-client';
import { askWorkers } from '../database/cluster/workers.js';
import type { Sql } from '../database/connection/connect.js';
import { shareQuery } from './shareQuery.js';

/** Time that a read waits for the workers, which have a second to answer. */
const waitMs = 2_000;

/**
 * Shows which workers of a Citus cluster answer. Without Citus there is no series.
 * @returns asks the workers, for at most two seconds; concurrent calls share one query
 */
export function createNodeGauge(sql: Sql, registry: Registry, prefix: string): () => Promise<unknown> {
  const up = new Gauge({
    registers: [registry],
    name: `${prefix}database_node_up`,
    help: '1 when this worker of the Citus cluster answered the coordinator within a second, else 0.',
    labelNames: ['node'],
  });

  async function ask(): Promise<void> {
    const workers = await askWorkers(sql).catch(() => null);
    // The coordinator did not answer: the last known states are shown, and `database_up` is 0.
    if (workers === null) return;
    up.reset();
    for (const { node, isUp } of workers) up.set({ node }, isUp ? 1 : 0);
  }

  return shareQuery(ask, waitMs);
}
