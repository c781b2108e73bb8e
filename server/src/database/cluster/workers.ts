import type { Uuid } from '../../values/ids.js';
import type { Sql } from '../connection/connect.js';
import { isCluster } from './distributedTables.js';

/** A worker of a Citus cluster. */
export interface Worker {
  /** Its name in the cluster, `host:port`. */
  node: string;
  /** True when the coordinator could open a connection to it, and got an answer. */
  isUp: boolean;
}

/** Time that a worker has to answer. A healthy one took 0.1 s on a busy machine. */
const answerMs = 1_000;

/**
 * Asks every active worker of the cluster for an answer, all concurrently, each over a connection of its own: one that is
 * open already would wait for a node that hangs. Takes little more than a second. Resolves with no worker where
 * there is no Citus.
 */
export async function askWorkers(sql: Sql): Promise<Worker[]> {
  if (!(await isCluster(sql))) return [];
  // The setting ends with this statement. The function reads it, because it needs a column of the same row.
  return sql<Worker[]>`/* askWorkers */
    with bound as materialized (
      select 'select 1' as command, set_config('citus.node_connection_timeout', ${String(answerMs)}, true)
    )
    select nodename || ':' || nodeport as node, success as "isUp"
    from bound, run_command_on_workers(command)
    order by 1`;
}

/** Meaning of the workers' answers to an operator. */
export interface WorkersState {
  /** True when all answered. */
  ok: boolean;
  message: string;
  /** The remedy; null if nothing is wrong. */
  fix: string | null;
}

/** Describes to an operator which of a cluster's workers do not answer, and what to do. */
export function describeWorkers(workers: Worker[]): WorkersState {
  const down = workers.filter(({ isUp }) => !isUp).map(({ node }) => node);
  const count = `${workers.length} worker${workers.length === 1 ? '' : 's'} of the Citus cluster`;
  if (down.length === 0) return { ok: true, message: `The coordinator reaches all ${count}.`, fix: null };
  return {
    ok: false,
    message: `The coordinator does not reach ${down.join(', ')}, of ${count}. The teams there get 503, and no team or key can be created.`,
    fix: 'Start PostgreSQL there, or restart it if it hangs. If it runs, try psql from the coordinator to it as the same role: the network, pg_hba.conf or the password file is wrong.',
  };
}

/** The guide to clusters, as an address below `/docs`. */
export const clusterGuide = 'citus';

/** Finds the node that holds the rows of a team, as `host:port`. Null where the tables are not distributed. */
export async function findNodeOf(sql: Sql, teamId: Uuid): Promise<string | null> {
  const [row] = await sql<{ node: string }[]>`/* findNodeOf */
    select nodename || ':' || nodeport as node
    from pg_dist_partition
    join pg_dist_placement on shardid = get_shard_id_for_distribution_column(logicalrelid, ${teamId}::uuid)
    join pg_dist_node using (groupid)
    where logicalrelid = to_regclass('placed_order') and partmethod = 'h' and noderole = 'primary'`;
  return row?.node ?? null;
}
