import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { ApiError } from '../values/errors.js';
import { newUuid, type Uuid } from '../values/ids.js';
import { hashKey, type KeyMode, newKey } from './keys.js';
import { countLiveKeys, createKey } from './sql/apiKey.js';
import { findTeam } from './sql/team.js';

/** Live API keys of one team, those of sources left out. */
export const keysAtMost = 100;

/** New API key of a team. */
export interface IssuedKey {
  id: Uuid;
  /** The key itself. Only its hash is stored, so it cannot be shown again. */
  key: string;
  /** Last four characters, which lists show. */
  lastFour: string;
}

/**
 * Makes an API key and stores its hash.
 * @throws ApiError `invalid_request` when the team has 100 live ones
 */
export async function issueKey(
  sql: Sql,
  teamId: Uuid,
  { mode, name }: { mode: KeyMode; name: string | null },
): Promise<IssuedKey> {
  const key = newKey(mode);
  const issued = { id: newUuid(), key, lastFour: key.slice(-4) };
  return inTransaction(sql, async (tx) => {
    await findTeam(tx, teamId, { lock: true });
    if ((await countLiveKeys(tx, teamId)) >= keysAtMost) throw tooMany();
    await createKey(tx, { ...issued, teamId, mode, name, hash: hashKey(key) });
    return issued;
  });
}

function tooMany(): ApiError {
  const message = `A team can have ${keysAtMost} live API keys. Revoke one first.`;
  return new ApiError('invalid_request', { message });
}
