import type { RequestFacts } from './exchange.js';

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
  method: string;
  route: string;
  status: number;
  /** From the begin of the request to its answer. */
  ms: number;
  requestId: string;
}

/**
 * Makes the one place that writes the log lines of requests. A line never holds an email, a key, a body or a full path,
 * because it may be kept longer than the data it speaks of.
 * @param write writes a line into the log
 * @param count counts the request in the metrics
 */
export function createRecordAnswer(
  write: (line: AnswerLine) => void,
  count: (line: AnswerLine) => void,
): RecordAnswer {
  return function recordAnswer({ method, route, status, startedMs, requestId, facts }) {
    const ms = Math.round((performance.now() - startedMs) * 100) / 100;
    const line = { method, route, status, ms, requestId, ...facts };
    write(line);
    count(line);
  };
}
