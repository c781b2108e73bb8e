import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** Finds the team of a live key; undefined for an unknown or revoked key. */
export async function findKey(sql: Sql, keyHash: string): Promise<{ teamId: Uuid } | undefined> {
  const rows = await sql<{ teamId: Uuid }[]>`/* findKey */
    select team_id as "teamId" from api_key where hash = ${keyHash} and revoked_at is null`;
  return rows[0];
}
