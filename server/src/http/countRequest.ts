import { ApiError } from '../values/errors.js';
import type { ClientOf } from './clientAddress.js';
import type { Exchange } from './exchange.js';
import { createRateLimiter } from './rateLimiter.js';

/** Counts a request by its client's address. Throws the ApiError `rate_limited` when it is one too many. */
export type CountRequest = (
  exchange: Pick<Exchange, 'incoming' | 'headers'>,
  kind: 'orders' | 'keys',
) => void;

/**
 * Limits the reports without a key of one client address. Refusals carry `Retry-After`. They, and answers once less than
 * a fifth is left, carry the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10).
 *
 * Requests with a known key are not counted, because a shop's backend sends all its orders from one address. Those with
 * an unknown key are counted apart from reports without one, so that a page that floods does not keep a backend behind
 * the same address from being recognised.
 * @param requestsPerMinute of each of the two kinds, as a burst and then evenly; null for no limit
 */
export function createCountRequest(requestsPerMinute: number | null, clientOf: ClientOf): CountRequest {
  if (requestsPerMinute === null) return () => {};
  const countOne = createRateLimiter(requestsPerMinute);

  return function countRequest({ incoming, headers }, kind) {
    const client = clientOf(incoming);
    const verdict = countOne(kind === 'keys' ? `keys of ${client}` : client);
    // A backend gets no header while it is allowed: its key becomes known, and is then not counted.
    if (verdict.isAllowed && (kind === 'keys' || verdict.remaining >= requestsPerMinute / 5)) return;
    headers['RateLimit-Policy'] = `"${kind}";q=${requestsPerMinute};w=60`;
    headers.RateLimit = `"${kind}";r=${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`;
    if (verdict.isAllowed) return;
    const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
    throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  };
}
