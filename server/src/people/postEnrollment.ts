import type { Enrollment } from '@orderbeacon/sdk/contract';
import type { Endpoint } from '../http/answerDirectly.js';
import { readJson } from '../http/readJson.js';
import { success } from '../http/reply.js';
import type { LastSeen } from '../teams/lastSeen.js';
import type { LiveKeys } from '../teams/liveKeys.js';
import type { RequireKey } from '../teams/requireKey.js';
import { ApiError } from '../values/errors.js';
import { decodeId, encodeId, newUuid, personUuid } from '../values/ids.js';
import { describeIssues } from '../values/issues.js';
import { limits } from '../values/limits.js';
import type { Enroll } from './enroll.js';
import { enrollmentSchema } from './enrollmentSchema.js';

/** The dependencies of the enrollment route. */
export interface PostEnrollmentDeps {
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  liveKeys: LiveKeys;
  requireKey: RequireKey;
  enroll: Enroll;
  lastSeen: LastSeen;
}

/**
 * `POST /svc-api/v1/sequences/enroll` (contract, section 4.2), behind a key. Enrolling a person again
 * answers with the same subscription.
 */
export function postEnrollment({
  secret,
  liveKeys,
  requireKey,
  enroll,
  lastSeen,
}: PostEnrollmentDeps): Endpoint['route'] {
  return async function postEnrollment(c) {
    const { teamId, keyHash } = await requireKey(c);
    const { email, sequenceId } = await liveKeys.refuseDeadFirst(keyHash, async () => {
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
    lastSeen.key(keyHash);
    if (row.personId === null) throw new ApiError('person_not_found');
    if (row.subscriptionId === null) throw new ApiError('sequence_not_found');

    const data: Enrollment = {
      enrolled: true,
      subscriptionId: encodeId('sub', row.subscriptionId),
      peopleId: encodeId('ppl', row.personId),
      sequenceId,
    };
    return { status: 200, body: success(data) };
  };
}
