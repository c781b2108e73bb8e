import type { Failure, Order, Success } from './contract';
import type { FirstResult } from './result';

/**
 * What one try came to. With `retryAfterMs` the report may go again after that time and not before; a refusal
 * without it is final.
 */
export type Outcome = [result: FirstResult, retryAfterMs?: number | undefined];

/** No network, or something else than Orderbeacon has answered. */
export const noAnswer: Outcome = [{ status: 'pending' }];

const hourMs = 3_600_000;

/**
 * Reads an answer. Only Orderbeacon's own counts: a proxy's 404 page, a firewall's 403, the login page of a hotel
 * and the JSON of another program say nothing of the order, whatever their status.
 * @param answer the parsed body
 * @param retryAfter the header of that name
 * @param nowMs for a `Retry-After` that is a date
 */
export function readAnswer(
  status: number,
  answer: unknown,
  retryAfter: string | null,
  nowMs: number,
): Outcome {
  const { data, error, requestId } = answer as Partial<Pick<Success<Order>, 'data'> & Failure>;
  // Other programs answer `{ success: true, data }` too (WordPress does); only an order has a number.
  if (data?.orderNumber) return [{ status: 'delivered', order: data }];
  if (!error?.code || !requestId) return noAnswer;
  // The server has kept these for the merchant; the same again would be refused again.
  if ([400, 409, 413].includes(status)) return [{ status: 'refused', error }];
  // 401 and 403: somebody may allow the domain meanwhile, or mend the proxy that hides the origin.
  if ([401, 403].includes(status)) return [{ status: 'refused', error }, hourMs];
  return [{ status: 'pending' }, readRetryAfter(retryAfter, nowMs)];
}

/** `Retry-After` as seconds or as a date (RFC 9110, 10.2.3), held within 1 s and 1 h; undefined when it is neither. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const ms = +header! * 1000 || Date.parse(header!) - nowMs;
  return Math.max(1000, Math.min(hourMs, ms)) || undefined;
}
