import type { Enrollment, EnrollmentRequest } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import type { Sql } from '../../database/connection/connect.js';
import { statementsOf } from '../../database/pools.js';
import { createGroupCommit, type QueueBounds } from '../../database/queue.js';
import { type Handle, success } from '../../http/exchange.js';
import { readJson } from '../../http/readBody.js';
import { emailSchema, isMadeUpEmail } from '../../values/email.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId, newUuid, personUuid } from '../../values/ids.js';
import { describeIssues } from '../../values/issues.js';
import { limits } from '../../values/limits.js';
import { text } from '../../values/text.js';
import type { Listeners } from '../listener.js';
import type { RecordKeyUse } from '../teams/recordKeyUse.js';
import type { IdentifySender } from '../teams/senders.js';
import { type EnrolledRow, type EnrollmentRow, enrollPeople } from './sql/enrollPeople.js';

/** The body of an enrollment. Unknown fields are ignored. */
export const enrollmentSchema = z.object(
  {
    email: emailSchema.meta({ description: 'A person who exists in the team already, in any case.' }),
    sequenceId: text(limits.id, { isRequired: true }).meta({ description: 'The email sequence, `seq_…`.' }),
  },
  { error: 'must be a JSON object' },
) satisfies z.ZodType<EnrollmentRequest>;

const types = ['application/json'];

/** Enrolls a person in a sequence, and resolves after the commit. The team must exist. See `enrollPeople`. */
export type Enroll = (teamId: string, enrollment: EnrollmentRow) => Promise<EnrolledRow>;

/** Creates the function that collects a team's enrollments into statements. See `createGroupCommit`. */
export function createEnroll(sql: Sql, bounds: QueueBounds, listeners: Listeners): Enroll {
  return createGroupCommit((teamId, rows: EnrollmentRow[]) => enrollPeople(sql, teamId, rows, listeners), {
    ...bounds,
    statementsInFlight: statementsOf.enrollments,
  }).submit;
}

export interface PostEnrollmentDeps {
  /** The installation's secret, from which people's ids are derived. */
  secret: string;
  requireKey: IdentifySender['requireKey'];
  enroll: Enroll;
  recordKeyUse: RecordKeyUse;
}

/**
 * `POST /svc-api/v1/sequences/enroll` (contract, section 4.2), with an API key. Enrolling a person again answers with the same
 * subscription.
 */
export function postEnrollment({ secret, requireKey, enroll, recordKeyUse }: PostEnrollmentDeps): Handle {
  return async function postEnrollment(exchange) {
    const { teamId, keyHash } = await requireKey(exchange); // 401, 429
    const body = await readJson(exchange.incoming, types); // 400, 413, 415
    const { email, sequenceId } = parseEnrollment(body.value); // 400
    if (isMadeUpEmail(email)) throw new ApiError('person_not_found');
    const enrolled = await enroll(teamId, {
      keyHash,
      personId: personUuid(secret, teamId, email),
      sequenceId: decodeId('seq', sequenceId),
      subscriptionId: newUuid(),
    }); // 503; after the commit
    if (!enrolled.isKeyLive) throw new ApiError('invalid_api_key');
    recordKeyUse(keyHash);
    if (enrolled.personId === null) throw new ApiError('person_not_found');
    if (enrolled.subscriptionId === null) throw new ApiError('sequence_not_found');
    const data: Enrollment = {
      enrolled: true,
      subscriptionId: encodeId('sub', enrolled.subscriptionId),
      peopleId: encodeId('ppl', enrolled.personId),
      sequenceId,
    };
    return { status: 200, body: success(data) };
  };
}

function parseEnrollment(body: unknown): EnrollmentRequest {
  const parsed = enrollmentSchema.safeParse(body);
  if (!parsed.success) throw new ApiError('invalid_request', describeIssues(parsed.error));
  return parsed.data;
}
