import type { BegunRefusals, EnrolledPerson, MergedOrder, StoppedOrders } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { enrollmentAnswerSchema, momentSchema, text, textOrNull } from './answerSchemas.js';
import { placedOrderSchema } from './placedOrderAnswer.js';

const message = text('The same as a text for people, in English.');
const teamName = text('Name of the team.');

/** The data of `order.merged`. */
export const mergedOrderSchema = placedOrderSchema.extend({
  mergedId: text('The id of the other order, `ord_…`, which is a part of this one from now on.'),
}) satisfies z.ZodType<MergedOrder>;

/** The data of `enrollment.created`. */
export const enrolledPersonSchema = z.object({
  ...enrollmentAnswerSchema.shape,
  email: text('Email of the person.'),
}) satisfies z.ZodType<EnrolledPerson>;

/** The data of `orders.stopped`. */
export const stoppedOrdersSchema = z.object({
  teamName,
  lastOrderAt: momentSchema.meta({ description: 'Time of the last order before the silence.' }),
  usualOrders: z.number().nullable().meta({
    description: 'Orders that usually would have come since then, at least; null when the silence has ended.',
  }),
  endedAt: momentSchema
    .nullable()
    .meta({ description: 'Time of the first order after the silence; null while it lasts.' }),
  message,
}) satisfies z.ZodType<StoppedOrders>;

/** The data of `refused.began`. */
export const begunRefusalsSchema = z.object({
  teamName,
  reason: textOrNull(
    'The error code. Null for more hosts or fields on one day than are told one by one; so are `host` and `field`.',
  ),
  host: textOrNull('Host of the page; null for reports with a key, and for pages that name none.'),
  field: textOrNull('The first invalid field; null for none.'),
  reports: z.number().meta({ description: 'Reports that were refused so far.' }),
  message,
}) satisfies z.ZodType<BegunRefusals>;

const body = <Type extends string, Data extends z.ZodType>(types: readonly [Type, ...Type[]], data: Data) =>
  z.object({
    type: z.enum(types).meta({ description: 'The kind of event.' }),
    timestamp: momentSchema.meta({ description: 'Time of the event. The same for all attempts.' }),
    data,
  });

/** The bodies of requests to webhooks, by the name of their schema. */
export const webhookBodies = {
  OrderEvent: body(['order.created', 'order.changed', 'order.refunded'], placedOrderSchema),
  MergedOrderEvent: body(['order.merged'], mergedOrderSchema),
  EnrollmentEvent: body(['enrollment.created'], enrolledPersonSchema),
  StoppedOrdersEvent: body(['orders.stopped'], stoppedOrdersSchema),
  BegunRefusalsEvent: body(['refused.began'], begunRefusalsSchema),
  TestEvent: body(['hook.test'], z.object({ message }).meta({ description: 'A text for the reader.' })),
};
