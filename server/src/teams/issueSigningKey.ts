import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { newUuid, type Uuid } from '../values/ids.js';
import { newKey } from './keys.js';
import { createSigningKey, findSigningKeys, signingKeysAtMost } from './sql/signingKey.js';
import { findTeam } from './sql/team.js';

/** New signing key of a team. */
export interface IssuedSigningKey {
  id: Uuid;
  /** The key itself, `ob_sign_…`. Its bytes are the secret of the HMAC. */
  key: string;
}

/** Makes and stores a signing key. Null when the team has 5 live ones already. */
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
