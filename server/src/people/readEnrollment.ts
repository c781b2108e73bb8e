import type { EnrolledPerson } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connection/connect.js';
import { encodeId, type Uuid } from '../values/ids.js';
import { findSubscription } from './sql/subscription.js';

/** Reads an enrollment, with the email of its person, by the id of the subscription. Undefined for none. */
export async function readEnrollment(sql: Sql, teamId: Uuid, id: Uuid): Promise<EnrolledPerson | undefined> {
  const row = await findSubscription(sql, teamId, id);
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
