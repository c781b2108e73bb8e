import type { Sql } from '../database/connect.js';

/** Removes the installation with its secret, for that of a backup to take its place. */
export async function removeInstallation(sql: Sql): Promise<void> {
  await sql`/* removeInstallation */ delete from installation`;
}
