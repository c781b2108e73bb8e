import type { Sql } from './connection/connect.js';

/** Reads the installation's secret. The first migration makes it; only a restore replaces it. */
export async function findSecret(sql: Sql): Promise<string> {
  const [row] = await sql<[{ secret: string }]>`/* findSecret */ select secret from installation`;
  return row.secret;
}
