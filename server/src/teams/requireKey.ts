import type { Exchange } from '../http/exchange.js';
import type { LimitReports } from '../http/limitReports.js';
import { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';
import type { LiveKeys } from './liveKeys.js';
import { readKeyHash } from './readKey.js';

/** Resolves with the key that a request came with; see `createRequireKey`. */
export type RequireKey = (exchange: Exchange) => Promise<{ teamId: Uuid; keyHash: string }>;

/**
 * Makes what asks for a team's API key and puts its hash and team into `get('key')`. The route's own statement checks
 * that the key is live: a revocation works at once. A key that nobody knows counts to its address.
 * @throws ApiError `missing_api_key`, `invalid_api_key`, `rate_limited`
 */
export function createRequireKey(keys: LiveKeys, countRequest: LimitReports): RequireKey {
  return async function requireKey(c) {
    const keyHash = readKeyHash(c.req.header('authorization'));
    if (keyHash === null) throw new ApiError('missing_api_key');
    if (!keys.isKnown(keyHash)) countRequest(c, 'keys');
    const key = { teamId: await keys.requireTeam(keyHash), keyHash };
    c.set('key', key);
    return key;
  };
}
