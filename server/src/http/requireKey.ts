import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../errors.js';
import type { AppEnv } from './context.js';
import type { LiveKeys } from './liveKeys.js';
import { readKeyHash } from './readKey.js';

/**
 * Asks for a team's API key and puts its hash and team into `c.get('key')`. The route's own statement checks
 * that the key is live: a revocation works at once.
 * @throws ApiError `missing_api_key`, `invalid_api_key`
 */
export function requireKey(keys: LiveKeys): MiddlewareHandler<AppEnv> {
  return async function requireKey(c, next) {
    const keyHash = readKeyHash(c.req.header('authorization'));
    if (keyHash === null) throw new ApiError('missing_api_key');
    c.set('key', { teamId: await keys.requireTeam(keyHash), keyHash });
    return next();
  };
}
