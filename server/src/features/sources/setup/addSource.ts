import { createKey, revokeKeysOfSource } from '../../../core/teams/sql/apiKey.js';
import { findTeam } from '../../../core/teams/sql/team.js';
import type { Sql } from '../../../database/connection/connect.js';
import { inTransaction, retryConflicts } from '../../../database/inTransaction.js';
import { newUuid, type Uuid } from '../../../values/ids.js';
import { providers } from '../providers.js';
import { newSecret, newSourceToken, type ShopSource, sourceKeyHash, sourcesAtMost } from '../source.js';
import { createSource, deleteSource, listSources } from '../sql/source.js';

/** A source to add. */
export type NewSource = Pick<ShopSource, 'kind' | 'isTest' | 'secret'> &
  Partial<Pick<ShopSource, 'orderIdPrefix'>>;

/**
 * Adds a source to a team, with the two API keys that authorize its reports. If the provider takes any secret and none
 * is given, makes one. Null if the team has 20 sources already.
 */
export async function addSource(
  sql: Sql,
  teamId: Uuid,
  { orderIdPrefix = '', ...given }: NewSource,
): Promise<ShopSource | null> {
  const secret = given.secret ?? (providers[given.kind].takesAnySecret ? newSecret() : null);
  const made = { ...given, secret, orderIdPrefix, teamId, id: newUuid(), token: newSourceToken() };
  // A cluster copies teams and keys to each node, so two concurrent writers may deadlock, as in `issueKey`.
  return retryConflicts(() =>
    inTransaction(sql, async (tx) => {
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
    }),
  );
}

/** Removes a source and revokes its keys, so that its later events are refused. False if the team has no such source. */
export function removeSource(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  return retryConflicts(() =>
    inTransaction(sql, async (tx) => {
      await revokeKeysOfSource(tx, teamId, id);
      return deleteSource(tx, teamId, id);
    }),
  );
}
