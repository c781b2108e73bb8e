import type { Sql } from '../database/connect.js';

/** Creates the extension Citus unless it exists. The database user must be allowed to, usually as superuser. */
export async function enableCitus(sql: Sql): Promise<void> {
  await sql`/* enableCitus */ create extension if not exists citus`;
}
