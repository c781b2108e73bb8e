import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../errors.js';
import type { AppEnv } from './context.js';
import type { LimitReports } from './limitReports.js';
import type { LiveKeys } from './liveKeys.js';
import { readKeyHash } from './readKey.js';

/**
 * Asks for a team's API key and puts its hash and team into `c.get('key')`. The route's own statement checks
 * that the key is live: a revocation works at once. A key that nobody knows counts to its address.
 * @throws ApiError `missing_api_key`, `invalid_api_key`, `rate_limited`
 */
export function requireKey(keys: LiveKeys, countRequest: LimitReports): MiddlewareHandler<AppEnv> {
  return async function requireKey(c, next) {
    const keyHash = readKeyHash(c.req.header('authorization'));
    if (keyHash === null) throw new ApiError('missing_api_key');
    if (!keys.isKnown(keyHash)) countRequest(c, 'keys');
    c.set('key', { teamId: await keys.requireTeam(keyHash), keyHash });
    return next();
  };
}
