import type { Sql } from '../database/connection/connect.js';
import type { KeySender } from '../http/exchange.js';
import { ApiError } from '../values/errors.js';
import { findKeyMode } from './sql/apiKey.js';

/**
 * Finds out if a key is a test key. Asks the database each time, because a key can be revoked at any time.
 * @throws ApiError `invalid_api_key` for a key that was revoked
 */
export async function requireMode(sql: Sql, { teamId, keyHash }: KeySender): Promise<{ isTest: boolean }> {
  const mode = await findKeyMode(sql, teamId, keyHash);
  if (mode === null) throw new ApiError('invalid_api_key');
  return { isTest: mode === 'test' };
}
