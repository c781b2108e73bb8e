import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Finds those of these ids that are teams. */
export function findTeams(sql: Sql, ids: Uuid[]) {
  return sql<{ id: Uuid; teamId: Uuid }[]>`/* findTeams */
    select id, id as "teamId" from team
    where id = any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json)::uuid))`;
}
