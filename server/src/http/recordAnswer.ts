import type { RequestFacts } from './exchange.js';

/** Log that lines are written to, such as pino's. */
export interface Log {
  info(line: object): void;
  error(line: object): void;
}

/** Answered request. */
export interface AnsweredRequest {
  method: string;
  /** The route's pattern, never the path, which can hold anything. */
  route: string;
  status: number;
  /** `performance.now()` when the request began. */
  startedMs: number;
  requestId: string;
  facts: RequestFacts;
}

/** Writes the log line of an answered request, and counts it. */
export type RecordAnswer = (answered: AnsweredRequest) => void;

/** Line of an answered request, in the log and for the metrics. */
export interface AnswerLine extends RequestFacts {
  method?: string;
  route: string;
  status: number;
  /** From the begin of the request to its answer. */
  ms: number;
  requestId?: string;
}

/**
 * Makes the one place that writes the log lines of requests. A line never holds an email, a key, a body or a full path,
 * because it may be kept longer than the data it speaks of.
 * @param count counts the request in the metrics
 */
export function createRecordAnswer(log: Log, count: (line: AnswerLine) => void): RecordAnswer {
  return function recordAnswer({ method, route, status, startedMs, requestId, facts }) {
    const ms = Math.round((performance.now() - startedMs) * 100) / 100;
    const line = { method, route, status, ms, requestId, ...facts };
    log.info(line);
    count(line);
  };
}
