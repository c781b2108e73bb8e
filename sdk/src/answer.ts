import type { Failure, Order } from './contract';
import type { FirstResult } from './result';

/**
 * The outcome of one try. With `retryAfterMs` the report is sent again after that time, and not earlier. A refusal
 * without it is final.
 */
export type Outcome = [result: FirstResult, retryAfterMs?: number | undefined];

/** Outcome of a try that the network lost, or that something other than Orderbeacon answered. */
export const noAnswer: Outcome = [{ status: 'pending' }];

/**
 * The refusals that are final. `invalid_json` is not one, because the SDK writes valid JSON, so that something on the
 * way has damaged it.
 */
const finalCodes = /^(invalid_r|order_|payload)/;

const hourMs = 3_600_000;

/**
 * Reads an answer. Only Orderbeacon's own answers count. A proxy's 404 page, a firewall's 403, a hotel's login page
 * and the JSON of another program say nothing about the order, whatever their status.
 * @param answer the parsed body
 * @param retryAfter the `Retry-After` header
 */
export function readAnswer(status: number, answer: unknown, retryAfter: string | null): Outcome {
  const { success, data, error, requestId } = answer as Partial<Failure> & { data?: Order };
  // Other programs answer `{ success: true, data }` too (WordPress does); only an order has a number.
  if (data?.orderNumber) return [{ status: 'delivered', order: data }];
  if (success !== false || !error?.code || !requestId) return noAnswer;
  // The server has kept these for the merchant. Sent again, they would be refused again.
  if (finalCodes.test(error.code)) return [{ status: 'refused', error }];
  // The merchant may allow the domain, or fix the proxy that hides the origin.
  if (status === 401 || status === 403) return [{ status: 'refused', error }, hourMs];
  return [{ status: 'pending' }, readRetryAfter(retryAfter)];
}

/** Reads `Retry-After`, which the server gives in seconds, limited to 1 s … 1 h. Undefined if it is none or 0. */
export const readRetryAfter = (header: string | null): number | undefined => {
  const seconds = +header!;
  if (seconds) return Math.max(1000, Math.min(hourMs, 1000 * seconds));
};
