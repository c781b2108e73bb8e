import type { Sql } from '../../database/connection/connect.js';

/** Removes the installation and its secret, so that a restore can insert those of the backup. */
export async function removeInstallation(sql: Sql): Promise<void> {
  await sql`/* removeInstallation */ delete from installation`;
}
