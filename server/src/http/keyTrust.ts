import type { Sql } from '../database/connect.js';
import { ApiError } from '../errors.js';
import { hashKey, isWellFormedKey } from '../keys.js';
import { findKey } from '../sql/findKey.js';

/** A backend sends the same header each time; checksum and hash showed in the profile of a report. */
const hashOf = new Map<string, string>();
const hashesRemembered = 1000;

/** The token of an `Authorization: Bearer …` (RFC 6750, section 2.1); undefined when it is anything else. */
export function readBearer(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/**
 * The hash of the key that an `Authorization` header carries, null without the header. A header that is no
 * well-formed key is refused: a caller who meant to use a key must never be taken for a browser.
 * @throws ApiError `invalid_api_key`
 */
export function readKeyHash(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const known = hashOf.get(authorization);
  if (known !== undefined) return known;
  const key = readBearer(authorization);
  if (key === undefined || !isWellFormedKey(key)) throw new ApiError('invalid_api_key');
  const keyHash = hashKey(key);
  if (hashOf.size >= hashesRemembered) hashOf.delete(hashOf.keys().next().value!);
  hashOf.set(authorization, keyHash);
  return keyHash;
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
