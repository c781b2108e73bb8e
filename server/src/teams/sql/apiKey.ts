import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { KeyMode } from '../keys.js';

/** Finds the live keys among SHA-256 hashes, with their teams. Unknown and revoked keys have no row. */
export function findKeys(sql: Sql, hashes: string[]) {
  return sql<{ id: string; teamId: Uuid }[]>`/* findKeys */
    select hash as id, team_id as "teamId" from api_key
    where revoked_at is null
      and hash = any(array(select json_array_elements_text(${JSON.stringify(hashes)}::text::json)))`;
}

/** Lists a team's keys, the oldest first, revoked keys included. */
export function listKeys(sql: Sql, teamId: Uuid) {
  return sql<
    {
      id: Uuid;
      name: string | null;
      mode: KeyMode;
      lastFour: string;
      createdAt: Date;
      /** To the hour. */
      lastUsedAt: Date | null;
      revokedAt: Date | null;
    }[]
  >`/* listKeys */
    select id, name, mode, last_four as "lastFour", created_at as "createdAt", last_used_at as "lastUsedAt",
      revoked_at as "revokedAt"
    from api_key where team_id = ${teamId} order by created_at, id`;
}

/** Stores a new key: its hash and last four characters, never the key. */
export async function createKey(
  sql: Sql,
  key: { id: Uuid; teamId: Uuid; name: string | null; mode: KeyMode; hash: string; lastFour: string },
): Promise<void> {
  await sql`/* createKey */
    insert into api_key (id, team_id, name, mode, hash, last_four)
    values (${key.id}, ${key.teamId}, ${key.name}, ${key.mode}, ${key.hash}, ${key.lastFour})`;
}

/** Records when an API key was last used. */
export async function noteKeyUse(sql: Sql, keyHash: string, at: Date): Promise<void> {
  await sql`/* noteKeyUse */ update api_key set last_used_at = ${at} where hash = ${keyHash}`;
}

/** Revokes a team's key; revoking it again keeps the first time. False when the team has no such key. */
export async function revokeKey(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  // Citus takes no now() in a coalesce.
  const { count } = await sql`/* revokeKey */
    update api_key set revoked_at = coalesce(revoked_at, ${new Date()}) where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}
