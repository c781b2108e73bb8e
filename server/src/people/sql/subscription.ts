import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Finds a subscription of a person who was not erased; undefined for none. */
export async function findSubscription(sql: Sql, teamId: Uuid, id: Uuid) {
  const [row] = await sql<{ personId: Uuid; sequenceId: Uuid; email: string }[]>`/* findSubscription */
    select person_id as "personId", sequence_id as "sequenceId", person.email
    from subscription join person on person.team_id = ${teamId} and person.id = person_id
    where subscription.team_id = ${teamId} and subscription.id = ${id} and person.email is not null`;
  return row;
}
