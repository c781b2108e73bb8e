import type { Sql } from '../../database/connection/connect.js';

/** Writes that an API key was used. */
export async function noteKeyUse(sql: Sql, keyHash: string, at: Date): Promise<void> {
  await sql`/* noteKeyUse */ update api_key set last_used_at = ${at} where hash = ${keyHash}`;
}
