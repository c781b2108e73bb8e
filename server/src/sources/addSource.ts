import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { createKey, revokeKeysOfSource } from '../teams/sql/apiKey.js';
import { findTeam } from '../teams/sql/team.js';
import { newUuid, type Uuid } from '../values/ids.js';
import { providers } from './providers.js';
import { newSourceToken, type ShopSource, sourceKeyHash, sourcesAtMost } from './source.js';
import { createSource, deleteSource, listSources } from './sql/source.js';

/** Adds a source to a team, with the two keys that vouch for its reports. Null when the team has 20 sources already. */
export async function addSource(
  sql: Sql,
  teamId: Uuid,
  given: Pick<ShopSource, 'kind' | 'isTest' | 'secret'>,
): Promise<ShopSource | null> {
  const source = { ...given, teamId, id: newUuid(), token: newSourceToken() };
  return inTransaction(sql, async (tx) => {
    await findTeam(tx, teamId, { lock: true });
    if ((await listSources(tx, teamId)).length >= sourcesAtMost) return null;
    await createSource(tx, source);
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
