import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Sql } from '../database/connection/connect.js';
import type { Batch, GroupCommitLoad } from '../database/queue.js';
import type { AnswerLine } from '../http/recordAnswer.js';
import { statusOf } from '../values/errors.js';
import { addDatabaseGauges } from './databaseGauges.js';

/** Metrics of one server process. */
export interface Metrics {
  answered(line: AnswerLine): void;
  /** Counts a known order that a report changed. */
  merged(): void;
  batch(batch: Batch): void;
  /** Metrics of features register themselves here. */
  registry: Registry;
  /** Counts a fault of work in the background. */
  fault(work: string): void;
  /** Shows the faults of these works, none so far. */
  watchWork(names: readonly string[]): void;
  /** Shows the load of the queue of orders from now on. */
  watchQueue(load: () => GroupCommitLoad): void;
  /** All metrics in Prometheus' text format, and its content type. */
  read(): Promise<{ text: string; contentType: string }>;
}

const prefix = 'orderbeacon_';

/**
 * Creates the metrics: requests by route and status with their latency (a histogram holds its own count, so one
 * observation is both), orders by mode and reporter, refusals by code, batches, the queue, the database and the process.
 * Each server process has its own; Prometheus adds them up. A label never holds a value that a caller made up, such as a
 * host, because each value would be a series for ever.
 * @param version of this build
 */
export function createMetrics(sql: Sql, version: string): Metrics {
  const registry = new Registry();
  const common = { registers: [registry] };
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    ...common,
    name: `${prefix}request_seconds`,
    help: 'Requests by route and status, and how long their answers took.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  const orders = new Counter({
    ...common,
    name: `${prefix}orders_total`,
    help: 'Order reports stored, new or known already, by mode (live, test) and by who sent this report (browser, key).',
    labelNames: ['outcome', 'mode', 'reported_by'],
  });
  const lastOrder = new Gauge({
    ...common,
    name: `${prefix}last_order_timestamp_seconds`,
    help: 'Unix time of the last order report that was stored, new or known, since this process started.',
    labelNames: ['mode', 'reported_by'],
  });
  // Every series starts at 0, because Prometheus does not see the first increase of one that starts at 1.
  for (const outcome of ['new', 'known'])
    for (const mode of ['live', 'test'])
      for (const reported_by of ['browser', 'key']) orders.inc({ outcome, mode, reported_by }, 0);
  new Gauge({
    ...common,
    name: `${prefix}build_info`,
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
  }).set({ version, node: process.version }, 1);
  const merges = new Counter({
    ...common,
    name: `${prefix}order_merges_total`,
    help: 'Known orders that a later report changed; they are among the known ones of orders_total.',
  });
  const refusals = new Counter({
    ...common,
    name: `${prefix}refusals_total`,
    help: 'Requests refused or failed, by error code.',
    labelNames: ['code'],
  });
  for (const code of Object.keys(statusOf)) refusals.inc({ code }, 0);
  const faults = new Counter({
    ...common,
    name: `${prefix}background_faults_total`,
    help: 'Faults of work in the background, of which each kind is logged once a minute: deliveries to webhooks, checks for silence and refusals, removal of old deliveries.',
    labelNames: ['work'],
  });
  const batchRows = new Histogram({
    ...common,
    name: `${prefix}batch_rows`,
    help: 'Order reports that shared a statement and its commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  });
  const batchWait = new Histogram({
    ...common,
    name: `${prefix}batch_wait_seconds`,
    help: 'How long the oldest report of a batch waited for a free statement.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  });
  addDatabaseGauges(sql, registry, prefix);

  return {
    answered({ route, status, ms, outcome, mode, reportedBy }) {
      requests.observe({ route, status }, ms / 1000);
      if (outcome === undefined) return;
      if (status >= 400) refusals.inc({ code: outcome });
      if (mode === undefined || reportedBy === undefined) return;
      orders.inc({ outcome, mode, reported_by: reportedBy });
      lastOrder.set({ mode, reported_by: reportedBy }, Date.now() / 1000);
    },
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
        name: `${prefix}queue_rows`,
        help: 'Order reports that wait to be stored or are being stored.',
        collect() {
          this.set(load().rows);
        },
      });
      new Gauge({
        ...common,
        name: `${prefix}queue_statements`,
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
