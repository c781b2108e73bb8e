import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** A live session with its team. */
export interface ConsoleSessionRow {
  id: Uuid;
  teamName: string;
  isDemo: boolean;
  lastSeenAt: Date;
}

/** Finds a session that has not expired; undefined for any other hash. */
export async function findConsoleSession(
  sql: Sql,
  teamId: Uuid,
  hash: string,
  now: Date,
): Promise<ConsoleSessionRow | undefined> {
  const rows = await sql<ConsoleSessionRow[]>`/* findConsoleSession */
    select s.id, team.name as "teamName", team.is_demo as "isDemo", s.last_seen_at as "lastSeenAt"
    from console_session s join team on team.id = ${teamId}
    where s.team_id = ${teamId} and s.hash = ${hash} and s.expires_at > ${now}`;
  return rows[0];
}
