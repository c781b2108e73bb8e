import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts an order report that was stored. */
export type CountOrder = (outcome: string, mode: 'live' | 'test', reportedBy: 'browser' | 'key') => void;

const outcomes = ['new', 'known'];
const modes = ['live', 'test'] as const;
const reporters = ['browser', 'key'] as const;

/**
 * Counts stored order reports by outcome, mode and reporter, with the time of the last one. The numbers are kept here and
 * given to prom-client when the metrics are read, because it sorts and joins the labels with each change of a series.
 */
export function createOrderCounts(registry: Registry, prefix: string): CountOrder {
  // Every series starts at 0, because Prometheus does not see the first increase of one that starts at 1.
  const series = new Map(
    outcomes.flatMap((outcome) =>
      modes.flatMap((mode) =>
        reporters.map((reported_by) => [
          `${outcome} ${mode} ${reported_by}`,
          { outcome, mode, reported_by, orders: 0, lastMs: 0 },
        ]),
      ),
    ),
  );
  new Counter({
    registers: [registry],
    name: `${prefix}orders_total`,
    help: 'Order reports stored, new or known already, by mode (live, test) and by who sent this report (browser, key).',
    labelNames: ['outcome', 'mode', 'reported_by'],
    collect() {
      this.reset();
      for (const { orders, lastMs, ...labels } of series.values()) this.inc(labels, orders);
    },
  });
  new Gauge({
    registers: [registry],
    name: `${prefix}last_order_timestamp_seconds`,
    help: 'Unix time of the last order report that was stored, new or known, since this process started.',
    labelNames: ['mode', 'reported_by'],
    collect() {
      const byTime = [...series.values()].sort((a, b) => a.lastMs - b.lastMs);
      for (const { mode, reported_by, lastMs } of byTime) {
        if (lastMs > 0) this.set({ mode, reported_by }, lastMs / 1000);
      }
    },
  });

  return function countOrder(outcome, mode, reportedBy) {
    const counted = series.get(`${outcome} ${mode} ${reportedBy}`);
    if (counted === undefined) return;
    counted.orders++;
    counted.lastMs = Date.now();
  };
}
