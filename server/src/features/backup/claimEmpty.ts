import { UsageError } from '../../commands/command.js';
import type { Sql } from '../../database/connection/connect.js';

/**
 * Prepares an empty database for a restore. Checks that no other process uses it and that it has no team. Removes the
 * installation and its secret, so that those of the backup can be inserted. A server reads the secret once, at its
 * start. If it starts during the restore, it waits for the end of the transaction, and then reads the restored secret.
 * Throws `UsageError`.
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

/**
 * @returns true if another Orderbeacon process is connected to this database, among the connections that this user may
 * see
 */
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
