import { createBoundedMap } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { hashKey, isWellFormedKey } from './keys.js';

/** A backend sends the same header each time; checksum and hash showed in the profile of a report. */
const hashes = createBoundedMap<string>(1000);

const bearerMissing =
  'The Authorization header must be "Bearer", a space and the API key: "Authorization: Bearer ob_live_…".';

/** The token of an `Authorization: Bearer …` (RFC 6750, section 2.1); undefined when it is anything else. */
export function readBearer(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/**
 * The SHA-256 of the key that an `Authorization` header carries, null without the header. A header that is no
 * well-formed key is refused: a caller who meant to use a key must never be taken for a browser.
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
