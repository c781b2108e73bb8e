import { createGroupCommit } from '../database/batch/groupCommit.js';
import type { GroupCommitBounds } from '../database/batch/groupCommitBounds.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Uuid } from '../values/ids.js';

/** What the server knows of teams and keys without asking, and how it asks. */
export interface SenderCache {
  /** True when the team was seen to exist by this server, and not forgotten for others since. */
  isKnownTeam(teamId: Uuid): boolean;
  /** Whether there is such a team. */
  isTeam(teamId: Uuid): Promise<boolean>;
  /** The team of a key that was seen to be live; it may have been revoked since. */
  knownTeamOf(keyHash: string): Uuid | undefined;
  /** The team of a key that is live now; null for an unknown or revoked one. */
  teamOf(keyHash: string): Promise<Uuid | null>;
  /** Makes a key that turned out to be revoked as unknown as any other. */
  forgetKey(keyHash: string): void;
}

/** What the database says: the team of each key or id that it knows. */
export interface Registers {
  findKeys(hashes: string[]): Promise<{ id: string; teamId: Uuid }[]>;
  findTeams(ids: Uuid[]): Promise<{ id: Uuid; teamId: Uuid }[]>;
}

/** Some 150 bytes each. */
const remembered = 50_000;

/**
 * Tells what exists from what anybody can make up: team ids, and keys with a right checksum. What is not known is
 * asked for in one lane, whose statements look up to 256 of them up at once; past its bounds it answers 503. So a
 * flood of made-up ones costs a few statements, and takes no turn and no room from the teams that exist. Those pass
 * the lane once, and are remembered. Known keys have a turn of their own there, for the check that one is still live.
 */
export function createSenderCache(
  { findKeys, findTeams }: Registers,
  bounds: GroupCommitBounds,
): SenderCache {
  const teams = createBoundedMap<true>(remembered);
  const teamOfKey = createBoundedMap<Uuid>(remembered);
  const find = { team: findTeams, key: findKeys, 'known key': findKeys };
  const lane = createGroupCommit<string, Uuid | null>(async (kind, ids) => {
    const rows = await find[kind as keyof typeof find]([...new Set(ids)]);
    const found = new Map(rows.map(({ id, teamId }) => [id, teamId]));
    return ids.map((id) => found.get(id) ?? null);
  }, bounds);

  return {
    isKnownTeam: (teamId) => teams.get(teamId) !== undefined,
    async isTeam(teamId) {
      const isThere = (await lane.submit('team', teamId)) !== null;
      if (isThere) teams.set(teamId, true);
      return isThere;
    },
    knownTeamOf: (keyHash) => teamOfKey.get(keyHash),
    async teamOf(keyHash) {
      const teamId = await lane.submit(teamOfKey.get(keyHash) ? 'known key' : 'key', keyHash);
      if (teamId === null) teamOfKey.delete(keyHash);
      else teamOfKey.set(keyHash, teamId);
      return teamId;
    },
    forgetKey: (keyHash) => teamOfKey.delete(keyHash),
  };
}
