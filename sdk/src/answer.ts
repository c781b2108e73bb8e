import type { Failure, Order } from './contract';
import type { FinalResult } from './result';

/**
 * The outcome of one try. `retryAfterMs` is the time before which the report is not sent again. A refusal without it is
 * final.
 */
export type Outcome = [retryAfterMs?: number | undefined, result?: FinalResult];

/**
 * The error codes of final refusals. `invalid_json` is not among them: the SDK writes valid JSON, so something on the way
 * has damaged it.
 */
const finalCodes = /^(invalid_r|order_|payload)/;

const hourMs = 3_600_000;

/**
 * Reads the answer to a report. It counts only if it names the `reportId`, as every answer of Orderbeacon does. Others say
 * nothing about the order, whatever their status: a proxy's 404 page, a firewall's 403, a hotel's login page, the JSON of
 * another program, or the answer to another order, which a service worker had cached.
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
  // Sent again, the report would be refused again. The server has stored it for the merchant, unless it was too large.
  const isFinal = finalCodes.test(error?.code as string);
  // After a 403 the merchant may allow the domain, or fix the proxy that hides the origin.
  if (error && about === reportId && (isFinal || status === 403)) {
    return [isFinal ? 0 : hourMs, { status: 'refused', error }];
  }
  // A proxy cannot name the report, and neither can a server that is too busy to read it. Both may ask for time.
  return [readRetryAfter(retryAfter)];
}

/** Reads `Retry-After`, which the server gives in seconds. @returns milliseconds, at most an hour; 0 if missing or invalid */
export const readRetryAfter = (header: string | null): number =>
  Math.min(hourMs, 1000 * Math.max(0, +header!)) || 0;
