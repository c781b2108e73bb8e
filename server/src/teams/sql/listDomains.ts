import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Lists a team's allowed domain entries. */
export function listDomains(sql: Sql, teamId: Uuid) {
  return sql<{ domain: string; isTest: boolean }[]>`/* listDomains */
    select entry as domain, is_test as "isTest" from domain where team_id = ${teamId} order by entry`;
}
