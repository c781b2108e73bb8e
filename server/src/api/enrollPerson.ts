import type { Enrollment, EnrollmentRequest } from '@orderbeacon/sdk/contract';
import { enrollmentSchema } from '../core/people/postEnrollment.js';
import { bodyRefusals, keyRefusals, type Operation } from '../http/operation.js';
import { type ExampleIds, exampleEmail, examplePerson } from '../values/examples.js';

/** Describes `POST /svc-api/v1/sequences/enroll`. */
export const enrollPersonOperation: Operation = {
  operationId: 'enrollPerson',
  tag: 'Sequences',
  summary: 'Enroll in sequence',
  description:
    'Enrolls a person of the key’s team in an email sequence of that team. Enrolling the same person again answers with the same subscription, so it is safe to repeat.',
  apiKey: 'required',
  schemas: { EnrollmentRequest: enrollmentSchema },
  body: {
    schema: 'EnrollmentRequest',
    types: ['application/json'],
    examples: (ids) => ({ known: { summary: 'A person of the team', value: exampleEnrollmentRequest(ids) } }),
  },
  success: { schema: 'Enrollment', description: 'The person is enrolled.', example: exampleEnrollment },
  refusals: [...keyRefusals, ...bodyRefusals, 'person_not_found', 'sequence_not_found'],
};

/** Builds the example request of an enrollment. */
export function exampleEnrollmentRequest({ sequenceId }: ExampleIds): EnrollmentRequest {
  return { email: exampleEmail, sequenceId };
}

/** Builds the answer to that request. */
export function exampleEnrollment({ sequenceId }: ExampleIds): Enrollment {
  return {
    enrolled: true,
    subscriptionId: 'sub_01kaefr2cb5t7n2d9q4j8g0r6p',
    peopleId: examplePerson,
    sequenceId,
  };
}
