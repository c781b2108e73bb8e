import type { Enrollment } from '@orderbeacon/sdk/contract';
import type { Handler } from 'hono';
import type { AppEnv } from '../context.js';
import { ApiError } from '../errors.js';
import { decodeId, encodeId, newUuid, personUuid } from '../ids.js';
import { withKey } from '../keyTrust.js';
import { readJson } from '../readJson.js';
import { replyData } from '../reply.js';
import { enrollmentSchema } from '../schemas/enrollment.js';
import { describeIssues } from '../schemas/issues.js';
import { limits } from '../schemas/order.js';
import type { Sql } from '../sql/connect.js';
import { enrollPerson } from '../sql/enrollPerson.js';

/**
 * `POST /svc-api/v1/sequences/enroll` (contract, section 4.2), behind `requireKey`. Enrolling the same
 * person again answers with the same subscription.
 * @param parts.secret the installation's, which people's ids are made with
 */
export function postEnrollment({ sql, secret }: { sql: Sql; secret: string }): Handler<AppEnv> {
  return async function postEnrollment(c) {
    const { email, sequenceId } = await withKey(sql, c.get('key').keyHash, async () => {
      const body = await readJson(c.req, ['application/json'], limits.bodyBytes);
      const parsed = enrollmentSchema.safeParse(body);
      if (!parsed.success) throw new ApiError('invalid_request', describeIssues(parsed.error));
      return parsed.data;
    });

    const personId = personUuid(secret, c.get('key').teamId, email);
    const request = { personId, sequenceId: decodeId('seq', sequenceId) };
    const row = await enrollPerson(sql, c.get('key'), request, newUuid());
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
