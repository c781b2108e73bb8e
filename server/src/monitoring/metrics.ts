import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Sql } from '../database/connection/connect.js';
import type { Batch, GroupCommitLoad } from '../database/queue.js';
import { addDatabaseGauges } from './databaseGauges.js';

/** Metrics of one server process. */
export interface Metrics {
  /** Counts a known order that a report changed. */
  merged(): void;
  batch(batch: Batch): void;
  /** The registry, to which metrics of answers and of features are added. */
  registry: Registry;
  /** Counts a fault of background work. */
  fault(work: string): void;
  /** Makes the metric show 0 faults for these background works until one occurs. */
  watchWork(names: readonly string[]): void;
  /** Shows the load of the queue of orders from now on. */
  watchQueue(load: () => GroupCommitLoad): void;
  /** Reads all metrics in Prometheus' text format, with its content type. */
  read(): Promise<{ text: string; contentType: string }>;
}

/**
 * Creates the metrics: merges, faults, batches, the queue, the database and the process. Metrics of answered requests and of
 * features are added by others. Each server process has its own metrics; Prometheus adds them up. A label never contains a value
 * that a caller made up, such as a host, because each value would be a series forever.
 * @param version of this build
 */
export function createMetrics(sql: Sql, version: string): Metrics {
  const registry = new Registry();
  const common = { registers: [registry] };
  collectDefaultMetrics({ register: registry });

  new Gauge({
    ...common,
    name: 'orderbeacon_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
  }).set({ version, node: process.version }, 1);
  const merges = new Counter({
    ...common,
    name: 'orderbeacon_order_merges_total',
    help: 'Known orders that a later report changed; they are among the known ones of orders_total.',
  });
  const faults = new Counter({
    ...common,
    name: 'orderbeacon_background_faults_total',
    help: 'Faults of work that no request waits for, by its name. Each kind is logged once a minute.',
    labelNames: ['work'],
  });
  const batchRows = new Histogram({
    ...common,
    name: 'orderbeacon_batch_rows',
    help: 'Order reports that shared a statement and its commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  });
  const batchWait = new Histogram({
    ...common,
    name: 'orderbeacon_batch_wait_seconds',
    help: 'How long the oldest report of a batch waited for a free statement.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  });
  addDatabaseGauges(sql, registry);

  return {
    merged: () => merges.inc(),
    registry,
    fault: (work) => faults.inc({ work }),
    watchWork(names) {
      for (const work of names) faults.inc({ work }, 0);
    },
    batch({ rows, waitedMs }) {
      batchRows.observe(rows);
      batchWait.observe(waitedMs / 1000);
    },
    watchQueue(load) {
      new Gauge({
        ...common,
        name: 'orderbeacon_queue_rows',
        help: 'Order reports that wait to be stored or are being stored.',
        collect() {
          this.set(load().rows);
        },
      });
      new Gauge({
        ...common,
        name: 'orderbeacon_queue_statements',
        help: 'Statements in flight that store order reports.',
        collect() {
          this.set(load().statements);
        },
      });
    },
    async read() {
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}
