import { distributeTables } from '../database/cluster/distributeTables.js';
import { enableCitus, readCitusOffer, readCitusPlace } from '../database/cluster/enableCitus.js';
import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { migrationWaits } from '../database/migrate.js';
import type { Table } from '../database/tables.js';
import { UsageError } from './command.js';

/** Help of `migrate --distribute`. */
export const distributeHelp =
  'then distribute the tables over a Citus cluster by team; writes wait meanwhile';

/**
 * Distributes the tables of a migrated database over a Citus cluster; see `distributeTables`. Throws `UsageError` where
 * there is no cluster.
 */
export async function distribute(sql: Sql, notify: (line: string) => void): Promise<Table[]> {
  await requireCluster(sql);
  return distributeTables(sql, { notify, waits: migrationWaits });
}

/** Creates the extension in a cluster that can be used, and otherwise leaves nothing behind. */
async function requireCluster(sql: Sql): Promise<void> {
  const { isOffered, isLoaded } = await readCitusOffer(sql);
  if (!isOffered) {
    throw new UsageError(
      'This PostgreSQL does not offer the extension citus; set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  if (!isLoaded) {
    throw new UsageError(
      "This PostgreSQL has Citus but does not load it: set shared_preload_libraries = 'citus' in postgresql.conf on every node, restart them, and run this again.",
    );
  }
  await inTransaction(sql, async (tx) => {
    await enableCitus(tx);
    const { isWorker, coordinator, nodes } = await readCitusPlace(tx);
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
  });
}
