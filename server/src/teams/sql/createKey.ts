import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { KeyMode } from '../keys.js';

/** Stores a new key: its hash and last four letters, never the key. */
export async function createKey(
  sql: Sql,
  key: { id: Uuid; teamId: Uuid; name: string | null; mode: KeyMode; hash: string; lastFour: string },
): Promise<void> {
  await sql`/* createKey */
    insert into api_key (id, team_id, name, mode, hash, last_four)
    values (${key.id}, ${key.teamId}, ${key.name}, ${key.mode}, ${key.hash}, ${key.lastFour})`;
}
