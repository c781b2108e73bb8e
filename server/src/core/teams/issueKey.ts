import type { Sql } from '../../database/connection/connect.js';
import { inTransaction, retryConflicts } from '../../database/inTransaction.js';
import { ApiError } from '../../values/errors.js';
import { newUuid, type Uuid } from '../../values/ids.js';
import { hashKey, type KeyMode, newKey } from './keys.js';
import { addSilentKey, countLiveKeys, createKey } from './sql/apiKey.js';
import { createSigningKey, findSigningKeys, signingKeysAtMost } from './sql/signingKey.js';
import { findTeam } from './sql/team.js';

/** Most API keys of one team, live and test. Revoked keys and those of sources do not count. */
export const keysAtMost = 100;

export interface IssuedKey {
  id: Uuid;
  /** The key itself. Only its hash is stored, so it cannot be shown again. */
  key: string;
  /** Last four characters, which lists show. */
  lastFour: string;
}

/**
 * Creates an API key and stores its hash.
 * @throws ApiError `invalid_request` if the team has 100 that are not revoked
 */
export async function issueKey(
  sql: Sql,
  teamId: Uuid,
  { mode, name }: { mode: KeyMode; name: string | null },
): Promise<IssuedKey> {
  const key = newKey(mode);
  const issued = { id: newUuid(), key, lastFour: key.slice(-4) };
  // A cluster copies teams and keys to each node, so two transactions that write both can deadlock.
  return retryConflicts(() =>
    inTransaction(sql, async (tx) => {
      await findTeam(tx, teamId, { lock: true });
      if ((await countLiveKeys(tx, teamId)) >= keysAtMost) throw tooMany();
      await createKey(tx, { ...issued, teamId, mode, name, hash: hashKey(key) });
      return issued;
    }),
  );
}

function tooMany(): ApiError {
  const message = `A team can have ${keysAtMost} API keys, live and test together. Revoke one first.`;
  return new ApiError('invalid_request', { message });
}

export interface IssuedSigningKey {
  id: Uuid;
  /** The key itself, `ob_sign_…`. Its bytes are the secret of the HMAC. */
  key: string;
}

/**
 * Creates and stores a signing key.
 * @returns null if the team already has 5 that are not revoked
 */
export async function issueSigningKey(
  sql: Sql,
  teamId: Uuid,
  { isTest, name }: { isTest: boolean; name: string | null },
): Promise<IssuedSigningKey | null> {
  const issued = { id: newUuid(), key: newKey('sign') };
  return inTransaction(sql, async (tx) => {
    await findTeam(tx, teamId, { lock: true });
    if ((await findSigningKeys(tx, teamId)).length >= signingKeysAtMost) return null;
    await createSigningKey(tx, { id: issued.id, teamId, secret: issued.key, name, isTest });
    return issued;
  });
}

/**
 * Resolves with the hash of a team's silent key of a mode, which is created when it is first needed. Orders that an operator or a
 * merchant stores from a file are reported with it. Nobody can send the key, because its hash is that of a text without the form of
 * a key. Lists of keys do not show it. Removing the team revokes it.
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
