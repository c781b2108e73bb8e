import type { Sql } from '../database/connect.js';

/** True when this PostgreSQL can create the extension Citus or has created it. */
export async function isCitusOffered(sql: Sql): Promise<boolean> {
  const rows = await sql`/* isCitusOffered */ select from pg_available_extensions where name = 'citus'`;
  return rows.length > 0;
}
