import { inPowersOfTwo } from '../../database/batch/inPowersOfTwo.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** A request to enroll a person of a team in a sequence. */
export interface EnrollmentRow {
  /** SHA-256 of the API key of the request. */
  keyHash: string;
  personId: Uuid;
  /** Null when the `sequenceId` of the request is not an id. */
  sequenceId: Uuid | null;
  /** The id that a new subscription gets. */
  subscriptionId: Uuid;
}

/** The result of an enrollment; the id of an unknown person or sequence is null. */
export interface EnrolledRow {
  isKeyLive: boolean;
  personId: Uuid | null;
  sequenceId: Uuid | null;
  subscriptionId: Uuid | null;
}

interface SubscriptionRow {
  id: Uuid;
  sequence_id: Uuid;
  person_id: Uuid;
}

/**
 * Checks keys and enrolls people of one team, and resolves with one row per request, in the order of the requests. A
 * person who is enrolled already gets the existing subscription: then nothing is inserted, and one statement does it.
 * Each statement commits by itself, because the first one changes nothing.
 */
export async function enrollPeople(
  sql: Sql,
  teamId: Uuid,
  requests: EnrollmentRow[],
): Promise<EnrolledRow[]> {
  const found = await lookUpEnrollments(sql, teamId, requests);
  const missing = new Map<string, SubscriptionRow>();
  for (const [at, { isKeyLive, personId, sequenceId, subscriptionId }] of found.entries()) {
    if (!isKeyLive || personId === null || sequenceId === null || subscriptionId !== null) continue;
    const name = `${sequenceId} ${personId}`;
    const row = { id: requests[at]!.subscriptionId, sequence_id: sequenceId, person_id: personId };
    if (!missing.has(name)) missing.set(name, row);
  }
  if (missing.size === 0) return found;

  // Sorted, so that two servers do not wait for each other.
  const rows = [...missing].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const idOf = new Map<string, Uuid>();
  for (const piece of inPowersOfTwo(rows))
    for (const stored of await addSubscriptions(sql, teamId, piece))
      idOf.set(`${stored.sequence_id} ${stored.person_id}`, stored.id);
  return found.map((row) => ({
    ...row,
    subscriptionId: row.subscriptionId ?? idOf.get(`${row.sequenceId} ${row.personId}`) ?? null,
  }));
}

/** Sub-selects, not joins, make PostgreSQL use the primary keys even before it has statistics on the tables. */
function lookUpEnrollments(sql: Sql, teamId: Uuid, requests: EnrollmentRow[]) {
  return sql<EnrolledRow[]>`/* lookUpEnrollments */
    with request as (
      select * from rows from (json_to_recordset(${JSON.stringify(requests)}::text::json) as (
        "keyHash" text, "personId" uuid, "sequenceId" uuid, "subscriptionId" uuid
      )) with ordinality
    ), checked as (
      select ordinality,
        exists (select from api_key where hash = "keyHash" and revoked_at is null) as is_key_live,
        (select id from person where team_id = ${teamId} and id = "personId") as person_id,
        (select id from sequence where team_id = ${teamId} and id = "sequenceId") as sequence_id
      from request
    )
    select is_key_live as "isKeyLive", person_id as "personId", sequence_id as "sequenceId", (
        select id from subscription
        where team_id = ${teamId} and sequence_id = checked.sequence_id and person_id = checked.person_id
      ) as "subscriptionId"
    from checked
    order by ordinality`;
}

/**
 * Adds subscriptions, and resolves with them or with those that were there. `do update`, not `do nothing`: of two
 * concurrent inserts the second one cannot see the first one's row in its snapshot, but an update returns it. The rows
 * are `values`, which Citus routes whole to the team's node.
 */
function addSubscriptions(sql: Sql, teamId: Uuid, rows: SubscriptionRow[]) {
  return sql<SubscriptionRow[]>`/* addSubscriptions */
    insert into subscription ${sql(rows.map((row) => ({ team_id: teamId, ...row })))}
    on conflict (team_id, sequence_id, person_id) do update set sequence_id = excluded.sequence_id
    returning id, sequence_id, person_id`;
}
