import type { Enrollment, ErrorCode, Issue, Order, Refund } from '@orderbeacon/sdk/contract';
import { z } from 'zod';

/** Describes a text in an answer. */
export const text = (description: string) => z.string().meta({ description });

/** Describes a text in an answer, or null. */
export const textOrNull = (description: string) => z.string().nullable().meta({ description });

/** A time in an answer. */
export const momentSchema = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, with milliseconds.' });

/** One invalid field of a 400, or one warning. */
export const issueSchema = z.object({
  path: text('Where the field is, such as `items.0.price`; empty for the body.'),
  message: text('How to correct it or, in a warning, what was changed or differs.'),
}) satisfies z.ZodType<Issue>;

const paymentStatus = z.enum(['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED']).meta({
  description: '`PAID` until a refund is reported. `REFUNDED` when all of the amount was refunded.',
});

/** The answer to an order report (contract, section 2.5). */
export const orderAnswerSchema = z.object({
  id: text('The order, `ord_…`.'),
  orderNumber: z
    .string()
    .regex(/^ORD-[0-9A-Z]{10}$/)
    .meta({ description: 'For people to quote: `ORD-` and 10 characters, unique in the team.' }),
  amount: z.number().meta({ description: 'Order total in major units, as it was reported.' }),
  currency: text('Currency code in upper case.'),
  paymentStatus,
  refundedAmount: z.exactOptional(z.number()).meta({
    description: 'The money of the order that was refunded. Only when there is any.',
  }),
  peopleId: text('The buyer as a person, `ppl_…`.'),
  isTest: z.boolean().meta({ description: 'True when a test key or a test domain reported it.' }),
  isNew: z.boolean().meta({ description: 'True when this request created the order.' }),
  createdAt: momentSchema,
  warnings: z.exactOptional(z.array(issueSchema)).meta({
    description:
      'Only when there is something to say: what of a page’s report was changed or left out so that the order could be stored, and what differs from the stored order. At most 20, and one more that counts the rest.',
  }),
  reportId: z.exactOptional(z.string()).meta({
    description: 'Of a page’s report that had one. The page takes no other answer for its own.',
  }),
}) satisfies z.ZodType<Order>;

/** The answer to a refund. */
export const refundAnswerSchema = z.object({
  refundId: text('As it was sent.'),
  orderId: text('As it was sent.'),
  order: textOrNull('The order, `ord_…`; null while the refund waits for an order that is not known yet.'),
  amount: z.number().nullable().meta({
    description:
      'The money that was refunded. While the refund waits: as it was sent, null for all of the order.',
  }),
  currency: textOrNull('That of the order; null while the refund waits.'),
  paymentStatus: paymentStatus.nullable().meta({ description: 'Of the order; null while the refund waits.' }),
  refundedAmount: z.number().nullable().meta({
    description: 'The money of all refunds of the order; null while the refund waits.',
  }),
  reason: textOrNull('As it was sent.'),
  isTest: z.boolean().meta({ description: 'True for a test key.' }),
  isNew: z.boolean().meta({ description: 'True when this request created the refund.' }),
  createdAt: momentSchema,
}) satisfies z.ZodType<Refund>;

/** The answer to an enrollment (contract, section 2.4). */
export const enrollmentAnswerSchema = z.object({
  enrolled: z.boolean().meta({ description: 'True: the person is in the sequence now.' }),
  subscriptionId: z.string().meta({
    description: 'The enrollment, `sub_…`. The same person and sequence always give the same one.',
  }),
  peopleId: text('The person, `ppl_…`.'),
  sequenceId: text('The sequence, as it was asked for.'),
}) satisfies z.ZodType<Enrollment>;

/** Describes the body of every refusal that carries one of these codes. */
export function failureSchema(codes: ErrorCode[]) {
  return z.object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(codes).meta({ description: 'A stable word to branch on.' }),
      message: text('A sentence for a person. It may change.'),
      hint: z.string().optional().meta({ description: 'What to do, where `message` does not say it.' }),
      docs: z
        .url()
        .optional()
        .meta({ description: 'The page about this code, on this server: cause, fix, and who fixes it.' }),
      issues: z.array(issueSchema).optional().meta({ description: 'The invalid fields, at most 20.' }),
    }),
    requestId: z
      .string()
      .meta({ description: 'Quote it when you ask for help; `X-Request-Id` is the same.' }),
    reportId: z.string().optional().meta({ description: 'Of a page’s order report that had one.' }),
  });
}
