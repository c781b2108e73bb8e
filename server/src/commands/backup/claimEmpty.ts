import type { Sql } from '../../database/connection/connect.js';
import { countOthers } from './countOthers.js';

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
  const [row] = await sql<[{ teams: number }]>`/* countTeams */ select count(*)::int as teams from team`;
  return { ...row, connections: await countOthers(sql) };
}
