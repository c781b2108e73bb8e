import type { Enrollment } from '@orderbeacon/sdk/contract';
import type { Handler } from 'hono';
import type { Sql } from '../database/connect.js';
import { ApiError } from '../errors.js';
import type { AppEnv } from '../http/context.js';
import { withKey } from '../http/keyTrust.js';
import { readJson } from '../http/readJson.js';
import { replyData } from '../http/reply.js';
import { decodeId, encodeId, newUuid, personUuid, type Uuid } from '../ids.js';
import { enrollmentSchema } from '../schemas/enrollment.js';
import { describeIssues } from '../schemas/issues.js';
import { limits } from '../schemas/order.js';
import type { EnrolledRow, EnrollmentRequest } from '../sql/enrollPeople.js';

/** Enrolls a person of a team; resolves after the commit. */
export type Enroll = (teamId: Uuid, request: EnrollmentRequest) => Promise<EnrolledRow>;

/** What the enrollment route needs. */
export interface PostEnrollmentDeps {
  sql: Sql;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  enroll: Enroll;
}

/**
 * `POST /svc-api/v1/sequences/enroll` (contract, section 4.2), behind `requireKey`. Enrolling the same
 * person again answers with the same subscription.
 */
export function postEnrollment({ sql, secret, enroll }: PostEnrollmentDeps): Handler<AppEnv> {
  return async function postEnrollment(c) {
    const { teamId, keyHash } = c.get('key');
    const { email, sequenceId } = await withKey(sql, keyHash, async () => {
      const body = await readJson(c, ['application/json'], limits.bodyBytes);
      const parsed = enrollmentSchema.safeParse(body);
      if (!parsed.success) throw new ApiError('invalid_request', describeIssues(parsed.error));
      return parsed.data;
    });

    const row = await enroll(teamId, {
      keyHash,
      personId: personUuid(secret, teamId, email),
      sequenceId: decodeId('seq', sequenceId),
      subscriptionId: newUuid(),
    });
    if (!row.isKeyLive) throw new ApiError('invalid_api_key');
    if (row.personId === null) throw new ApiError('person_not_found');
    if (row.subscriptionId === null) throw new ApiError('sequence_not_found');

    const data: Enrollment = {
      enrolled: true,
      subscriptionId: encodeId('sub', row.subscriptionId),
      peopleId: encodeId('ppl', row.personId),
      sequenceId,
    };
    return replyData(c, data);
  };
}
