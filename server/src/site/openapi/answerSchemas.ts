import type { Enrollment, ErrorCode, Issue, Order } from '@orderbeacon/sdk/contract';
import { z } from 'zod';

/** A time in an answer. */
export const momentSchema = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, with milliseconds.' });

/** One invalid field of a 400, or one changed field of a page's report. */
export const issueSchema = z.object({
  path: z.string().meta({ description: 'Where the field is, such as `items.0.price`; empty for the body.' }),
  message: z.string().meta({ description: 'How to correct it or, in a warning, what was changed.' }),
}) satisfies z.ZodType<Issue>;

/** The answer to an order report (contract, section 2.5). */
export const orderAnswerSchema = z.object({
  id: z.string().meta({ description: 'The order, `ord_…`.' }),
  orderNumber: z
    .string()
    .regex(/^ORD-[0-9A-Z]{10}$/)
    .meta({ description: 'For people to quote: `ORD-` and 10 characters, unique in the team.' }),
  amount: z.number().meta({ description: 'Order total in major units, as it was reported.' }),
  currency: z.string().meta({ description: 'Currency code in upper case.' }),
  paymentStatus: z.enum(['PAID']).meta({ description: 'Always `PAID`: only paid orders are reported.' }),
  peopleId: z.string().meta({ description: 'The buyer as a person, `ppl_…`.' }),
  isTest: z.boolean().meta({ description: 'True when a test key or a test domain reported it.' }),
  isNew: z.boolean().meta({ description: 'True when this request created the order.' }),
  createdAt: momentSchema,
  warnings: z.exactOptional(z.array(issueSchema)).meta({
    description:
      'Only on the answer to a page’s report, and only when a field was changed or left out so that the order could be stored. At most 20, and one more that counts the rest.',
  }),
}) satisfies z.ZodType<Order>;

/** The answer to an enrollment (contract, section 2.4). */
export const enrollmentAnswerSchema = z.object({
  enrolled: z.boolean().meta({ description: 'True: the person is in the sequence now.' }),
  subscriptionId: z.string().meta({
    description: 'The enrollment, `sub_…`. The same person and sequence always give the same one.',
  }),
  peopleId: z.string().meta({ description: 'The person, `ppl_…`.' }),
  sequenceId: z.string().meta({ description: 'The sequence, as it was asked for.' }),
}) satisfies z.ZodType<Enrollment>;

/** The body of every refusal that carries one of these codes. */
export function failureSchema(codes: ErrorCode[]) {
  return z.object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(codes).meta({ description: 'A stable word to branch on.' }),
      message: z.string().meta({ description: 'A sentence for a person. It may change.' }),
      issues: z.array(issueSchema).optional().meta({ description: 'The invalid fields, at most 20.' }),
    }),
    requestId: z
      .string()
      .meta({ description: 'Quote it when you ask for help; `X-Request-Id` is the same.' }),
  });
}
