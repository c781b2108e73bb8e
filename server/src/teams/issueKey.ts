import type { Sql } from '../database/connection/connect.js';
import { newUuid, type Uuid } from '../values/ids.js';
import { hashKey, type KeyMode, newKey } from './keys.js';
import { createKey } from './sql/apiKey.js';

/** New API key of a team. */
export interface IssuedKey {
  id: Uuid;
  /** The key itself. Only its hash is stored, so it cannot be shown again. */
  key: string;
  /** Last four characters, which lists show. */
  lastFour: string;
}

/** Makes an API key and stores its hash. */
export async function issueKey(
  sql: Sql,
  teamId: Uuid,
  { mode, name }: { mode: KeyMode; name: string | null },
): Promise<IssuedKey> {
  const key = newKey(mode);
  const issued = { id: newUuid(), key, lastFour: key.slice(-4) };
  await createKey(sql, { ...issued, teamId, mode, name, hash: hashKey(key) });
  return issued;
}
