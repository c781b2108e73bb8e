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

/**
 * The common table expressions `request`, `checked` and `looked_up`: requests of one team with what they name and the
 * subscription that is there. Sub-selects, not joins, make PostgreSQL use the primary keys even before it has
 * statistics on the tables.
 */
export const lookedUpEnrollments = (sql: Sql, teamId: Uuid, requests: EnrollmentRow[]) => sql`
    request as (
      select * from rows from (json_to_recordset(${JSON.stringify(requests)}::text::json) as (
        "keyHash" text, "personId" uuid, "sequenceId" uuid, "subscriptionId" uuid
      )) with ordinality
    ), checked as (
      select ordinality, "subscriptionId" as subscription_id,
        exists (select from api_key where hash = "keyHash" and revoked_at is null) as is_key_live,
        (select id from person where team_id = ${teamId} and id = "personId") as person_id,
        (select id from sequence where team_id = ${teamId} and id = "sequenceId") as sequence_id
      from request
    ), looked_up as (
      select checked.*, (
          select id from subscription
          where team_id = ${teamId} and sequence_id = checked.sequence_id and person_id = checked.person_id
        ) as known_id
      from checked
    )`;
