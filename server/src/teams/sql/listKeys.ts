import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { KeyMode } from '../keys.js';

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
