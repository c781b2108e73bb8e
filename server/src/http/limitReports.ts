import { rememberResults } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { clientAddress, clientBucket } from './clientAddress.js';
import type { Exchange } from './exchange.js';
import { createRateLimiter } from './rateLimiter.js';

/** Counts a request by its client's address, and throws the ApiError `rate_limited` when it is one too many. */
export type LimitReports = (c: Exchange, what: 'orders' | 'keys') => void;

/** Some 150 bytes each. To normalise an address took 3 % of an order's CPU time. */
const addressesRemembered = 10_000;

/**
 * Bounds how many reports without a key one client address may send, with `Retry-After`; on refusals and once less
 * than a fifth is left, with the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10). Requests with a known key are not counted: whoever holds a key
 * is known, and a shop's backend sends all its orders from one address. Those with an unknown key are counted apart
 * from reports without one: a page that floods does not keep a backend behind the same address from being recognised.
 * @param requestsPerMinute null for any number
 */
export function limitReports(requestsPerMinute: number | null, trustedProxies: number): LimitReports {
  if (requestsPerMinute === null) return () => {};
  const countRequest = createRateLimiter(requestsPerMinute);
  const bucketOf = rememberResults(addressesRemembered, clientBucket);

  return function limitReports(c, what) {
    const socketAddress = c.env.incoming.socket.remoteAddress ?? '';
    const address = clientAddress(socketAddress, c.req.header('x-forwarded-for'), trustedProxies);
    const bucket = bucketOf(address);
    const verdict = countRequest(what === 'keys' ? `keys of ${bucket}` : bucket);
    // Nobody has to slow down yet. A backend with a key is counted while its key is unknown, which is no limit of its own.
    if (verdict.isAllowed && (what === 'keys' || verdict.remaining >= requestsPerMinute / 5)) return;
    const headers = c.get('headers');
    headers['RateLimit-Policy'] = `"${what}";q=${requestsPerMinute};w=60`;
    headers.RateLimit = `"${what}";r=${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`;
    if (verdict.isAllowed) return;
    const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
    throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  };
}
