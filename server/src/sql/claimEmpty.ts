import type { Sql } from '../database/connect.js';

/** What speaks against filling a database. */
export interface Claim {
  /** Other connections of Orderbeacon processes to it, as far as this user may see them. */
  connections: number;
  teams: number;
}

/**
 * Counts what speaks against filling a database, and until the transaction ends keeps others from reading its
 * secret: a server, which reads it as it starts and never again, waits and gets the one that is restored.
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
