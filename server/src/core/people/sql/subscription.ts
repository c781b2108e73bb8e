import type { EnrolledPerson } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../../database/connection/connect.js';
import { encodeId, type Uuid } from '../../../values/ids.js';

/** Reads an enrollment, with the email of its person, by the id of the subscription. Undefined for one of an erased person. */
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
