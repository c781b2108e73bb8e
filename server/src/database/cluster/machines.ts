import { createBoundedMap } from '../../values/boundedMap.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { createGroupCommit, type GroupCommitBounds } from '../batch/groupCommit.js';
import type { Placement } from './placement.js';

/** Knows on which machine of a Citus cluster each team's rows lie. */
export interface Machines {
  /** The machine of a team, where it was looked up. */
  of(team: Uuid): number | undefined;
  /**
   * Looks the machine of a team up once the tables are known to be spread. Gives null when nothing has to be waited
   * for. Rejects with `unavailable` where the coordinator does not answer.
   */
  learn(team: Uuid): Promise<void> | null;
}

/** Some 150 bytes each. */
const remembered = 50_000;
/** A rebalanced cluster has moved teams; until then only the share of a machine is counted wrongly. */
const refreshMs = 10 * 60_000;

/** @param find looks up to 256 teams up at once, in one lane */
export function createMachines(
  { isFoundSpread }: Pick<Placement, 'isFoundSpread'>,
  find: (teams: Uuid[]) => Promise<{ id: Uuid; machine: number }[]>,
  bounds: GroupCommitBounds,
): Machines {
  const known = createBoundedMap<{ machine: number; sinceMs: number }>(remembered);
  const lane = createGroupCommit<Uuid, undefined>(async (_, teams) => {
    const sinceMs = performance.now();
    for (const { id, machine } of await find([...new Set(teams)])) known.set(id, { machine, sinceMs });
    return teams.map(() => undefined);
  }, bounds);

  async function look(team: Uuid): Promise<void> {
    try {
      await lane.submit('team', team);
    } catch (error) {
      // Anything else is a catalog that cannot be read: the team's statements have no share then.
      if (error instanceof ApiError) throw error;
    }
  }

  return {
    of: (team) => known.get(team)?.machine,
    learn(team) {
      if (!isFoundSpread()) return null;
      const found = known.get(team);
      if (!found) return look(team);
      if (performance.now() - found.sinceMs > refreshMs) {
        known.set(team, { ...found, sinceMs: performance.now() });
        void look(team).catch(() => {});
      }
      return null;
    },
  };
}
