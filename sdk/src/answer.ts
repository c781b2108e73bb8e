import type { Failure, Order } from './contract';
import type { FinalResult } from './result';

/**
 * The outcome of one try. With `retryAfterMs` the report is sent again after that time, and not earlier. A refusal
 * without it is final.
 */
export type Outcome = [retryAfterMs?: number | undefined, result?: FinalResult];

/**
 * The refusals that are final. `invalid_json` is not one, because the SDK writes valid JSON, so that something on the
 * way has damaged it.
 */
const finalCodes = /^(invalid_r|order_|payload)/;

const hourMs = 3_600_000;

/**
 * Reads an answer. Only that of Orderbeacon to this very report counts, and it says so by the report's id. A proxy's 404
 * page, a firewall's 403, a hotel's login page and the JSON of another program say nothing about the order, whatever their
 * status. Nor does an answer to another order, with which a service worker answers from its cache.
 * @param answer the parsed body
 * @param retryAfter the `Retry-After` header
 */
export function readAnswer(
  reportId: string,
  status: number,
  answer: unknown,
  retryAfter: string | null,
): Outcome {
  const { data, error, reportId: about } = Object(answer) as { data?: Order } & Partial<Failure>;
  if (data?.reportId === reportId) return [0, { status: 'delivered', order: data }];
  // The server has kept such a report for the merchant, but one that is too large. Sent again, it would be refused again.
  const isFinal = finalCodes.test(error?.code as string);
  // After a 403 the merchant may allow the domain, or fix the proxy that hides the origin.
  if (error && about === reportId && (isFinal || status === 403)) {
    return [isFinal ? 0 : hourMs, { status: 'refused', error }];
  }
  // A server that is too busy to read a report cannot name it, and neither can a proxy. Both may ask for time.
  return [readRetryAfter(retryAfter)];
}

/** Reads `Retry-After`, which the server gives in seconds, as at most an hour. 0 if it is none, or not above 0. */
export const readRetryAfter = (header: string | null): number =>
  Math.min(hourMs, 1000 * Math.max(0, +header!)) || 0;
