import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Lists a team's email sequences, the oldest first, with the number of people enrolled in each. */
export function listSequences(sql: Sql, teamId: Uuid) {
  return sql<{ id: Uuid; name: string; enrolled: number }[]>`/* listSequences */
    select id, name, (
      select count(*)::int from subscription where team_id = ${teamId} and sequence_id = sequence.id
    ) as enrolled
    from sequence where team_id = ${teamId} order by id`;
}
