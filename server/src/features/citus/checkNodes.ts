import { type CheckPart, fail, pass } from '../../commands/check.js';
import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import { isDistributed } from './distributedTables.js';

/** Checks that each worker of a cluster answers the coordinator. */
export const nodeChecks: CheckPart = {
  async checks({ sql }) {
    if (!sql || !(await isDistributed(sql))) return [];
    const workers = await askWorkers(sql);
    const silent = workers.filter(({ answers }) => !answers).map(({ name }) => name);
    if (silent.length === 0) return [pass('nodes', `All ${workers.length} workers answer.`)];
    return [
      fail(
        'nodes',
        `${silent.length} of ${workers.length} workers ${silent.length === 1 ? 'does' : 'do'} not answer: ${silent.join(', ')}.`,
        'Start PostgreSQL there, or restart it. Until then reports of its teams get 503, and their webhooks wait.',
      ),
    ];
  },
};

/** Asks each worker on a new connection, for a second. A worker that hangs accepts the connection, but does not answer. */
function askWorkers(sql: Sql): Promise<{ name: string; answers: boolean }[]> {
  return inTransaction(sql, async (tx) => {
    await tx`/* limitConnecting */ set local citus.node_connection_timeout = 1000`;
    return tx<{ name: string; answers: boolean }[]>`/* askWorkers */
      select nodename || ':' || nodeport as name, success as answers from run_command_on_workers('select 1') order by 1`;
  });
}
