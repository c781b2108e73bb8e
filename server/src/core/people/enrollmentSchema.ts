import type { EnrollmentRequest } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { emailSchema } from '../../values/email.js';
import { limits } from '../../values/limits.js';
import { text } from '../../values/text.js';

/** The body of an enrollment. Unknown fields are ignored. */
export const enrollmentSchema = z.object(
  {
    email: emailSchema.meta({ description: 'A person who exists in the team already, in any case.' }),
    sequenceId: text(limits.id).meta({ description: 'The email sequence, `seq_…`.' }),
  },
  { error: 'must be a JSON object' },
) satisfies z.ZodType<EnrollmentRequest>;
