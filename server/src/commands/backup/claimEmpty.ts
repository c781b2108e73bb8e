import type { Sql } from '../../database/connection/connect.js';

/** Counts the connections of other Orderbeacon processes to this database, as far as this user may see them. */
export async function countOthers(sql: Sql): Promise<number> {
  const [row] = await sql<[{ connections: number }]>`/* countOthers */
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and application_name = 'orderbeacon' and pid <> pg_backend_pid()`;
  return row.connections;
}

/** Counts that forbid a restore into a database unless both are 0. */
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
  const [row] = await sql<[{ teams: number }]>`/* countTeams */ select count(*)::int as teams from team`;
  return { ...row, connections: await countOthers(sql) };
}

/** Removes the installation and its secret, so that a restore can insert those of the backup. */
export async function removeInstallation(sql: Sql): Promise<void> {
  await sql`/* removeInstallation */ delete from installation`;
}
