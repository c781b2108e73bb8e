import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Lists the sequences that a person is enrolled in. */
export function listSubscriptions(sql: Sql, teamId: Uuid, personId: Uuid) {
  return sql<{ id: Uuid; sequenceId: Uuid; sequence: string; createdAt: Date }[]>`/* listSubscriptions */
    select subscription.id, sequence_id as "sequenceId", sequence.name as sequence,
      subscription.created_at as "createdAt"
    from subscription join sequence on sequence.team_id = ${teamId} and sequence.id = sequence_id
    where subscription.team_id = ${teamId} and person_id = ${personId}
    order by subscription.id`;
}
