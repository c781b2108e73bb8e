import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Lists a team's sessions that have not expired, the newest first. */
export function listConsoleSessions(sql: Sql, teamId: Uuid, now: Date) {
  return sql<{ id: Uuid; createdAt: Date; lastSeenAt: Date; expiresAt: Date }[]>`/* listConsoleSessions */
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from console_session
    where team_id = ${teamId} and expires_at > ${now}
    order by created_at desc, id desc`;
}
