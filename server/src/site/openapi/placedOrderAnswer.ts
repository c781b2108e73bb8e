import type { OrderRefund, PlacedOrder, Touch } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { lineItemSchema, sources } from '../../orders/reportSchema.js';
import { momentSchema, orderAnswerSchema, text, textOrNull } from './answerSchemas.js';

/** One way in which a buyer came to the shop. */
export const touchSchema = z.object({
  at: momentSchema.nullable().meta({ description: 'Time of the landing, at most that of the order.' }),
  path: textOrNull('Path of the page.'),
  referrer: textOrNull('Host of the site before; null for the shop’s own site.'),
  source: textOrNull('`utm_source`, else `ref`, else the advertiser that marked the click.'),
  medium: textOrNull('`utm_medium`, else that of the advertiser.'),
  campaign: textOrNull('`utm_campaign`'),
  term: textOrNull('`utm_term`'),
  content: textOrNull('`utm_content`'),
  clickId: textOrNull('The name of the parameter that marked the click, such as `gclid`.'),
}) satisfies z.ZodType<Touch>;

/** A refund of an order that was read. */
export const orderRefundSchema = z.object({
  refundId: text('As it was reported.'),
  amount: z
    .number()
    .meta({ description: 'As it was reported; without an amount, what the others leave of the order.' }),
  reason: textOrNull('Why it was refunded.'),
  createdAt: momentSchema,
}) satisfies z.ZodType<OrderRefund>;

const { id, orderNumber, peopleId, amount, currency, paymentStatus, isTest, createdAt } =
  orderAnswerSchema.shape;

/** The answer to a reading of an order. */
export const placedOrderSchema = z.object({
  id,
  orderNumber,
  orderId: textOrNull('Your own identifier.'),
  reportId: textOrNull('Of the page’s report, where that has no `orderId`.'),
  keys: z.array(z.string()).meta({
    description:
      'Every `Idempotency-Key` and id of a payment provider that the order is known by, and the ids of orders that became one with it.',
  }),
  sharesIdWith: textOrNull(
    'Number of the order that had this `orderId` before, where this one is another payment.',
  ),
  peopleId,
  email: textOrNull('The buyer; null once the person was erased.'),
  name: textOrNull('The customer’s name.'),
  amount,
  currency,
  paymentStatus,
  refundedAmount: z.number().meta({ description: 'The money of all refunds, at most `amount`.' }),
  source: z.enum(sources).meta({ description: 'Where the money came from.' }),
  items: z.array(lineItemSchema).nullable().meta({ description: 'What was bought, as it was sent.' }),
  visitorId: textOrNull('The browser’s persisted visitor.'),
  firstTouch: touchSchema.nullable().meta({ description: 'The visitor’s first landing.' }),
  lastTouch: touchSchema.nullable().meta({ description: 'The last landing with campaign parameters.' }),
  extra: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'Fields of the report that this document does not name, as they were sent.' }),
  isTest,
  reportedBy: z.enum(['browser', 'key', 'both']).meta({ description: 'Senders of the reports so far.' }),
  createdAt,
  refunds: z.array(orderRefundSchema).meta({ description: 'The oldest first.' }),
}) satisfies z.ZodType<PlacedOrder>;
