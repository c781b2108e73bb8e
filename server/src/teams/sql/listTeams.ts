import type { Sql } from '../../database/connection/connect.js';
import type { TeamRow } from './findTeam.js';

/** Lists every team, the oldest first. */
export function listTeams(sql: Sql) {
  return sql<TeamRow[]>`/* listTeams */
    select id, name, storefront_url as "storefrontUrl" from team order by created_at, id`;
}
