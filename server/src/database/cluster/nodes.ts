import { createBoundedMap } from '../../values/boundedMap.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { createGroupCommit } from '../batch/groupCommit.js';
import type { GroupCommitBounds } from '../batch/groupCommitBounds.js';
import type { Sql } from '../connection/connect.js';
import type { Placement } from './placement.js';

/** Cache of the Citus node that holds the rows of each team. */
export interface Nodes {
  /** The node of a team, where it is known. */
  of(team: Uuid): number | undefined;
  /**
   * Looks up the node of a team where the tables are distributed. Returns null when there is nothing to wait for.
   * Rejects with `unavailable` when the coordinator does not answer.
   */
  learn(team: Uuid): Promise<void> | null;
}

/** Cached teams, some 150 bytes each. */
const teamsAtMost = 50_000;
/** A rebalanced cluster has moved teams. Until they are looked up again, they count to their former node. */
const refreshMs = 10 * 60_000;

/** Looks up to 256 teams up in one statement, and has one statement in flight. */
export function createNodes(sql: Sql, { isFoundDistributed }: Placement, bounds: GroupCommitBounds): Nodes {
  const cache = createBoundedMap<{ node: number; sinceMs: number }>(teamsAtMost);
  const { submit } = createGroupCommit<Uuid, undefined>(
    async (_, teams) => {
      const sinceMs = performance.now();
      for (const { id, node } of await findNodes(sql, [...new Set(teams)])) cache.set(id, { node, sinceMs });
      return teams.map(() => undefined);
    },
    { ...bounds, statementsInFlight: 1 },
  );

  async function look(team: Uuid): Promise<void> {
    try {
      await submit('team', team);
    } catch (error) {
      // Any other error is a catalog that cannot be read. The team then has no quota.
      if (error instanceof ApiError) throw error;
    }
  }

  return {
    of: (team) => cache.get(team)?.node,
    learn(team) {
      if (!isFoundDistributed()) return null;
      const found = cache.get(team);
      if (!found) return look(team);
      if (performance.now() - found.sinceMs > refreshMs) {
        cache.set(team, { ...found, sinceMs: performance.now() });
        void look(team).catch(() => {});
      }
      return null;
    },
  };
}

/** Finds the node of a Citus cluster that holds the rows of each team. Only the coordinator can answer. */
function findNodes(sql: Sql, teams: Uuid[]) {
  return sql<{ id: Uuid; node: number }[]>`/* findNodes */
    select id, groupid as node from (
      select value::uuid as id, get_shard_id_for_distribution_column('placed_order', value::uuid) as shard
      from json_array_elements_text(${JSON.stringify(teams)}::text::json)
    ) team join pg_dist_placement on shardid = shard`;
}
