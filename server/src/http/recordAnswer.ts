import type { RequestFacts } from './exchange.js';

interface AnsweredRequest {
  method: string;
  /** The route's pattern, never the path, which can hold anything. */
  route: string;
  status: number;
  requestId: string;
}

/**
 * Writes the log line of an answered request, and counts it. `startedMs` is `performance.now()` when the request began.
 */
export type RecordAnswer = (answered: AnsweredRequest & { startedMs: number; facts: RequestFacts }) => void;

/** Line of an answered request, in the log and for the metrics. */
export interface AnswerLine extends AnsweredRequest, RequestFacts {
  /** From the begin of the request to its answer. */
  ms: number;
}

/**
 * Creates the recorder of answered requests. A line never holds an email, a key, a body or a full path,
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
