import { pairRows } from '../../database/pairRows.js';
import { statementsOf } from '../../database/pools.js';
import { createGroupCommit, type QueueBounds } from '../../database/queue.js';
import { createBoundedMap } from '../../values/boundedMap.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';

/** Cache of the teams and keys that exist; looks up what it does not hold. Every look-up may throw `unavailable`. */
export interface SenderCache {
  /** True when this server has seen that the team exists. False says nothing. */
  isKnownTeam(teamId: Uuid): boolean;
  /** Asks the database whether the team exists. */
  isTeam(teamId: Uuid): Promise<boolean>;
  /**
   * Refuses a page that names a team which does not exist. Undefined for a team that this server has seen: then there is
   * nothing to wait for.
   * @throws ApiError `domain_not_allowed`
   */
  requireTeam(teamId: Uuid): Promise<void> | undefined;
  /** Team of a key that this server has seen to be live; the key may have been revoked since. */
  knownTeamOf(keyHash: string): Uuid | undefined;
  /** Asks the database for the team of a key; null when the key is unknown or revoked. */
  teamOf(keyHash: string): Promise<Uuid | null>;
  /** Drops a key that a statement found revoked. */
  forgetKey(keyHash: string): void;
}

/** Look-ups in the database: one row for each key or id, with its team; null where it does not know it. */
export interface SenderLookUps {
  findKeys(hashes: string[]): Promise<{ id: string; teamId: Uuid | null }[]>;
  findTeams(ids: Uuid[]): Promise<{ id: Uuid; teamId: Uuid | null }[]>;
}

/** Teams, and keys, that are cached; some 150 bytes each. The one that was added first is dropped. */
export const cached = 50_000;

/**
 * Caches the teams and keys that exist. Anybody can make up a team id, or a key with a right checksum. One that is not cached
 * is looked up through one queue, up to 256 of a kind in one statement; past the queue's limits the answer is 503. So a flood of
 * made-up ones costs a few statements, and does not delay teams that exist, because those are cached after one look-up. Known
 * keys, which are checked again, are a group of their own in the queue.
 */
export function createSenderCache({ findKeys, findTeams }: SenderLookUps, bounds: QueueBounds): SenderCache {
  const teams = createBoundedMap<true>(cached);
  const teamOfKey = createBoundedMap<Uuid>(cached);
  const find = { team: findTeams, key: findKeys, 'known key': findKeys };
  const queue = createGroupCommit<string, Uuid | null>(
    async (kind, ids) => {
      const rows = await find[kind as keyof typeof find]([...new Set(ids)]);
      return pairRows(ids, rows, ({ id }) => id).map(({ teamId }) => teamId);
    },
    { ...bounds, statementsInFlight: statementsOf.senders },
  );

  const isKnownTeam = (teamId: Uuid) => teams.get(teamId) !== undefined;
  async function isTeam(teamId: Uuid): Promise<boolean> {
    const isThere = (await queue.submit('team', teamId)) !== null;
    if (isThere) teams.set(teamId, true);
    return isThere;
  }

  return {
    isKnownTeam,
    isTeam,
    requireTeam(teamId) {
      if (isKnownTeam(teamId)) return undefined;
      return isTeam(teamId).then((isThere) => {
        if (!isThere) throw new ApiError('domain_not_allowed');
      });
    },
    knownTeamOf: (keyHash) => teamOfKey.get(keyHash),
    async teamOf(keyHash) {
      const teamId = await queue.submit(teamOfKey.get(keyHash) ? 'known key' : 'key', keyHash);
      if (teamId === null) teamOfKey.delete(keyHash);
      else teamOfKey.set(keyHash, teamId);
      return teamId;
    },
    forgetKey: (keyHash) => teamOfKey.delete(keyHash),
  };
}
