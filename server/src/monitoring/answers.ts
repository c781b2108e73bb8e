import pino, { type Logger } from 'pino';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RecordAnswer } from '../http/exchange.js';
import { statusOf } from '../values/errors.js';
import { isoTime, minuteMs } from '../values/time.js';

/**
 * Creates the recorder of answered requests. Each request has a line in the log, and is counted in the metrics. A line never
 * contains an email, a key, a body or a full path, because it may be kept longer than the data it is about.
 */
export function createRecordAnswer(log: Logger, registry: Registry): RecordAnswer {
  const write = createAnswerLog(log);
  const count = createAnswerMetrics(registry);
  return function recordAnswer(line) {
    write(line);
    count(line);
  };
}

/** Most lines per minute about requests that anybody can make up: refused ones, and those without a team. */
const madeUpLines = 1_000;

/**
 * Creates the writer of log lines about answered requests. The lines are like those of the log's `info`, at half of the cost,
 * because pino checks the type of each value. It writes at most 1,000 lines a minute about requests that anybody can make up, and
 * then the number of the others, because a flood would fill the disk of the database.
 * @param nowMs default: `performance.now`
 */
export function createAnswerLog(log: Logger, nowMs: () => number = () => performance.now()): RecordAnswer {
  let minute = { endsMs: 0, lines: 0 };
  const { [pino.symbols.streamSym]: output } = log as unknown as Record<symbol, pino.DestinationStream>;
  return function writeAnswer(line) {
    if (!log.isLevelEnabled('info')) return;
    if (line.team === undefined || line.status >= 400) {
      if (nowMs() >= minute.endsMs) {
        if (minute.lines > madeUpLines) log.info({ requestsWithoutLine: minute.lines - madeUpLines });
        minute = { endsMs: nowMs() + minuteMs, lines: 0 };
      }
      minute.lines++;
      if (minute.lines > madeUpLines) return;
    }
    output!.write(`{"level":30,"time":"${isoTime(Date.now())}",${JSON.stringify(line).slice(1)}\n`);
  };
}

/**
 * Creates the metrics of answered requests, and returns the function that counts a request. The metrics are requests by route and
 * status with their latency, orders by mode and reporter, and refusals by code. The latency is a histogram, which includes the
 * number of requests.
 */
function createAnswerMetrics(registry: Registry): RecordAnswer {
  const common = { registers: [registry] };
  const requests = new Histogram({
    ...common,
    name: 'orderbeacon_request_seconds',
    help: 'Requests by route and status, and how long their answers took.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  const orders = new Counter({
    ...common,
    name: 'orderbeacon_orders_total',
    help: 'Order reports stored, new or known already, by mode (live, test) and by who sent this report (browser, key).',
    labelNames: ['outcome', 'mode', 'reported_by'],
  });
  const lastOrder = new Gauge({
    ...common,
    name: 'orderbeacon_last_order_timestamp_seconds',
    help: 'Unix time of the last order report that was stored, new or known, since this process started.',
    labelNames: ['mode', 'reported_by'],
  });
  // Every series starts at 0, because Prometheus does not see the first increase of one that starts at 1.
  for (const outcome of ['new', 'known'])
    for (const mode of ['live', 'test'])
      for (const reported_by of ['browser', 'key']) orders.inc({ outcome, mode, reported_by }, 0);
  const refusals = new Counter({
    ...common,
    name: 'orderbeacon_refusals_total',
    help: 'Requests refused or failed, by error code.',
    labelNames: ['code'],
  });
  for (const code of Object.keys(statusOf)) refusals.inc({ code }, 0);

  return function countAnswer({ route, status, ms, outcome, mode, reportedBy }) {
    requests.observe({ route, status }, ms / 1000);
    if (outcome === undefined) return;
    if (status >= 400) refusals.inc({ code: outcome });
    if (mode === undefined || reportedBy === undefined) return;
    orders.inc({ outcome, mode, reported_by: reportedBy });
    lastOrder.set({ mode, reported_by: reportedBy }, Date.now() / 1000);
  };
}
