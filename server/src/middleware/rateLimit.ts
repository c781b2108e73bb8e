import type { MiddlewareHandler } from 'hono';
import { clientAddress, clientBucket } from '../clientAddress.js';
import type { AppEnv } from '../context.js';
import { ApiError } from '../errors.js';
import { createRateLimiter } from '../rateLimiter.js';

/**
 * Bounds how many reports without a key one client address may send, with `Retry-After` and the `RateLimit`
 * fields (draft-ietf-httpapi-ratelimit-headers-10). Reports with a key are not counted: whoever holds a key
 * is known, and a shop's backend sends all its orders from one address.
 */
export function rateLimit(requestsPerMinute: number, trustedProxies: number): MiddlewareHandler<AppEnv> {
  const limit = createRateLimiter(requestsPerMinute);
  const policy = `"orders";q=${requestsPerMinute};w=60`;

  return async function rateLimit(c, next) {
    if (c.req.header('authorization') !== undefined) return next();
    const socketAddress = c.env.incoming?.socket.remoteAddress ?? '';
    const address = clientAddress(socketAddress, c.req.header('x-forwarded-for'), trustedProxies);
    const verdict = limit(clientBucket(address));
    c.get('headers')['RateLimit-Policy'] = policy;
    c.get('headers').RateLimit = `"orders";r=${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`;
    if (verdict.isAllowed) return next();
    const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
    throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  };
}
