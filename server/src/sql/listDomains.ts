import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** Lists the domain entries that a team's browser reports may come from. */
export function listDomains(sql: Sql, teamId: Uuid) {
  return sql<{ domain: string; isTest: boolean }[]>`/* listDomains */
    select entry as domain, is_test as "isTest" from domain where team_id = ${teamId} order by entry`;
}
