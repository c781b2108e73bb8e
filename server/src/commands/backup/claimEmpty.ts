import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../database/connection/connect.js';

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
      where datname = current_database() and application_name = 'orderbeacon' and pid <> pg_backend_pid()`;
    if (row.connections === 0 || performance.now() - startedMs > endAtMostMs) return row.connections;
    await delay(pollMs);
    // Without it a transaction would see the list of its first look again.
    await sql`/* forgetList */ select pg_stat_clear_snapshot()`;
  }
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
