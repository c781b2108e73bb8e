import { UsageError } from '../../commands/command.js';
import type { Sql } from '../../database/connection/connect.js';

/**
 * Makes sure that nobody uses the database and that it has no team, and removes the installation and its secret, so that a
 * restore can insert those of the backup. A server reads the secret once, at its start; one that starts during the restore
 * waits for the end of the transaction and then reads the restored secret. Throws `UsageError`.
 */
export async function claimEmpty(tx: Sql): Promise<void> {
  await tx`/* lockInstallation */ lock table installation in access exclusive mode`;
  if (await isOpenElsewhere(tx))
    throw new UsageError('A server or command has this database open. Stop it first.');
  const [{ teams }] = await tx<[{ teams: number }]>`/* countTeams */ select count(*)::int as teams from team`;
  if (teams > 0)
    throw new UsageError(
      'This database already has a team. Restore into an empty one: set another DATABASE_URL or ORDERBEACON_DATA_DIR.',
    );
  await tx`/* removeInstallation */ delete from installation`;
}

/** True when another Orderbeacon process is connected to this database, as far as this user may see its connections. */
async function isOpenElsewhere(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ isOpen: boolean }]>`/* isOpenElsewhere */
    select exists (
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        -- DATABASE_URL may give another name.
        and (application_name ~ '^orderbeacon( [0-9.]+)?$' or application_name = current_setting('application_name'))
    ) as "isOpen"`;
  return row.isOpen;
}
