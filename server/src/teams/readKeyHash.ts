import { readBearer } from '../http/readBearer.js';
import { createBoundedMap } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { hashKey, isWellFormedKey } from './keys.js';

/** Headers whose hash is cached. A backend sends the same one each time; checksum and hash showed in a report's profile. */
const headersCached = 1_000;
const hashes = createBoundedMap<string>(headersCached);

const bearerMissing =
  'The Authorization header must be "Bearer", a space and the API key: "Authorization: Bearer ob_live_…".';

/**
 * Reads the SHA-256 of the key in an `Authorization` header; null without the header. A header that holds no well-formed
 * key is refused, because a caller who meant to use a key must never be taken for a page.
 * @throws ApiError `invalid_api_key`
 */
export function readKeyHash(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const known = hashes.get(authorization);
  if (known !== undefined) return known;
  const key = readBearer(authorization);
  if (key === undefined) throw new ApiError('invalid_api_key', { message: bearerMissing });
  if (!isWellFormedKey(key)) throw new ApiError('invalid_api_key');
  const keyHash = hashKey(key);
  hashes.set(authorization, keyHash);
  return keyHash;
}
