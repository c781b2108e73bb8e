import { createKey, revokeKeysOfSource } from '../../../core/teams/sql/apiKey.js';
import { findTeam } from '../../../core/teams/sql/team.js';
import type { Sql } from '../../../database/connection/connect.js';
import { inTransaction } from '../../../database/inTransaction.js';
import { newUuid, type Uuid } from '../../../values/ids.js';
import { providers } from '../providers.js';
import { newSecret, newSourceToken, type ShopSource, sourceKeyHash, sourcesAtMost } from '../source.js';
import { createSource, deleteSource, listSources } from '../sql/source.js';

/** A source that is to be added. */
export type NewSource = Pick<ShopSource, 'kind' | 'isTest' | 'secret'> &
  Partial<Pick<ShopSource, 'orderIdPrefix'>>;

/**
 * Adds a source to a team, with the two keys that vouch for its reports. A provider that takes any secret gets one that is
 * made here, unless one is given. Null when the team has 20 sources already.
 */
export async function addSource(
  sql: Sql,
  teamId: Uuid,
  { orderIdPrefix = '', ...given }: NewSource,
): Promise<ShopSource | null> {
  const secret = given.secret ?? (providers[given.kind].takesAnySecret ? newSecret() : null);
  const made = { ...given, secret, orderIdPrefix, teamId, id: newUuid(), token: newSourceToken() };
  return inTransaction(sql, async (tx) => {
    await findTeam(tx, teamId, { lock: true });
    if ((await listSources(tx, teamId)).length >= sourcesAtMost) return null;
    const source = { ...made, createdAt: await createSource(tx, made) };
    for (const mode of ['live', 'test'] as const) {
      await createKey(tx, {
        id: newUuid(),
        teamId,
        name: `${providers[source.kind].name} source`,
        mode,
        hash: sourceKeyHash(source.token, mode),
        lastFour: source.token.slice(-4),
        sourceId: source.id,
      });
    }
    return source;
  });
}

/** Removes a source and revokes its keys: what it says from then on is refused. False when the team has no such source. */
export function removeSource(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    await revokeKeysOfSource(tx, teamId, id);
    return deleteSource(tx, teamId, id);
  });
}
