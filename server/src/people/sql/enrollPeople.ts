import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { type EnrollmentRow, lookedUpEnrollments } from './lookedUpEnrollments.js';

export type { EnrollmentRow };

/** The result of an enrollment; the id of an unknown person or sequence is null. */
export interface EnrolledRow {
  isKeyLive: boolean;
  personId: Uuid | null;
  sequenceId: Uuid | null;
  subscriptionId: Uuid | null;
}

/**
 * Checks keys and enrolls people of one team in one statement, and resolves with one row per request, in the
 * order of the requests. A person who is enrolled already gets the existing subscription. The insert says
 * `do update`, not `do nothing`: of two inserts at once, the second cannot see the first one's row in its
 * snapshot, but an update returns it. Where the tables are spread over a Citus cluster, `enrollPeopleSpread` does the
 * same.
 */
export function enrollPeople(sql: Sql, teamId: Uuid, requests: EnrollmentRow[]) {
  return sql<EnrolledRow[]>`/* enrollPeople */
    with ${lookedUpEnrollments(sql, teamId, requests)}, made as (
      insert into subscription (team_id, id, sequence_id, person_id)
      select distinct on (sequence_id, person_id) ${teamId}::uuid, subscription_id, sequence_id, person_id
      from looked_up
      where is_key_live and person_id is not null and sequence_id is not null and known_id is null
      order by sequence_id, person_id
      on conflict (team_id, sequence_id, person_id) do update set sequence_id = excluded.sequence_id
      returning id, sequence_id, person_id
    )
    select is_key_live as "isKeyLive", person_id as "personId", sequence_id as "sequenceId",
      coalesce(known_id, made.id) as "subscriptionId"
    from looked_up left join made using (sequence_id, person_id)
    order by ordinality`;
}
