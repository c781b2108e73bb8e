import type { EnrollmentRequest } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { limits } from './order.js';
import { email, text } from './text.js';

/** The body of an enrollment. Unknown fields are ignored. */
export const enrollmentSchema = z.object(
  { email, sequenceId: text(limits.id) },
  { error: 'must be a JSON object' },
) satisfies z.ZodType<EnrollmentRequest>;
