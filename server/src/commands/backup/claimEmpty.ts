import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../database/connection/connect.js';
import { UsageError } from '../command.js';

/** PostgreSQL lists a connection that was just closed until the connection's process has ended. */
const endAtMostMs = 5_000;
const pollMs = 50;

/**
 * Counts the connections of other Orderbeacon processes to this database that do not end within 5 s, as far as this user may
 * see them.
 */
export async function countOthers(sql: Sql): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const [row] = await sql<[{ connections: number }]>`/* countOthers */
      select count(*)::int as connections from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        -- DATABASE_URL may give another name.
        and application_name in ('orderbeacon', current_setting('application_name'))`;
    if (row.connections === 0 || performance.now() - startedMs > endAtMostMs) return row.connections;
    await delay(pollMs);
    // Without it a transaction would see the list of its first look again.
    await sql`/* forgetList */ select pg_stat_clear_snapshot()`;
  }
}

/**
 * Makes sure that nobody uses the database and that it has no team, and removes the installation and its secret, so that a
 * restore can insert those of the backup. A server reads the secret once, at its start; one that starts during the restore
 * waits for the end of the transaction and then reads the restored secret. Throws `UsageError`.
 */
export async function claimEmpty(tx: Sql): Promise<void> {
  await tx`/* lockInstallation */ lock table installation in access exclusive mode`;
  if ((await countOthers(tx)) > 0)
    throw new UsageError('A server or command has this database open. Stop it first.');
  const [{ teams }] = await tx<[{ teams: number }]>`/* countTeams */ select count(*)::int as teams from team`;
  if (teams > 0)
    throw new UsageError(
      'This database already has a team. Restore into an empty one: set another DATABASE_URL or ORDERBEACON_DATA_DIR.',
    );
  await tx`/* removeInstallation */ delete from installation`;
}
