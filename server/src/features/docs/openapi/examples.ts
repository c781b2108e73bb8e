import type { Enrollment, EnrollmentRequest } from '@orderbeacon/sdk/contract';
import { exampleEmail } from '../../../values/examples.js';

/** The id of the buyer in the examples. */
export const examplePerson = 'ppl_2v7r4d9k3w8m5s9h1c6x0b4n7t';

/** The ids in the examples' requests. */
export interface ExampleIds {
  teamId: string;
  sequenceId: string;
}

/** For a server without a demo team: the reader sees what to replace. */
export const placeholderIds: ExampleIds = {
  teamId: 'team_PUT_YOUR_TEAM_HERE',
  sequenceId: 'seq_PUT_YOUR_SEQUENCE_HERE',
};

/** Makes the example request of an enrollment. */
export function exampleEnrollmentRequest({ sequenceId }: ExampleIds): EnrollmentRequest {
  return { email: exampleEmail, sequenceId };
}

/** Makes the answer to that request. */
export function exampleEnrollment({ sequenceId }: ExampleIds): Enrollment {
  return {
    enrolled: true,
    subscriptionId: 'sub_01kaefr2cb5t7n2d9q4j8g0r6p',
    peopleId: examplePerson,
    sequenceId,
  };
}

/** The `requestId` of every refusal that the document shows. */
export const exampleRequestId = '5f1c9f0e-3b7a-4d2c-8e61-0a9b8c7d6e5f';
