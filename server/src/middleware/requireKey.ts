import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../context.js';
import { ApiError } from '../errors.js';
import type { Uuid } from '../ids.js';
import { hashKey, isWellFormedKey } from '../keys.js';
import type { Sql } from '../sql/connect.js';
import { findKey } from '../sql/findKey.js';

/** Teams of keys that are remembered; past this the oldest is forgotten. */
const keysRemembered = 10_000;

/**
 * The hash of the key that an `Authorization` header carries, null without the header. A header that is no
 * well-formed key is refused: a caller who meant to use a key must never be taken for a browser.
 * @throws ApiError `invalid_api_key`
 */
export function readKeyHash(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (key === undefined || !isWellFormedKey(key)) throw new ApiError('invalid_api_key');
  return hashKey(key);
}

/**
 * Runs a request that came with a key. When it is refused and the key no longer lives, that is what the
 * caller is told: a dead key comes before anything that is wrong with the body.
 */
export async function withKey<T>(sql: Sql, keyHash: string, handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500 && error.status !== 401;
    if (isRefusal && !(await findKey(sql, keyHash))) throw new ApiError('invalid_api_key');
    throw error;
  }
}

/**
 * Asks for a team's API key and puts its hash and team into `c.var.key`.
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
