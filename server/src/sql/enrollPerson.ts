import type { Uuid } from '../ids.js';
import type { Sql } from './connect.js';

/** What an enrollment found and made; a null id was not there. */
export interface EnrolledRow {
  isKeyLive: boolean;
  personId: Uuid | null;
  sequenceId: Uuid | null;
  subscriptionId: Uuid | null;
}

/**
 * Checks that the key lives and enrolls a person of its team, in one statement. Enrolling again gives the
 * subscription that is there. `do update` instead of `do nothing` in the insert: of two at once, the one
 * that waited cannot see the other's row in its snapshot, but can return it by touching it.
 * @param subscriptionId the id of the subscription if it is new
 */
export async function enrollPerson(
  sql: Sql,
  { teamId, keyHash }: { teamId: Uuid; keyHash: string },
  request: { personId: Uuid; sequenceId: Uuid | null },
  subscriptionId: Uuid,
): Promise<EnrolledRow> {
  const [row] = await sql<[EnrolledRow]>`/* enrollPerson */
    with live as (
      select from api_key where hash = ${keyHash} and revoked_at is null
    ), who as (
      select
        (select id from person where team_id = ${teamId} and id = ${request.personId}) as person_id,
        (select id from sequence where team_id = ${teamId} and id = ${request.sequenceId}) as sequence_id
      from live
    ), known as (
      select id from subscription
      where team_id = ${teamId} and sequence_id = ${request.sequenceId}
        and person_id = (select person_id from who)
    ), made as (
      insert into subscription (team_id, id, sequence_id, person_id)
      select ${teamId}, ${subscriptionId}::uuid, sequence_id, person_id from who
      where person_id is not null and sequence_id is not null and not exists (select from known)
      on conflict (team_id, sequence_id, person_id) do update set sequence_id = excluded.sequence_id
      returning id
    )
    select exists (select from live) as "isKeyLive",
      (select person_id from who) as "personId",
      (select sequence_id from who) as "sequenceId",
      coalesce((select id from known), (select id from made)) as "subscriptionId"`;
  return row;
}
