import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Finds the live keys among SHA-256 hashes, and the team that each speaks for; unknown and revoked ones have no row. */
export function findKeys(sql: Sql, hashes: string[]) {
  return sql<{ id: string; teamId: Uuid }[]>`/* findKeys */
    select hash as id, team_id as "teamId" from api_key
    where revoked_at is null
      and hash = any(array(select json_array_elements_text(${JSON.stringify(hashes)}::text::json)))`;
}
