import type { Sql } from '../database/connect.js';

/** Reads the installation's secret, made by the first migration and never changed. */
export async function findSecret(sql: Sql): Promise<string> {
  const [row] = await sql<[{ secret: string }]>`/* findSecret */ select secret from installation`;
  return row.secret;
}
