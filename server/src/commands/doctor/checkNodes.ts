import type { Worker } from '../../database/cluster/workers.js';
import { type Check, fail, pass } from '../../site/checks/check.js';

/** Checks that every worker of a Citus cluster answers. No check where there is none. */
export function checkNodes(workers: Worker[]): Check[] {
  if (workers.length === 0) return [];
  const down = workers.filter(({ isUp }) => !isUp).map(({ node }) => node);
  const count = `${workers.length} worker${workers.length === 1 ? '' : 's'} of the Citus cluster`;
  if (down.length === 0) return [pass('nodes', `The coordinator reaches all ${count}.`)];
  return [
    fail(
      'nodes',
      `The coordinator does not reach ${down.join(', ')}, of ${count}. The teams there get 503, and no team or key can be created.`,
      'Start PostgreSQL there, or restart it if it hangs. If it runs, try psql from the coordinator to it as the same role: the network, pg_hba.conf or the password file is wrong.',
    ),
  ];
}
