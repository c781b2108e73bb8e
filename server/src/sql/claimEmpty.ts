import type { Sql } from '../database/connect.js';

/** What would forbid a restore into a database: both counts must be 0. */
export interface Claim {
  /** Other connections of Orderbeacon processes, as far as this user may see them. */
  connections: number;
  teams: number;
}

/**
 * Counts teams and connections, and locks the installation's secret until the transaction ends. A server reads
 * the secret once, at its start; one that starts during the restore waits and then reads the restored secret.
 */
export async function claimEmpty(sql: Sql): Promise<Claim> {
  await sql`/* lockInstallation */ lock table installation in access exclusive mode`;
  const [claim] = await sql<[Claim]>`/* claimEmpty */
    select (select count(*)::int from team) as teams,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = 'orderbeacon' and pid <> pg_backend_pid()
      ) as connections`;
  return claim;
}
