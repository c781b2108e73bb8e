import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** Lists a team's people by email, without erased people. */
export function listPeople(sql: Sql, teamId: Uuid) {
  return sql<{ id: Uuid; email: string; name: string | null }[]>`/* listPeople */
    select id, email, name from person where team_id = ${teamId} and email is not null order by email`;
}
