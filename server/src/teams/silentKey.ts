import type { Sql } from '../database/connection/connect.js';
import { newUuid, type Uuid } from '../values/ids.js';
import { hashKey, type KeyMode } from './keys.js';
import { addSilentKey } from './sql/apiKey.js';

/**
 * Resolves with the hash of a team's silent key of a mode, which is made when it is first needed. Orders that an operator or
 * a merchant stores from a file are reported with it. Nobody can send it, because its hash is that of a text without the
 * form of a key. Lists of keys do not show it, and removing the team revokes it.
 */
export async function requireSilentKey(
  sql: Sql,
  teamId: Uuid,
  mode: KeyMode,
  secret: string,
): Promise<string> {
  const hash = hashKey(`silent key ${secret} ${teamId} ${mode}`);
  await addSilentKey(sql, { id: newUuid(), teamId, mode, hash });
  return hash;
}
