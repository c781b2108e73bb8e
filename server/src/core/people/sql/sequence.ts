import type { EnrolledPerson } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../../database/connection/connect.js';
import { encodeId, type Uuid } from '../../../values/ids.js';

/** Lists a team's email sequences, the oldest first, with the number of people enrolled in each. */
export function listSequences(sql: Sql, teamId: Uuid) {
  return sql<{ id: Uuid; name: string; enrolled: number }[]>`/* listSequences */
    select id, name, (
      select count(*)::int from subscription where team_id = ${teamId} and sequence_id = sequence.id
    ) as enrolled
    from sequence where team_id = ${teamId} order by id`;
}

export async function createSequence(
  sql: Sql,
  teamId: Uuid,
  sequence: { id: Uuid; name: string },
): Promise<void> {
  await sql`/* createSequence */
    insert into sequence (team_id, id, name) values (${teamId}, ${sequence.id}, ${sequence.name})`;
}

/** Lists the sequences that a person is enrolled in. */
export function listSubscriptions(sql: Sql, teamId: Uuid, personId: Uuid) {
  return sql<{ id: Uuid; sequenceId: Uuid; sequence: string; createdAt: Date }[]>`/* listSubscriptions */
    select subscription.id, sequence_id as "sequenceId", sequence.name as sequence,
      subscription.created_at as "createdAt"
    from subscription join sequence on sequence.team_id = ${teamId} and sequence.id = sequence_id
    where subscription.team_id = ${teamId} and person_id = ${personId}
    order by subscription.id`;
}

/**
 * Reads an enrollment by the id of its subscription, with the person's email.
 * @returns undefined if it is unknown or its person was erased
 */
export async function readEnrollment(sql: Sql, teamId: Uuid, id: Uuid): Promise<EnrolledPerson | undefined> {
  const [row] = await sql<{ personId: Uuid; sequenceId: Uuid; email: string }[]>`/* readEnrollment */
    select person_id as "personId", sequence_id as "sequenceId", person.email
    from subscription join person on person.team_id = ${teamId} and person.id = person_id
    where subscription.team_id = ${teamId} and subscription.id = ${id} and person.email is not null`;
  return (
    row && {
      enrolled: true,
      subscriptionId: encodeId('sub', id),
      peopleId: encodeId('ppl', row.personId),
      sequenceId: encodeId('seq', row.sequenceId),
      email: row.email,
    }
  );
}
