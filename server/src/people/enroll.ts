import { createGroupCommit } from '../database/batch/groupCommit.js';
import type { QueueBounds } from '../database/batch/queueBounds.js';
import type { Sql } from '../database/connection/connect.js';
import { statementsOf } from '../database/pools.js';
import { type EnrolledRow, type EnrollmentRow, enrollPeople } from './sql/enrollPeople.js';

/** Enrolls a person of a team that exists in a sequence; resolves after the commit, see `enrollPeople`. */
export type Enroll = (teamId: string, enrollment: EnrollmentRow) => Promise<EnrolledRow>;

/** Collects a team's enrollments; see `createGroupCommit`. */
export function createEnroll(sql: Sql, bounds: QueueBounds): Enroll {
  return createGroupCommit((teamId, rows: EnrollmentRow[]) => enrollPeople(sql, teamId, rows), {
    ...bounds,
    statementsInFlight: statementsOf.enrollments,
  }).submit;
}
