import type { Context } from 'hono';
import { ApiError } from '../errors.js';
import { clientAddress, clientBucket } from './clientAddress.js';
import type { AppEnv } from './context.js';
import { createRateLimiter } from './rateLimiter.js';

/** Counts a request by its client's address, and throws the ApiError `rate_limited` when it is one too many. */
export type LimitReports = (c: Context<AppEnv>, what: 'orders' | 'keys') => void;

/**
 * Bounds how many reports without a key one client address may send, with `Retry-After` and the `RateLimit`
 * fields (draft-ietf-httpapi-ratelimit-headers-10). Requests with a known key are not counted: whoever holds a key
 * is known, and a shop's backend sends all its orders from one address. Those with an unknown key are counted apart
 * from reports without one: a page that floods does not keep a backend behind the same address from being recognised.
 * @param requestsPerMinute null for any number
 */
export function limitReports(requestsPerMinute: number | null, trustedProxies: number): LimitReports {
  if (requestsPerMinute === null) return () => {};
  const countRequest = createRateLimiter(requestsPerMinute);

  return function limitReports(c, what) {
    const socketAddress = c.env.incoming.socket.remoteAddress ?? '';
    const address = clientAddress(socketAddress, c.req.header('x-forwarded-for'), trustedProxies);
    const bucket = clientBucket(address);
    const verdict = countRequest(what === 'keys' ? `keys of ${bucket}` : bucket);
    // A backend with a key is counted while its key is unknown, which is no limit that it should keep to.
    if (verdict.isAllowed && what === 'keys') return;
    const headers = c.get('headers');
    headers['RateLimit-Policy'] = `"${what}";q=${requestsPerMinute};w=60`;
    headers.RateLimit = `"${what}";r=${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`;
    if (verdict.isAllowed) return;
    const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
    throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  };
}
