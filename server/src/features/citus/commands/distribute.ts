import { UsageError } from '../../../commands/command.js';
import type { Sql } from '../../../database/connection/connect.js';
import { migrationWaits } from '../../../database/migrate.js';
import type { Table } from '../../../database/tables.js';
import { readCitusNode } from '../citusNode.js';
import { isCluster } from '../distributedTables.js';
import { distributeTables } from '../distributeTables.js';

/** Help text of `migrate --distribute`. */
export const distributeHelp =
  'then distribute the tables over a Citus cluster by team; writes wait meanwhile';

/**
 * Distributes the tables of a migrated database over a Citus cluster; see `distributeTables`. @throws UsageError
 * without a cluster
 */
export async function distribute(sql: Sql, notify: (line: string) => void): Promise<Table[]> {
  await requireCluster(sql);
  return distributeTables(sql, { notify, waits: migrationWaits });
}

/** Checks that the database is that of a coordinator with workers. @throws UsageError if it is not */
async function requireCluster(sql: Sql): Promise<void> {
  if (!(await isCluster(sql))) {
    throw new UsageError(
      'This database does not have the extension citus; set DATABASE_URL to the coordinator of a Citus cluster. On each of its nodes a superuser runs in this database: create extension citus.',
    );
  }
  const { isWorker, coordinator, nodes } = await readCitusNode(sql);
  if (isWorker) {
    throw new UsageError(
      `DATABASE_URL leads to a worker of the Citus cluster; set it to the coordinator${coordinator ? `, ${coordinator}` : ''}.`,
    );
  }
  if (nodes === 0) {
    throw new UsageError(
      "This Citus cluster has no worker that could take rows; add each on the coordinator, in this database: select citus_add_node('HOST', 5432).",
    );
  }
}
