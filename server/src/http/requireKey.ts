import type { MiddlewareHandler } from 'hono';
import type { Sql } from '../database/connect.js';
import { ApiError } from '../errors.js';
import type { Uuid } from '../ids.js';
import { findKey } from '../sql/findKey.js';
import type { AppEnv } from './context.js';
import { readKeyHash } from './keyTrust.js';

/** Teams of keys that are remembered; past this the oldest is forgotten. */
const keysRemembered = 10_000;

/**
 * Asks for a team's API key and puts its hash and team into `c.get('key')`.
 *
 * Which team a key belongs to never changes, so that is remembered and saves a statement a request. Whether
 * the key still lives does change: the route's own statement must check that, for revocation works at once.
 */
export function requireKey(sql: Sql): MiddlewareHandler<AppEnv> {
  const teamOf = new Map<string, Uuid>();

  return async function requireKey(c, next) {
    const keyHash = readKeyHash(c.req.header('authorization'));
    if (keyHash === null) throw new ApiError('missing_api_key');
    let teamId = teamOf.get(keyHash);
    if (teamId === undefined) {
      const key = await findKey(sql, keyHash);
      if (!key) throw new ApiError('invalid_api_key');
      teamId = key.teamId;
      if (teamOf.size >= keysRemembered) teamOf.delete(teamOf.keys().next().value!);
      teamOf.set(keyHash, teamId);
    }
    c.set('key', { teamId, keyHash });
    return next();
  };
}
